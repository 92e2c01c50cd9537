"""What the tallies of a tournament say: ratings, their uncertainty, and the standings.

Pure arithmetic on NumPy arrays: no files, clocks, random numbers or printing in here. `tally`
knows the table, `luce`, `components`, `units` and `clusters` know one piece of statistics each,
`rating`, `intervals` and `first_deal` join them, and `standings` is what the rest of the program
asks for.
"""
