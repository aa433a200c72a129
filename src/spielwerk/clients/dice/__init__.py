"""The dice bot of the dice sheet, the program `dicebot`.

Exit codes: 0 when the server has ended the game with BYE, also if it was lost, and when a signal
has asked the bot to terminate, for that is no failure; 1 for everything else.
"""

from __future__ import annotations

import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NoReturn

from spielwerk.errors import SpielwerkError, UsageError
from spielwerk.platforms import require_posix

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

TERMINATING: Final = "Received termination request - terminating..."
LARGEST_THROW: Final = 11  # that is no double


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one game; the exit code.

    A thread plays, so that the main one can take a signal whatever the game waits for: a lookup,
    for one, is not interrupted.
    """
    try:
        require_posix("dicebot")
    except UsageError as error:
        return _failed(str(error))
    signals = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)
    for number in signals:
        signal.signal(number, _terminate)
    try:
        with ThreadPoolExecutor(1) as playing:
            return playing.submit(_run, sys.argv[1:] if arguments is None else arguments).result()
    except SpielwerkError as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(error.strerror or str(error))
    finally:
        for number in signals:  # the bot is ending anyway: none may find it without a handler
            signal.signal(number, signal.SIG_IGN)


def _terminate(*_: object) -> NoReturn:
    """End at once, which closes the connection."""
    _complain(TERMINATING)
    os._exit(0)


def _run(arguments: Sequence[str]) -> int:
    from spielwerk.clients.dice.bot import HELP, SYNOPSIS, read_arguments

    try:
        settings = read_arguments(arguments)
    except UsageError as error:
        return _failed(f"{error}\nSYNOPSIS: {SYNOPSIS}")
    if settings is None:
        _print(HELP)
        return 0

    from spielwerk.clients.dice.bot import EQUILIBRIUM, find_strategy, play, told
    from spielwerk.clients.dice.connection import connected

    # The strategy comes first, for its tables take time and the server does not wait.
    strategy = find_strategy(settings.strategy, settings.target)
    with connected(settings.host, settings.port) as connection:
        ended = play(connection, settings.name, strategy)
    _print(told(ended))
    if settings.strategy == EQUILIBRIUM and not _fits(max(ended.points), settings.target):
        _complain(f"dicebot: the race is not to {settings.target} points; --target is for that")
    return 0


def _fits(winning: int, target: int) -> bool:
    """Whether so many points win a race to that target."""
    return target <= winning < target + LARGEST_THROW


def _print(text: str) -> None:
    problem = _write(sys.stdout, text)
    if problem:
        sys.stdout = None  # what could not be written stays unwritten
        _complain(f"dicebot: cannot write to the standard output: {problem}")


def _failed(problem: str) -> int:
    _complain(f"dicebot: {problem}")
    return 1


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
