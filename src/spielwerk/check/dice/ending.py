"""Cases about ends before the end: ERR, a server that is lost, and signals, each in every state."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import psutil

from spielwerk.check.dice.race import LARGE, SMALL
from spielwerk.check.dice.scoring import NEXT
from spielwerk.check.trial import ENDING
from spielwerk.contests.programs.processes import told_by_shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.dice.scoring import Script
    from spielwerk.check.dice.trial import DiceTrial
    from spielwerk.check.program import CheckedProgram

TERMINATING: Final = "Received termination request - terminating..."
SETTLED: Final = 0.3  # seconds for a bot to do what it does after the last message


# the states that a bot can be in


async def _connected(trial: DiceTrial) -> None:
    await trial.connect()


async def _half_greeted(trial: DiceTrial) -> None:
    await trial.connect()
    trial.connection.send(b"HELO This is")


async def _named(trial: DiceTrial) -> None:
    await trial.join()


async def _watching(trial: DiceTrial) -> None:
    await trial.join(begins=NEXT)
    await trial.throw(LARGE)
    await trial.throw(SMALL)


async def _decided(trial: DiceTrial) -> None:
    await trial.join()
    await trial.ask()


async def _saved(trial: DiceTrial) -> None:
    await trial.join()
    await trial.own_turn()
    await trial.throw(SMALL)


async def _parted(trial: DiceTrial) -> None:
    await trial.join(begins=NEXT)
    await trial.lose()
    await trial.part()


STATES: Final[dict[str, Callable[[DiceTrial], Awaitable[None]]]] = {
    "connected": _connected,
    "half-greeted": _half_greeted,
    "named": _named,
    "watching": _watching,
    "decided": _decided,
    "saved": _saved,
    "parted": _parted,
}


# ERR, and a server that is lost


async def _error(trial: DiceTrial, state: str) -> None:
    await STATES[state](trial)
    await _refused(trial)


async def _refused(trial: DiceTrial) -> None:
    trial.connection.send(b"ERR The game is broken off, not your fault: dice3 answered too late.\n")
    trial.connection.close()
    await trial.over("error")


async def _error_status(trial: DiceTrial) -> None:
    await _error(trial, "watching")
    if trial.program and trial.program.code == 0:
        trial.blame("status-after-error")


async def _closed(trial: DiceTrial, state: str) -> None:
    await STATES[state](trial)
    await asyncio.sleep(SETTLED)
    trial.connection.close()
    await trial.over("connection-closed")


async def _reset(trial: DiceTrial, state: str) -> None:
    await STATES[state](trial)
    await asyncio.sleep(SETTLED)
    trial.connection.reset()
    await trial.ends("connection-reset")
    _forgive_pipe(trial)


def _forgive_pipe(trial: DiceTrial) -> None:
    """A bot that writes once more into a broken connection may die of it; no document minds."""
    if trial.program and trial.program.code == -signal.SIGPIPE:
        trial.program.dismissed = True


# signals


async def _signalled(trial: DiceTrial, number: signal.Signals, state: str) -> None:
    """The sentence, and an end of its own; which exit status it has, the document leaves open."""
    program = await _stopped(trial, number, state)
    if program:
        _judge_sentence(trial, program, number)
        if not await trial.gone(1.0):
            trial.blame("connection-kept", signal=number.name)


async def _status(trial: DiceTrial, number: signal.Signals, state: str) -> None:
    program = await _stopped(trial, number, state)
    if program and program.code:
        trial.blame("signal-status", signal=number.name, status=program.code)


async def _stopped(trial: DiceTrial, number: signal.Signals, state: str) -> CheckedProgram | None:
    """The program after it was sent a signal in this state; it has ended by itself."""
    if not trial.settings.command:
        trial.happened("needs-command")
        return None
    await STATES[state](trial)
    program = trial.program
    assert program is not None  # noqa: S101 - there is a command
    await asyncio.sleep(SETTLED)
    if not program.running:
        trial.look_for_crash()
        trial.fail("ended-before-signal", status=program.status, signal=number.name)
    trial.happened("signal", signal=number.name)
    program.dismissed = True
    by_script = _send(trial, program, number)
    if not await program.ended(ENDING):
        program.dismissed = False
        trial.fail("signal-ignored", signal=number.name, seconds=ENDING, timed=True)
    trial.happened("ended", status=program.status)
    code = program.code or 0
    _judge_code(trial, told_by_shell(code) if by_script else code, number)
    return program


def _send(trial: DiceTrial, program: CheckedProgram, number: signal.Signals) -> bool:
    """Signal the process that has the connection; whether another one has started it."""
    port = trial.connection.transport.get_extra_info("peername")[1]
    for process in program.tree.find():
        with suppress(psutil.Error):
            if any(one.laddr.port == port for one in process.net_connections("tcp4")):
                process.send_signal(number)
                return bool(process.pid != program.pid)
    program.send_signal(number)
    return False


def _judge_code(trial: DiceTrial, code: int, number: signal.Signals) -> None:
    """Blame a bot that a signal has killed."""
    if code == -number:
        trial.fail("killed-by-signal", signal=number.name, hint="no-handler", timed=True)
    if code < 0:
        trial.fail("crashed", signal=signal.Signals(-code).name)


def _judge_sentence(trial: DiceTrial, program: CheckedProgram, number: signal.Signals) -> None:
    """Blame a bot that has not written the document's sentence to stderr."""
    written = program.stderr.text
    if TERMINATING in written:
        return
    blame = partial(trial.blame, expected=(TERMINATING,), signal=number.name, sentence=TERMINATING)
    lines = [line for line in written.split("\n") if line.strip()]
    if TERMINATING in program.stdout.text:
        blame("wrong-output", hint="stdout")
    elif lines:
        line = max(lines, key=_likeness)
        trial.note(line)
        blame("other-sentence", position=_likeness(line), got=line)
    else:
        blame("no-sentence")


def _likeness(line: str) -> int:
    """How many characters are those of the sentence."""
    pairs = zip(line, TERMINATING, strict=False)
    alike = min(len(line), len(TERMINATING))
    return next((at for at, (a, b) in enumerate(pairs) if a != b), alike)


_SIGNALS: Final = {"int": signal.SIGINT, "quit": signal.SIGQUIT, "term": signal.SIGTERM}
_IN_STATES: Final = ("connected", "half-greeted", "named", "watching", "decided", "parted")

SCRIPTS: Final[dict[str, Script]] = {
    **{
        f"err/{state}": partial(_error, state=state)
        for state in ("connected", "named", "watching", "decided", "saved", "parted")
    },
    "err/status": _error_status,
    **{
        f"lost/closed-{state}": partial(_closed, state=state)
        for state in ("connected", "half-greeted", "named", "decided", "parted")
    },
    **{
        f"lost/reset-{state}": partial(_reset, state=state)
        for state in ("named", "decided", "parted")
    },
    **{
        f"signal/{name}-{state}": partial(_signalled, number=number, state=state)
        for state in _IN_STATES
        for name, number in _SIGNALS.items()
    },
    **{
        f"signal/status-{state}": partial(_status, number=number, state=state)
        for state, number in zip(_IN_STATES, 2 * [*_SIGNALS.values()], strict=True)
    },
}
