"""Two foxes and the rules of their house, for put."""

from put_fox.fox import Fox, OldFox
from put_fox.rules import FOXHOLE

__all__ = ["FOXHOLE", "Fox", "OldFox"]
