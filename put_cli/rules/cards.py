"""Packs and ranks. A card is a number, 1 (worst) to `top` (best); 0 is no card."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Pack:
    """The ranks in play, best first, each `copies` times."""

    name: str
    ranks: str
    copies: int = 4
    source: str = ""

    @property
    def top(self) -> int:
        """Number of the best card."""
        return len(self.ranks)

    @property
    def size(self) -> int:
        """Number of cards in the pack."""
        return len(self.ranks) * self.copies

    def card(self, rank: str) -> int:
        """The number of a rank letter; 0 when the rank is not in this pack."""
        return self.top - self.ranks.index(rank) if len(rank) == 1 and rank in self.ranks else 0

    def rank(self, card: int) -> str:
        """The letter of a card number, 1 <= card <= top."""
        return self.ranks[self.top - card]

    def text(self, cards: tuple[int, ...]) -> str:
        """Cards as the log writes them: `3 K 7`."""
        return " ".join(self.rank(card) for card in cards)


PACKS: dict[str, Pack] = {
    pack.name: pack
    for pack in (
        Pack(name="full52", ranks="32AKQJT987654", source="every source but the variants below"),
        Pack(
            name="short32",
            ranks="32AKQJT9",
            source="'32 cards' of the variants: Four to Eight are taken out (the page says Four to "
            "Nine, which leaves 28)",
        ),
        Pack(
            name="short28",
            ranks="32AKQJT",
            source="the variants' text as printed: Four to Nine out",
        ),
        Pack(
            name="truc32",
            ranks="78AKQJT9",
            source="le Truc: 32 cards (the printed '6-7-A-K-Q-J-T' is garbled: seven ranks)",
        ),
    )
}
