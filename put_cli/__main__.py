"""`python -m put_cli` is the `put` command."""

from put_cli.cli.main import main

main()
