"""PLAYING IT: the tables of a rule set, seeded chance, the compiled kernel, the players' tiers.

NumPy and Numba; no files, no processes, no clocks. The rules come in as integer tables that
`tables.py` compiles from the machine, so the kernel holds no rule of its own.
"""
