"""`spielwerk check connect4-join` and `connect4-host`: does a program keep to the protocol?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.check import command as frame
from spielwerk.check.case import Wording
from spielwerk.check.catalogue import PreparedCheck, ProgramCheck
from spielwerk.check.command import ProgramOptions, ReportOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from spielwerk.check.connect4.trial import ConnectFourTerms, ConnectFourTrial

BOTH: Final = "both"
SIZES: Final = ("7x6", "4x4x4", "7x6x4")

Typed = Annotated[
    list[str] | None,
    typer.Argument(metavar="COMMAND", help="Command that starts the program, after --."),
]


@dataclass(frozen=True, slots=True)
class ConnectFourOptions:
    """What both roles take."""

    version: Annotated[
        str, typer.Option(metavar="V1|V2|both", help="Protocol versions to try.")
    ] = BOTH
    spelling: Annotated[
        str,
        typer.Option(
            metavar="document|variant", help="Words to send; some courses use the variant."
        ),
    ] = "document"
    index_port: Annotated[
        int | None,
        typer.Option(
            parser=frame.port_number,
            help="Fixed port of the index server, for programs that know only one.",
        ),
    ] = None


def _terms(chosen: Mapping[str, str], index_port: int) -> ConnectFourTerms:
    from spielwerk.check.connect4.trial import ConnectFourTerms
    from spielwerk.clients.connect4.command import parse_board
    from spielwerk.wire.connect4.messages import Version

    versions = tuple(Version) if chosen["version"] == BOTH else (Version(chosen["version"]),)
    return ConnectFourTerms(
        parse_board(chosen.get("size", SIZES[0])),
        versions,
        variant=chosen["spelling"] == "variant",
        index_port=index_port,
        slow=chosen.get("slow") == "yes",
    )


def _prepared(
    role: str, scripts: ModuleType, trial: type[ConnectFourTrial[Any]], terms: ConnectFourTerms
) -> PreparedCheck:
    """The check of a role, with its cases in the versions that are wanted."""
    from spielwerk.check.behaviour import behaviour_cases
    from spielwerk.wire.connect4.messages import Version

    unwanted = {version.lower() for version in Version} - {one.lower() for one in terms.versions}
    cases = trial.scripts.cases(__name__, scripts, file=f"{role}.toml")
    fit = [case for case in cases if not unwanted & {*case.name.replace("/", "-").split("-")}]
    return PreparedCheck(
        [*fit, *behaviour_cases(f"connect4-{role}")], lambda settings: trial(settings, terms)
    )


def prepare_join(chosen: Mapping[str, str], index_port: int = 0) -> PreparedCheck:
    """The check of programs that join."""
    from spielwerk.check.connect4 import join_scripts
    from spielwerk.check.connect4.join import JoinTrial

    return _prepared("join", join_scripts, JoinTrial, _terms(chosen, index_port))


def prepare_host(chosen: Mapping[str, str], index_port: int = 0) -> PreparedCheck:
    """The check of programs that host."""
    from spielwerk.check.connect4 import host_scripts
    from spielwerk.check.connect4.host import HostTrial

    return _prepared("host", host_scripts, HostTrial, _terms(chosen, index_port))


_CHOICES: Final = {"version": (BOTH, "V1", "V2"), "spelling": ("document", "variant")}

JOIN: Final = ProgramCheck(
    "connect4-join",
    Wording(
        "Connect Four: programs that join a game", "4 Gewinnt: Programme, die einem Spiel beitreten"
    ),
    "./client {index_host} {index_port} {game}",
    lambda: {"size": SIZES, **_CHOICES},
    prepare_join,
)
HOST: Final = ProgramCheck(
    "connect4-host",
    Wording(
        "Connect Four: programs that host a game", "4 Gewinnt: Programme, die ein Spiel anbieten"
    ),
    "./host {index_host} {index_port} {port} {game}",
    lambda: {**_CHOICES, "slow": ("no", "yes")},
    prepare_host,
)


@frame.with_options(ConnectFourOptions, ProgramOptions, ReportOptions)
def check_join(
    talk: ConnectFourOptions,
    program: ProgramOptions,
    options: ReportOptions,
    command: Typed = None,
    size: Annotated[
        str, typer.Option(metavar="WxHxD", help="Size of the board; WxH for the flat game.")
    ] = SIZES[0],
    depth: Annotated[
        int | None,
        typer.Option(min=0, max=32, help="Number of layers, if --size does not give it."),
    ] = None,
) -> None:
    """Check a Connect Four program that joins games.

    The check is the index server, which lists one open game, and the host of that game.
    Placeholders in the command: {index_host} {index_port} {host} {port} {game} {name} {player}
    {seat} {folder}. The program must play by itself; with --wait, a person can start it and
    play.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the program cannot be started.
    """
    size = size if depth is None or size.count("x") > 1 else f"{size}x{depth}"
    check = replace(JOIN, choices=lambda: {"size": (size,), **_CHOICES})
    _run(check, prepare_join, {"size": size}, talk, command, program, options)


@frame.with_options(ConnectFourOptions, ProgramOptions, ReportOptions)
def check_host(
    talk: ConnectFourOptions,
    program: ProgramOptions,
    options: ReportOptions,
    command: Typed = None,
    slow: Annotated[
        bool, typer.Option("--slow", help="Wait up to a minute for a heartbeat.")
    ] = False,
) -> None:
    """Check a Connect Four program that hosts games.

    The check is the index server and joins the game that the program registers, whatever its size.
    Placeholders in the command: {index_host} {index_port} {port} (free to listen at) {game} {name}
    {player} {seat} {folder}. A program that plays at random can be led to every kind of end.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the program cannot be started.
    """
    wishes = {"slow": "yes" if slow else "no"}
    _run(HOST, prepare_host, wishes, talk, command, program, options)


def _run(
    check: ProgramCheck,
    prepare: Callable[[Mapping[str, str], int], PreparedCheck],
    wishes: Mapping[str, str],
    talk: ConnectFourOptions,
    command: list[str] | None,
    program: ProgramOptions,
    options: ReportOptions,
) -> None:
    port = talk.index_port or 0
    if port:  # one case after the other
        options = replace(options, jobs=1)
    frame.check_program(
        replace(check, prepare=lambda chosen: prepare(chosen, port)),
        {"version": talk.version, "spelling": talk.spelling, **wishes},
        command,
        program,
        options,
        knows_port=bool(port),
    )
