"""THE GAME: what Put and its relatives are, as data and one small state machine.

Nothing here draws a card, knows a strategy, opens anything but the rule files beside it, or
imports from outside the standard library and `put_cli.errors`.

The words of the game, used in code, help, logs and documentation alike:

hand            one deal and its play: what scores a point
cards           what a player holds
eldest, dealer  the seats of a hand: eldest (the non-dealer) leads first
lead, reply     the two cards of a trick
tie             a trick of equal ranks: nobody's; the same player leads again
put             to say "Put!" (in le Truc: to raise)
see             to accept a put
throw           to throw in one's cards: the answer that declines a put and, where a rule set
                allows it, conceding unasked
trick and tie   one trick each and a tie: a drawn hand
game            hands until somebody reaches the target or wins a seen put
rubber          le Truc: best of three games
partners        two sides of two: a side's captain (eldest, dealer) gives or receives a card
give, receive   the giver's best card passes to his partner, who then plays for the side
lay out         to put away one card of four face down, after receiving
dead            with three and more players: who threw in his cards when a put was seen
misdeal         the dealer's error, on which the Laws of Put let the player concerned rule
pack            the ranks in play, best first; T is ten; suits never matter in Put and Truc
"""
