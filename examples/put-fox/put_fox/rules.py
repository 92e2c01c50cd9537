"""The rules of the house: an entry point of the group put.rules may be such a mapping."""

FOXHOLE = {
    "base": "cotton",
    "title": "Put as the foxes play it",
    "target": 7,
    "pack": "short32",
}
"""Cotton's game to seven, with the pack of 32 cards."""
