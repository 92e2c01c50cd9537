"""Put as one would write it in an afternoon: a class for the game, a class for each player.

This is what `speed.py` measures the program against, so it is written to be read and to be right,
neither slow on purpose nor tuned. It plays the `cotton` rules and knows nothing of the program.

    python benchmarks/plain.py --games 10000
    python benchmarks/plain.py --games 10000 --csv hands.csv
"""

import argparse
import contextlib
import csv
import random
import time
from collections.abc import Sequence
from typing import Any

RANKS = "456789TJQKA23"  # card 1 is a Four, card 13 a Three
PACK = [card for card in range(1, 14) for _ in range(4)]
TARGET = 5

PUT, SEE, THROW = "put", "see", "throw"

HEADER = (
    "game",
    "hand",
    "eldest",
    "dealer",
    "eldest_score",
    "dealer_score",
    "eldest_cards",
    "dealer_cards",
    "tricks",
    "put",
    "winner",
)


class Player:
    """Somebody at the table: a name, the cards in hand, the score."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cards: list[int] = []
        self.score = 0
        self.tricks = 0

    def act(self, game: "Game") -> int | str:
        """A card from the hand, or a word."""
        raise NotImplementedError

    def thrifty_card(self, game: "Game") -> int:
        """Lead the best; reply with the cheapest that wins, else one that ties, else the worst."""
        if game.led is None:
            return max(self.cards)
        winners = [card for card in self.cards if card > game.led]
        if winners:
            return min(winners)
        return game.led if game.led in self.cards else min(self.cards)


class Thrifty(Player):
    """Wins tricks cheaply, never puts, sees every put."""

    def act(self, game: "Game") -> int | str:
        if game.asked:
            return SEE
        return self.thrifty_card(game)


class Threshold(Player):
    """Puts and sees when its cards average at least a level."""

    level = 9.0

    def act(self, game: "Game") -> int | str:
        strong = len(self.cards) > 0 and sum(self.cards) / len(self.cards) >= self.level
        if game.asked:
            return SEE if strong else THROW
        if game.may_put and strong:
            return PUT
        return self.thrifty_card(game)


class Game:
    """One game to five points between two players."""

    def __init__(self, first: Player, second: Player, rng: random.Random, rows: Any = None) -> None:
        self.players = (first, second)
        self.rng = rng
        self.rows = rows  # a csv.writer, or None
        self.hands = 0
        self.led: int | None = None
        self.asked = False
        self.may_put = True
        self.put_seen = False

    def play(self, number: int = 0) -> Player:
        """Play to the end; returns the winner."""
        for player in self.players:
            player.score = 0
        dealer = self.cut()
        while True:
            eldest = self.other(dealer)
            before = (eldest.score, dealer.score)
            self.deal(eldest, dealer)
            dealt = (self.text(eldest.cards), self.text(dealer.cards)) if self.rows else ("", "")
            winner = self.play_hand(eldest, dealer)
            self.hands += 1
            if self.rows:
                tricks = f"{eldest.tricks}-{dealer.tricks}"
                put = "" if self.may_put else "seen" if self.put_seen else "thrown"
                name = winner.name if winner else ""
                self.rows.writerow(
                    (
                        number,
                        self.hands,
                        eldest.name,
                        dealer.name,
                        *before,
                        *dealt,
                        tricks,
                        put,
                        name,
                    )
                )
            if winner is not None:
                winner.score += 1
                if self.put_seen or winner.score == TARGET:
                    return winner
            dealer = eldest

    def cut(self) -> Player:
        """The higher cut deals first; equal ranks cut again."""
        while True:
            first, second = self.rng.sample(PACK, 2)
            if first != second:
                return self.players[0] if first > second else self.players[1]

    def deal(self, eldest: Player, dealer: Player) -> None:
        """Three cards each, one at a time."""
        pack = PACK.copy()
        self.rng.shuffle(pack)
        eldest.cards = pack[0:6:2]
        dealer.cards = pack[1:6:2]
        eldest.tricks = dealer.tricks = 0

    def other(self, player: Player) -> Player:
        """The one across the table."""
        return self.players[1] if player is self.players[0] else self.players[0]

    def play_hand(self, eldest: Player, dealer: Player) -> Player | None:
        """Play one deal; returns who won it, or None when it is drawn."""
        self.may_put, self.put_seen = True, False
        leader, replier = eldest, dealer
        for trick in range(3):
            self.led = None
            for player in (leader, replier):
                card = self.turn(player)
                if card is None:  # his put was declined
                    return player
                player.cards.remove(card)
                if player is leader:
                    self.led = card
                else:
                    reply = card
            assert self.led is not None
            if self.led != reply:
                if reply > self.led:
                    leader, replier = replier, leader
                leader.tricks += 1
                if trick == 1 and leader.tricks == 2:
                    break
        if eldest.tricks == dealer.tricks:
            return None
        return eldest if eldest.tricks > dealer.tricks else dealer

    def turn(self, player: Player) -> int | None:
        """The card a player lays, or None when the other threw in his cards to a put."""
        action = player.act(self)
        if action == PUT and self.may_put:
            self.may_put = False
            other = self.other(player)
            self.asked = True
            answer = other.act(self)
            self.asked = False
            if answer == THROW:
                return None
            if answer != SEE:
                raise ValueError(f"{other.name}: {answer!r} is no answer to a put")
            self.put_seen = True
            action = player.act(self)
        if not isinstance(action, int) or action not in player.cards:
            raise ValueError(f"{player.name}: {action!r} is not allowed")
        return action

    @staticmethod
    def text(cards: Sequence[int]) -> str:
        """`3 K 7`, best first."""
        return " ".join(RANKS[card - 1] for card in sorted(cards, reverse=True))


class SampledGame(Game):
    """The same, but six cards are drawn where the pack would be shuffled: quicker by far."""

    def deal(self, eldest: Player, dealer: Player) -> None:
        cards = self.rng.sample(PACK, 6)
        eldest.cards = cards[0::2]
        dealer.cards = cards[1::2]
        eldest.tricks = dealer.tricks = 0


def play_games(
    games: int, seed: int, csv_file: Any = None, game_class: type[Game] = Game
) -> tuple[list[bool], list[int]]:
    """Play threshold against thrifty; returns, by game, whether threshold won, and the hands."""
    rng = random.Random(seed)
    rows = csv.writer(csv_file) if csv_file else None
    if rows:
        rows.writerow(HEADER)
    first, second = Threshold("threshold"), Thrifty("thrifty")
    won: list[bool] = []
    hands: list[int] = []
    for number in range(games):
        game = game_class(first, second, rng, rows)
        won.append(game.play(number) is first)
        hands.append(game.hands)
    return won, hands


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", help="write a row a hand to this file")
    parser.add_argument("--sample", action="store_true", help="draw six cards, do not shuffle")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        file = None
        if options.csv:
            file = stack.enter_context(open(options.csv, "w", newline="", encoding="utf-8"))
        begin = time.perf_counter()
        won, hands = play_games(
            options.games, options.seed, file, SampledGame if options.sample else Game
        )
        seconds = time.perf_counter() - begin
    print(
        f"threshold won {sum(won) / len(won):.4f} of {len(won):,} games; "
        f"{sum(hands) / len(hands):.3f} hands a game; {sum(hands) / seconds:,.0f} hands a second"
    )


if __name__ == "__main__":
    main()
