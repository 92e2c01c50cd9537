"""Speculation as one would write it in an afternoon: what the program is measured against.

A class for the deal, functions for the players, a shuffled pack. It shares no line with the program
and plays the same five built-in players: fair, greedy, late, eager, never.
"""

import random

RANK = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
PACK = [(value, suit) for suit in "cdhs" for value in RANK.values()]
PLAYERS = 5
ANTE = 2


class Deal:
    """One deal among five."""

    def __init__(self, players, dealer, rng):
        self.players = players
        self.dealer = dealer
        pack = PACK[:]
        rng.shuffle(pack)
        self.hands = [pack[3 * n : 3 * n + 3] for n in range(PLAYERS)]
        self.up = pack[3 * PLAYERS]
        self.chips = [-ANTE] * PLAYERS
        self.chips[dealer] -= ANTE
        self.pool = ANTE * (PLAYERS + 1)
        self.holder = dealer
        self.best = 0
        self.trump = None
        self.seen = set()
        self.offered = 0

    def left(self, seat):
        return [(seat + step) % PLAYERS for step in range(1, PLAYERS)]

    def survives(self):
        """The chance that the best trump, or the turn-up, stays the best."""
        come = sum(map(len, self.hands))
        if self.trump is None:
            total = 0.0
            for better in range(13):
                total += self.chance(51, come, better)
            return total / 13
        better = sum((rank, self.trump) not in self.seen for rank in range(self.best + 1, 15))
        return self.chance(52 - len(self.seen), come, better)

    @staticmethod
    def chance(unseen, come, better):
        if better > unseen - come:
            return 0.0
        result = 1.0
        for k in range(better):
            result *= (unseen - come - k) / (unseen - k)
        return result

    def price(self):
        """What the thing for sale is worth."""
        come = sum(map(len, self.hands))
        unseen = 52 - len(self.seen)
        payers = 8 - sum(card[0] in (5, 11) for card in self.seen)
        pool = self.pool + come * payers / unseen
        if not self.offered:
            return self.survives() * pool
        share = (1.0 - self.survives()) * self.offered / max(1, come)
        return share * pool - self.offered * payers / unseen

    def sell(self, seller, offered=0):
        """An auction; whether it was sold."""
        self.offered = offered
        best, buyer = 0, None
        for seat in self.left(seller):
            bid = self.players[seat].bid(self, best)
            if bid > best:
                best, buyer = bid, seat
        if buyer is None or not self.players[seller].accept(self, best):
            return False
        self.chips[buyer] -= best
        self.chips[seller] += best
        if offered:
            self.hands[buyer] += self.hands[seller][:offered]
            del self.hands[seller][:offered]
        else:
            self.holder = buyer
        return True

    def next(self, seat):
        for other in [*self.left(seat), seat]:
            if other != self.holder and self.hands[other]:
                return other
        return self.holder if self.hands[self.holder] else None

    def play(self):
        """Everybody's change in chips."""
        if self.players[self.dealer].presells:
            self.sell(self.dealer)
        self.best, self.trump = self.up
        self.seen.add(self.up)
        if self.best != 14:
            self.sell(self.holder)
            self.turn_all()
        self.chips[self.holder] += self.pool
        return self.chips

    def turn_all(self):
        spoken = set()
        turner = self.next(self.holder)
        while turner is not None:
            if self.players[turner].offers and turner not in spoken:
                spoken.add(turner)
                if self.sell(turner, len(self.hands[turner])):
                    turner = self.next(turner)
                    continue
            spoken.clear()
            card = self.hands[turner].pop(0)
            self.seen.add(card)
            if card[0] in (5, 11):
                self.chips[turner] -= 1
                self.pool += 1
            if card[1] == self.trump and card[0] > self.best:
                self.best, self.holder = card[0], turner
                self.sell(turner)
                turner = self.holder
            turner = self.next(turner)


class Never:
    """Never trades."""

    presells = offers = False

    def bid(self, deal, best):
        return 0

    def accept(self, deal, bid):
        return False


class Fair(Never):
    """Trades at the price."""

    presells = offers = True
    buys, sells = 1.0, 1.0

    def bid(self, deal, best):
        most = int(deal.price() * self.buys)
        return most if most > best else 0

    def accept(self, deal, bid):
        return bid >= deal.price() * self.sells


class Greedy(Fair):
    """Sells all it has, from half the price on."""

    sells = 0.5

    def bid(self, deal, best):
        return 0


class Eager(Fair):
    """Overpays and keeps."""

    presells = offers = False
    buys = 1.4

    def accept(self, deal, bid):
        return False


class Late(Fair):
    """Buys unseen cards when no high trump is out."""

    presells = offers = False

    def bid(self, deal, best):
        if not deal.offered or deal.best >= 11:
            return 0
        return super().bid(deal, best)

    def accept(self, deal, bid):
        if not deal.offered and deal.trump and deal.survives() >= 0.8:
            return False
        return super().accept(deal, bid)


def play_deals(deals, seed):
    """Chips a deal, `deals` rows of five, by player in the order fair, greedy, late, eager, never.

    From deal to deal the deal passes on, and after five of them everybody moves on by a chair.
    """
    rng = random.Random(seed)
    players = [Fair(), Greedy(), Late(), Eager(), Never()]
    found = []
    for number in range(deals):
        shift = number // PLAYERS % PLAYERS
        seated = players[shift:] + players[:shift]
        chips = Deal(seated, number % PLAYERS, rng).play()
        found.append(chips[PLAYERS - shift :] + chips[: PLAYERS - shift])
    return found
