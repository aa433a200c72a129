"""The dice bot of the dice sheet, the program `dicebot`.

Exit codes: 0 when the server has ended the game with BYE, also if it was lost, and when a signal
has asked the bot to terminate, for that is no failure; 1 for everything else.
"""

from __future__ import annotations

import os
import select
import sys
from typing import TYPE_CHECKING, Final

from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.platforms import require_posix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from spielwerk.clients.dice.connection import Signals

TERMINATING: Final = "Received termination request - terminating..."
LARGEST_THROW: Final = 11  # that is no double


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one game; the exit code."""
    try:
        require_posix("dicebot")
    except UsageError as error:
        _complain(f"dicebot: {error}")
        return 1
    from spielwerk.clients.dice.connection import Signals, TerminationRequested

    signals = Signals()  # before anything that takes time
    try:
        return _run(sys.argv[1:] if arguments is None else arguments, signals)
    except TerminationRequested:
        _complain(TERMINATING)
        os._exit(0)  # a lookup may go on in its thread, and is not waited for
    except SpielwerkError as error:
        _complain(f"dicebot: {error}")
        return 1
    except OSError as error:
        _complain(f"dicebot: {error.strerror or error}")
        return 1
    finally:
        signals.ignore()


def _run(arguments: Sequence[str], signals: Signals) -> int:
    from spielwerk.clients.dice.bot import HELP, SYNOPSIS, read_arguments

    try:
        settings = read_arguments(arguments)
    except UsageError as error:
        _complain(f"dicebot: {error}\nSYNOPSIS: {SYNOPSIS}")
        return 1
    if settings is None:
        _print(HELP, signals)
        return 0

    from spielwerk.clients.dice.bot import EQUILIBRIUM, find_strategy, play, told
    from spielwerk.clients.dice.connection import connected

    # The strategy comes first, for its tables take time and the server does not wait.
    strategy = find_strategy(settings.strategy, settings.target)
    with connected(settings.host, settings.port, signals) as connection:
        ended = play(connection, settings.name, strategy)
    _print(told(ended), signals)
    if settings.strategy == EQUILIBRIUM and not _fits(max(ended.points), settings.target):
        _complain(f"dicebot: the race is not to {settings.target} points; --target is for that")
    return 0


def _fits(winning: int, target: int) -> bool:
    """Whether so many points win a race to that target."""
    return target <= winning < target + LARGEST_THROW


def _print(text: str, signals: Signals) -> None:
    if sys.stdout:
        signals.wait(sys.stdout.fileno(), select.POLLOUT)
    problem = _write(sys.stdout, text)
    if problem:
        sys.stdout = None  # what could not be written stays unwritten
        _complain(f"dicebot: cannot write to the standard output: {problem}")


def _complain(text: str) -> None:
    if _write(sys.stderr, text):
        sys.stderr = None


def _write(stream: TextIO | None, text: str) -> str | None:
    """Write a line, if there is anything to write to; what went wrong."""
    if stream is None:
        return None
    try:
        stream.write(f"{text}\n")
        stream.flush()
    except OSError as error:
        return error.strerror
    return None
