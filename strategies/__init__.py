"""The built-in strategies: an ordinary plugin, one family a file.

They are written as anybody's would be: they import nothing but `put_cli` and one another, and the
entry points in the group `put.strategies` are the only list of them.
"""
