"""A person at the terminal as an ordinary player of the engine.

`hand` follows a hand as one seat knows it, `answers` reads what was typed, `terminal` writes and
reads, `player` is the strategy that asks, `match` plays and logs a match with it. The rules are
`put_cli.rules`' alone: nothing here decides what is legal or what a hand scores.
"""
