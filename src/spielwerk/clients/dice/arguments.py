"""The command line of the bot, read as getopt(3) would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from getopt import GetoptError, gnu_getopt
from typing import TYPE_CHECKING, Final

from spielwerk.clients.dice.strategies import EQUILIBRIUM, check_strategy
from spielwerk.errors import UsageError, printable, quote
from spielwerk.wire.dice.words import NAME

if TYPE_CHECKING:
    from collections.abc import Sequence

SYNOPSIS: Final = "dicebot -n <bot-name> [-p <server-port>] <server-hostname>"
HELP: Final = f"""\
SYNOPSIS: {SYNOPSIS}

Plays one game of the dice race on a dice server.

  -n <bot-name>           1 to 80 letters or digits
  -p <server-port>        default 9001
  --strategy <strategy>   equilibrium (default): what the solved game says
                          hold=<points>: rolls until a turn has so many points
                          random: rolls or saves by chance
  --target <points>       points that win, where the strategy needs to know (default 150); more
                          must be solved first: spielwerk solve dice --target <points>
  -h, --help              this text

Exit codes: 0 after a whole game, won or lost, and when SIGINT, SIGQUIT or SIGTERM has ended the
bot; 1 if anything went wrong."""

PORT: Final = 9001
TARGET: Final = 150
_LARGEST_PORT: Final = 65535
_LARGEST_TARGET: Final = 10_000
_NUMBER: Final = re.compile("[0-9]{1,5}")


@dataclass(frozen=True, slots=True)
class Settings:
    """What the bot was told to do."""

    name: str
    host: str
    port: int = PORT
    strategy: str = EQUILIBRIUM
    target: int = TARGET


def read_arguments(arguments: Sequence[str]) -> Settings | None:
    """The settings, None if only help is wanted, or UsageError."""
    try:
        found, rest = gnu_getopt(arguments, "n:p:h", ["strategy=", "target=", "help"])
    except GetoptError as error:
        raise UsageError(printable(error.msg)) from None
    options = dict(found)
    if options.keys() & {"-h", "--help"}:
        return None
    if len(options) < len(found):
        raise UsageError("an option is given more than once")
    if "-n" not in options:
        raise UsageError("the name of the bot is missing (-n)")
    return Settings(
        name=_name(options["-n"]),
        host=_host(rest),
        port=_number("-p", options.get("-p", str(PORT)), 1, _LARGEST_PORT),
        strategy=check_strategy(options.get("--strategy", EQUILIBRIUM)),
        target=_number("--target", options.get("--target", str(TARGET)), 3, _LARGEST_TARGET),
    )


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise UsageError(f"{quote(text)} is no name of a bot: 1 to 80 letters (a to z) or digits")
    return text


def _host(rest: list[str]) -> str:
    if not rest or not rest[0]:
        raise UsageError("the server's hostname is missing")
    if len(rest) > 1:
        raise UsageError(f"one hostname is expected, {quote(rest[1])} is too much")
    return rest[0]


def _number(option: str, text: str, least: int, most: int) -> int:
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise UsageError(f"{option} {quote(text)}: expected a number from {least} to {most}")
    return int(text)
