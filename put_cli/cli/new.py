"""put new: the files of a new strategy."""

from pathlib import Path

import click


@click.command(
    epilog="""\b
Examples:
  put new fox                   a package put-fox, to install and to share
  put new fox --single-file     one file fox.py, to play at once
  put new hare --game speculation   a player of Speculation"""
)
@click.argument("name")
@click.option(
    "--game",
    type=click.Choice(["put", "speculation"]),
    default="put",
    show_default=True,
    help="What it plays.",
)
@click.option("--single-file", is_flag=True, help="Write one file instead of a package.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    help="Where to write it; here unless given.",
)
def command(name: str, game: str, single_file: bool, folder: Path) -> None:
    """Start a strategy called NAME.

    A package holds the strategy, the entry point that makes `put` find it, and a test. Whatever is
    there already is left alone.
    """
    from put_cli.plugins.scaffold import new_file, new_package

    if single_file:
        (path,) = new_file(name, folder, game)
        typed = _typed(path)
        click.echo(f"Wrote {path}. Now:\n  put check {typed}\n  {_try(game, typed)}")
        return
    written = new_package(name, folder, game)
    root = written[0].parent
    click.echo("Wrote")
    for path in written:
        click.echo(f"  {path}")
    click.echo(
        f'Now:\n  pip install -e "{_typed(root)}[dev]"\n  pytest {_typed(root)}\n'
        f"  put check {name}\n  {_try(game, name)}"
    )


def _try(game: str, text: str) -> str:
    """A command that plays the strategy."""
    if game == "speculation":
        return f"put tournament --rules speculation --players 4 {text} fair late eager"
    return f"put match {text} odds"


def _typed(path: Path) -> str:
    """A path as a command takes it, told from a name by its beginning."""
    return str(path) if path.is_absolute() or path.parts[0] == ".." else f"./{path.as_posix()}"
