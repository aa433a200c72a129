"""All commands together, and how they end: errors are one line on stderr.

What a command needs is imported when it runs, so that `spielwerk --help` answers at once however
much the package grows.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, NoReturn

import typer

from spielwerk import __version__
from spielwerk.check.mnm import check as check_mnm
from spielwerk.cli import (
    analyse,
    bot,
    client,
    contest,
    engines,
    exercises,
    games,
    match,
    play,
    rate,
    serve,
    starter,
)
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import built_in
from spielwerk.terminal.commands import CommandFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED: Final = 130  # what typer makes of Ctrl-C

app = typer.Typer(
    name="spielwerk",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(serve.serve)
app.add_typer(games.app, name="games")
app.command()(client.client)
app.command()(bot.bot)
app.command()(starter.starter)
checks = typer.Typer(help="Check a program against the document of its course.")
solutions = typer.Typer(help="Solve games, or parts of them, and save tables for the engines.")


def _add_commands_of_games() -> None:
    """Some games bring commands of their own, or add theirs to `check` and `solve`."""
    for kit in built_in().values():
        for text in kit.commands:
            place, _, where = text.partition("=")
            group, _, name = place.partition(" ")
            command = kit.load(where)
            if group:
                {"check": checks, "solve": solutions}[group].command(name or kit.name)(command)
            else:
                app.add_typer(command, name=kit.name)


_add_commands_of_games()
checks.command("mnm")(check_mnm)
app.add_typer(checks, name="check")
app.command()(play.play)
app.command()(analyse.analyse)
app.command()(rate.rate)
app.command()(exercises.exercises)
app.command()(match.match)
app.add_typer(contest.app, name="contest")
app.add_typer(solutions, name="solve")
app.command()(analyse.perft)
app.command("compile")(engines.compile_engines)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"spielwerk {__version__}")
        raise typer.Exit


@checks.callback()
def check() -> None:
    """Check a program against the document of its course."""


@app.callback()
def spielwerk(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, host and check the games that programming courses assign."""
    context.obj = _run_program


def _run_program(*arguments: Any) -> None:
    """Do the work of a program with tables of its own."""
    from spielwerk.cli.programs import run as run_program

    run_program(*arguments)


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    _open_streams()
    try:
        code = app(arguments, standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:
        _fail(error.format_message(), 2)
    except SpielwerkError as error:
        _fail(str(error), 1 if isinstance(error, CommandFailed) else 2)
    except OSError as error:
        where = f" {quote(str(error.filename))}" if error.filename else ""
        _fail(f"cannot write{where}: {error.strerror}", 1)
    if code == INTERRUPTED:
        _fail("interrupted", 1)


def _open_streams() -> None:
    """Read anything without complaint, and nothing from a stream that is closed."""
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: PTH123, SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")


def _fail(message: str, code: int) -> NoReturn:
    typer.echo(f"spielwerk: {message}", err=True)
    sys.stdout = None  # what could not be written stays unwritten
    sys.exit(code)
