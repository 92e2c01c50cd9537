"""The command line for the tests of this folder."""

from tests.cli.conftest import put

__all__ = ["put"]
