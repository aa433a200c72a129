"""`spielwerk check dice`: does a dice bot do what the dice sheet asks?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.check import command as frame
from spielwerk.check.case import Wording
from spielwerk.check.catalogue import PreparedCheck, ProgramCheck
from spielwerk.check.command import ProgramOptions, ReportOptions

if TYPE_CHECKING:
    from collections.abc import Mapping


def prepare(chosen: Mapping[str, str]) -> PreparedCheck:
    """The check of a bot for this target and answer time."""
    from spielwerk.check.behaviour import behaviour_cases
    from spielwerk.check.dice import ending, talking
    from spielwerk.check.dice.trial import DiceTrial, script

    target, answer = int(chosen["target"]), float(chosen["answer"])
    cases = [*script.cases(__name__, talking, ending), *behaviour_cases("dice")]
    return PreparedCheck(cases, lambda settings: DiceTrial(settings, target, answer))


CHECK: Final = ProgramCheck(
    "dice",
    Wording("Dice bots", "Würfelbots"),
    "./dicebot -n {name} -p {port} {host}",
    lambda: {"target": ("150", "200"), "answer": ("2", "3")},
    prepare,
)


@frame.with_options(ProgramOptions, ReportOptions)
def check(
    program: ProgramOptions,
    options: ReportOptions,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="Command that starts the bot, after --."),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option(metavar="150|200", help="Points to win (default: 150; older courses: 200)."),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(metavar="2|3", help="Seconds per answer (default: 2; older courses: 3)."),
    ] = None,
) -> None:
    """Check a dice bot (Vienna).

    Placeholders in the command: {host} {port} {name} {folder}.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the bot cannot be started.
    """
    frame.check_program(CHECK, {"target": target, "answer": answer}, command, program, options)
