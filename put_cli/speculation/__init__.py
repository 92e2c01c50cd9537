"""SPECULATION: the round game of the same family, from its rules to its standings.

A package of its own, because hardly a rule is Put's: three to twelve players, chips, suits, sales.
What is general (chance, compiled strategies, parts of the log, workers, tables) is the program's.
`rules`, `cards`, `machine`, `session`, `notation`, `referee` and `strategy` are standard library
only and know nothing of kernels or files.

The words of the game, used in code, help, logs and documentation alike:

deal         what is played with one turned-up card: from the antes to the pool
session      the deals of a game; its result is everybody's change in chips
pool         the antes and payments that the holder of the best trump takes
turn-up      the card turned up after the deal; its suit is trumps
holder       whose the best trump out is
unturned     cards in front of a player that nobody has seen, not even he
top          the next of them to be turned
sale         everybody but the seller names a bid in turn; the seller accepts the best or refuses
presale      the dealer sells the turn-up before it is turned up
offer        a player whose turn it is sells unturned cards instead of turning one
payment      what the owner of a turned Knave or five pays to the pool
spare hand   one more hand, revealed at the end; with a better trump the pool is carried over
"""

from put_cli.speculation.strategy import TRUMP, TURN_UP, UNTURNED, Speculator, View

__all__ = ["TRUMP", "TURN_UP", "UNTURNED", "Speculator", "View"]
