"""Cases about the command line: options in any order, what is optional, and what is wrong."""

from __future__ import annotations

import shlex
import socket
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.trial import ENDING
from spielwerk.contests import commands
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.check.dice.scoring import Script
    from spielwerk.check.dice.trial import DiceTrial

    Words = list[str]

PORT: Final = 9001
_NAME, _PORT, _HOST = ["-n", "{name}"], ["-p", "{port}"], ["{host}"]


def changed(typed: tuple[str, ...], change: Callable[[Words], Words]) -> tuple[str, ...]:
    """The command as the case wants it; nothing if it is not written as the document has it."""
    words = commands.split(typed[0]) if len(typed) == 1 else list(typed)
    if not all(_find(words, piece) for piece in (_NAME, _PORT, _HOST)):
        return ()
    made = change(words)
    return (*made,) if len(made) > 1 else (shlex.quote(made[0]),)


def _find(words: Words, piece: Words) -> int:
    """Where these words stand together; 0, where the program's name is, if they do not."""
    size = len(piece)
    places = range(1, len(words) - size + 1)
    return next((at for at in places if words[at : at + size] == piece), 0)


def without(*pieces: Words) -> Callable[[Words], Words]:
    """Leave these words out."""

    def change(words: Words) -> Words:
        for piece in pieces:
            at = _find(words, piece)
            words = words[:at] + words[at + len(piece) :]
        return words

    return change


def _swapped(words: Words) -> Words:
    """The port before the name, or behind it."""
    name, port = _find(words, _NAME), _find(words, _PORT)
    words[name : name + 2], words[port : port + 2] = _PORT, _NAME
    return words


def _joined(words: Words) -> Words:
    """Options without a blank, which getopt takes."""
    name = _find(words, _NAME)
    words[name : name + 2] = ["-n{name}"]
    port = _find(words, _PORT)
    words[port : port + 2] = ["-p{port}"]
    return words


def _with_unknown(words: Words) -> Words:
    words.insert(min(_find(words, _NAME), _find(words, _PORT)), "-x")
    return words


def _as_it_is(words: Words) -> Words:
    return words


def _prepare(trial: DiceTrial, change: Callable[[Words], Words], port: int | None = None) -> bool:
    """Change the command; whether that can be done."""
    command = trial.settings.command and changed(trial.settings.command, change)
    if not command:
        trial.happened("needs-options")
        return False
    port = trial.settings.port if port is None else port
    trial.settings = replace(trial.settings, command=command, port=port)
    return True


# command lines that are right


async def _plays(trial: DiceTrial, change: Callable[[Words], Words], **places: str) -> None:
    if _prepare(trial, change):
        await trial.connect(places=places)
        await trial.greet()
        await trial.finish()


async def _default_port(trial: DiceTrial) -> None:
    if not _prepare(trial, without(_PORT), PORT):
        return
    try:
        await trial.connect()
    except UsageError:
        trial.happened("port-taken", port=PORT)
        return
    await trial.greet()
    await trial.finish()


# and wrong ones


async def _refuses(trial: DiceTrial, change: Callable[[Words], Words], **places: str) -> None:
    """The bot has to end; that it complains is good advice."""
    if not _prepare(trial, change):
        return
    port = await trial.listen()
    trial.start({"port": str(port), "name": trial.name, **places})
    await _complains(trial)


async def _no_server(trial: DiceTrial) -> None:
    if not _prepare(trial, _as_it_is):
        return
    with closing(socket.socket()) as taken:  # and nothing listens there
        taken.bind((trial.settings.host, 0))
        trial.start({"port": str(taken.getsockname()[1]), "name": trial.name})
        await _complains(trial)


async def _complains(trial: DiceTrial) -> None:
    program = trial.program
    assert program is not None  # noqa: S101 - there is a command
    patience = max(ENDING, trial.settings.patience)
    deadline = trial.now + patience
    while program.running and trial.now < deadline:
        if await trial.has_connected(0.1):
            trial.blame("connects-anyway", advice=True)
            return
    if program.running:
        trial.fail("hangs", seconds=patience)
    trial.look_for_crash()
    trial.happened("ended", status=program.status)
    if program.code == 0:
        trial.blame("status-of-usage", advice=True)
    if not program.stdout.total + program.stderr.total:
        trial.blame("says-nothing", advice=True)


SCRIPTS: Final[dict[str, Script]] = {
    "call/default-port": _default_port,
    "call/host-name": partial(_plays, change=_as_it_is, host="localhost"),
    "call/other-order": partial(_plays, change=_swapped),
    "call/without-blanks": partial(_plays, change=_joined),
    "call/no-name": partial(_refuses, change=without(_NAME)),
    "call/no-host": partial(_refuses, change=without(_HOST)),
    "call/nothing": partial(_refuses, change=without(_NAME, _PORT, _HOST)),
    "call/unknown-option": partial(_refuses, change=_with_unknown),
    "call/bad-port": partial(_refuses, change=_as_it_is, port="ninethousand"),
    "call/no-server": _no_server,
}
