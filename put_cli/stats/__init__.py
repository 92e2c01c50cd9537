"""What the tallies of a tournament say: ratings, their uncertainty, and the standings.

Pure arithmetic on NumPy arrays: no files, clocks or printing in here, and no chance but the seeded
draws of `bootstrap`. `tally` knows the table, `luce`, `components`, `units` and `clusters` know one
piece of statistics each, `rating`, `intervals` and `first_deal` join them, and `standings` is what
the rest of the program asks for. `head_to_head` and `sequential` are about two strategies,
`cycles` and `equilibrium` about what one number for each cannot tell.
"""
