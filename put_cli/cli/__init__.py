"""The commands, one file each. Thin: parse, call one function, print."""
