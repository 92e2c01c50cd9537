"""A person at the terminal as an ordinary player of the engine, whatever the game.

`speech` puts sentences into the second person, `hand` follows a hand as one player knows it and
`course` the match, `answers` reads what was typed, `terminal` writes and reads, `player` is the
strategy that asks, `listening` lets it hear the others, `match` plays and logs a match with it.
The rules are `put_cli.rules`' alone: nothing here decides what is legal or what a hand scores.
"""
