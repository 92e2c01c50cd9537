"""Strategies from outside: finding, naming and loading them, and keeping their compiled code."""
