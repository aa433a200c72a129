"""The command `spielwerk`: one file a command.

Exit codes are 0, 1 (failed) and 2 (usage). What a command needs is imported when it runs, so that
`spielwerk --help` answers at once however much the package grows.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk import __version__
from spielwerk.cli import perft, play
from spielwerk.errors import SpielwerkError

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    name="spielwerk",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(play.play)
app.command()(perft.perft)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"spielwerk {__version__}")
        raise typer.Exit


@app.callback()
def spielwerk(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Games that programming courses hand out: play them, count them, referee them."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors are one line on stderr."""
    try:
        sys.exit(app(arguments, standalone_mode=False))
    except typer.TyperException as error:
        _fail(error.format_message())
    except SpielwerkError as error:
        _fail(str(error))


def _fail(message: str) -> None:
    typer.echo(f"spielwerk: {message}", err=True)
    sys.exit(2)
