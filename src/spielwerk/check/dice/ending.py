"""Cases about ends before the end (ERR, a lost server, signals), and about the command line."""

from __future__ import annotations

import asyncio
import shlex
import signal
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import psutil

from spielwerk.check.dice.trial import script
from spielwerk.check.started import ENDING, SETTLED, the_program
from spielwerk.check.visible import alike
from spielwerk.contests import commands
from spielwerk.contests.programs.processes import told_by_shell
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from spielwerk.check.dice.trial import DiceTrial
    from spielwerk.check.program import CheckedProgram

TERMINATING: Final = "Received termination request - terminating..."
PORT: Final = 9001
ERROR: Final = "ERR The game is broken off, not your fault: dice3 answered too late."


@script
async def _half_greeted(trial: DiceTrial) -> None:
    await trial.connect()
    trial.connection.send(b"HELO This is")


# ERR


@script
async def _error(trial: DiceTrial, text: str = ERROR) -> None:
    trial.connection.send(f"{text}\n".encode())
    trial.connection.close()
    await trial.ends("error")


@script
async def _err_status(trial: DiceTrial) -> None:
    await trial.take("watching")
    await _error(trial)
    if trial.program and trial.program.code == 0:
        trial.blame("exit-zero")


# signals


@script
async def _signal(trial: DiceTrial, name: str, at: str) -> None:
    """The sentence, and an end of its own; which exit status it has, the document leaves open."""
    _judge_sentence(trial, await _stopped(trial, signal.Signals[name], at), name)
    if not await trial.hung_up(1.0):
        trial.blame("connection-kept", signal=name)


@script
async def _signal_status(trial: DiceTrial, name: str, at: str) -> None:
    program = await _stopped(trial, signal.Signals[name], at)
    if program.code:
        trial.blame("signal-status", signal=name, status=program.code)


async def _stopped(trial: DiceTrial, number: signal.Signals, at: str) -> CheckedProgram:
    """The program after it was sent a signal in this state; it has ended by itself."""
    if not trial.settings.command:
        trial.skip("needs-command")
    await trial.take(at)
    program = the_program(trial)
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
    code = told_by_shell(program.code or 0) if by_script else program.code or 0
    if code == -number:
        trial.fail("killed-by-signal", signal=number.name, hint="no-handler", timed=True)
    if code < 0:
        trial.fail("crashed", signal=signal.Signals(-code).name)
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


def _judge_sentence(trial: DiceTrial, program: CheckedProgram, name: str) -> None:
    """Blame a bot that has not written the document's sentence to stderr."""
    written = program.stderr.text
    if TERMINATING in written:
        return
    blame = partial(trial.blame, expected=(TERMINATING,), signal=name, sentence=TERMINATING)
    lines = [line for line in written.split("\n") if line.strip()]
    if TERMINATING in program.stdout.text:
        blame("wrong-output", hint="stdout")
    elif lines:
        right, line = max((alike(line, TERMINATING), line) for line in lines)
        trial.note(line)
        blame("other-sentence", position=right, got=line)
    else:
        blame("no-sentence")


# command lines


def _changed(trial: DiceTrial, words: str, port: int | None = None) -> None:
    """Start the bot with these words behind its name; skip it if that cannot be done.

    The command has to be written as the document has it.
    """
    typed = trial.settings.command
    typed = tuple(commands.split(typed[0])) if len(typed) == 1 else typed
    options = [" ".join(typed[at : at + 5]) for at in range(len(typed))]
    usual = ("-n {name} -p {port} {host}", "-p {port} -n {name} {host}")
    place = next((at for at, text in enumerate(options) if text in usual), 0)
    if not place:
        trial.skip("needs-options")
    command = (*typed[:place], *words.split(), *typed[place + 5 :])
    command = command if len(command) > 1 else (shlex.quote(command[0]),)
    port = trial.settings.port if port is None else port
    trial.settings = replace(trial.settings, command=command, port=port)


@script
async def _called(trial: DiceTrial, words: str, **places: str) -> None:
    """The bot plays when it is called so."""
    _changed(trial, words)
    await trial.connect(places=places)
    await trial.greet()
    await trial.finish()


@script
async def _call_default_port(trial: DiceTrial) -> None:
    _changed(trial, "-n {name} {host}", PORT)
    try:
        await trial.connect()
    except UsageError:
        trial.skip("port-taken", port=PORT)
    await trial.greet()
    await trial.finish()


@script
async def _miscalled(trial: DiceTrial, words: str, **places: str) -> None:
    """The bot has to end; that it complains is good advice."""
    _changed(trial, words)
    trial.start({"port": str(await trial.listen()), "name": trial.name, **places})
    await _complains(trial)


@script
async def _call_no_server(trial: DiceTrial) -> None:
    _changed(trial, "-n {name} -p {port} {host}")
    with trial.deaf_port() as port:
        trial.start({"port": str(port), "name": trial.name})
        await _complains(trial)


async def _complains(trial: DiceTrial) -> None:
    program = the_program(trial)
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
    trial.complains()
