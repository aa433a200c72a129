"""`spielwerk check mnm`: does a client of the game server do what the documents ask?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.check import command as frame
from spielwerk.check.case import Wording
from spielwerk.check.catalogue import PreparedCheck, ProgramCheck
from spielwerk.check.command import ProgramOptions, ReportOptions
from spielwerk.games import find_game
from spielwerk.wire.mnm.server import Pace
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping


def prepare(chosen: Mapping[str, str]) -> PreparedCheck:
    """The check of a client for this game, dialect and pace."""
    from spielwerk.check.behaviour import behaviour_cases
    from spielwerk.check.mnm import playing, talking
    from spielwerk.check.mnm.trial import MnmTrial, script
    from spielwerk.wire.mnm.words import DIALECTS

    game, dialect = find_game(chosen["game"])(), DIALECTS[int(chosen["dialect"])]
    spoken = script.cases(__name__, talking, playing)
    whole = next(n for n, case in enumerate(spoken) if case.group == "game")
    positions = playing.positions(game.name)  # they are simpler than whole games
    cases = [*spoken[:whole], *positions, *spoken[whole:], *behaviour_cases("mnm")]
    pace = Pace(chosen["pace"])
    return PreparedCheck(cases, lambda settings: MnmTrial(settings, dialect, game, pace))


CHECK: Final = ProgramCheck(
    "mnm",
    Wording("Clients of the game server", "Clients des Gameservers"),
    "./client -g {game} -p {player} -s {host}:{port}",
    lambda: {
        "game": tuple(game_kinds()),
        "dialect": ("1", "2", "3"),
        "pace": tuple(map(str, Pace)),
    },
    prepare,
)


@frame.with_options(ProgramOptions, ReportOptions)
def check(
    program: ProgramOptions,
    options: ReportOptions,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="Command that starts the client, after --."),
    ] = None,
    game: Annotated[str | None, typer.Option(help="Game that the client plays.")] = None,
    dialect: Annotated[int, typer.Option(min=1, max=3, help="Dialect of the server.")] = 1,
    pace: Annotated[
        str | None,
        typer.Option(help=f"How the server splits its answers: {', '.join(Pace)}."),
    ] = None,
) -> None:
    """Check a client of the MNM game server (Munich).

    Placeholders in the command: {host} {port} {game} {player} {seat} {name} {folder}.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the client cannot be started.
    """
    wishes = {"game": game, "dialect": str(dialect), "pace": pace}
    frame.check_program(CHECK, wishes, command, program, options)
