"""The game solved: exact chances, best responses, an equilibrium.

A hand is a public tree (what is said and laid, `tree.py`) over private hands (multisets of ranks,
`cards.py`). At every node of the tree stand vectors over the private hands of one seat; two
sweeps, down with one player's chances of getting there and back up with the other's values
(`sweep.py`), give everything: an exact evaluation, a best response, an iteration of a
counterfactual-regret method. `hand.py` is the interface to them: one hand at one score. `chain.py`
joins the hands of a game, score by score, draws that come back to the same score included.

The rules come from the tables the kernel plays; nothing here knows them. Two players, no misdeals.

    tree = grow(find_ruleset("cotton"))            # the public tree
    board = Board(tree)                            # sweeps over it, float64
    chain = chain_of(tree)                         # the scores and what follows them
    number = chain.find(Score(4, 4))
    pays = chain.payoffs(number, values)           # eldest's chance after each ending
    board.sweep(DEALER, pays, policy, sweep.BEST)  # the dealer's best response, hand by hand
    certificate(chain, board, policies)            # guarantees at every score (`response.py`)
    exploit(chain, board, policies, None, limit)   # how it is beaten, and why (`exploit.py`)
"""
