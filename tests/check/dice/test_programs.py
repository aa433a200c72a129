"""What only a process shows: signals, exit codes and command lines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spielwerk.check.dice import CHECK
from tests.check.planting import checked, told

BOT = Path(__file__).with_name("program.py")
PYTHON = (sys.executable, "-ISE")
OPTIONS = ("-n", "{name}", "-p", "{port}", "{host}")
OWN = (sys.executable, "-m", "spielwerk.clients.dice", *OPTIONS)


@pytest.mark.parametrize(
    ("how", "case", "kind", "problem"),
    [
        ("no-quit", "signal/quit-named", "killed-by-signal", "SIGQUIT killed the bot"),
        ("stdout", "signal/int-watching", "wrong-output", "is on stdout, not on stderr"),
        ("misspelt", "signal/term-decided", "other-sentence", "request - terminating (it should"),
        ("silent", "signal/term-parted", "no-sentence", "nothing is on stderr after SIGTERM"),
        ("status", "signal/status-connected", "signal-status", "status after SIGINT is 1"),
        ("deaf", "signal/quit-half-greeted", "signal-ignored", "still ran 5 s after SIGQUIT"),
        ("stays", "err/watching", "did-not-end", "after ERR and the end of the connection"),
        ("hangs", "lost/closed-named", "did-not-end", "still ran 5 s after the connection"),
        ("crashes", "call/no-host", "crashed", "SIGSEGV"),
        ("numeric", "call/host-name", "ended-before-connecting", "without connecting"),
    ],
)
def test_a_fault_is_found_and_named(how: str, case: str, kind: str, problem: str) -> None:
    verdict = checked(CHECK, [*PYTHON, str(BOT), how, *OPTIONS], [case])[case]
    kinds = {fault.kind: fault.problem for fault in verdict.faults if not fault.advice}
    assert list(kinds) == [kind]
    assert problem in kinds[kind]


def test_the_first_wrong_character_of_the_sentence_is_marked() -> None:
    case = "signal/term-named"
    verdict = checked(CHECK, [*PYTHON, str(BOT), "misspelt", *OPTIONS], [case])[case]
    (fault,) = verdict.faults
    assert fault.entry is not None
    line = verdict.transcript[fault.entry].data
    assert line == b"Received termination request - terminating"
    assert fault.position == len(line)


def test_a_good_program_passes() -> None:
    chosen = ["call", "signal/*-named", "signal/int-*", "err", "lost/*-decided"]
    judged = checked(CHECK, [*PYTHON, str(BOT), "well", *OPTIONS], chosen)
    assert told(judged) == []
    advised = {name: verdict.faults[0].kind for name, verdict in judged.items() if verdict.faults}
    assert advised == {"err/status": "exit-zero"}


@pytest.mark.parametrize("how", ["three", "noisy", "prefixed"])
def test_an_odd_program_passes(how: str) -> None:
    chosen = ["score/won-by-bot", "signal/term-decided", "game/status"]
    judged = checked(CHECK, [*PYTHON, str(BOT), how, *OPTIONS], chosen)
    assert told(judged) == []
    assert judged["game/status"].advised == (how == "three")


def test_a_script_may_start_the_bot(tmp_path: Path) -> None:
    script = tmp_path / "dicebot"
    script.write_text(f'#!/bin/sh\n{sys.executable} -ISE {BOT} well "$@"\nexit $?\n')
    script.chmod(0o755)
    chosen = ["signal/*-named", "call/no-host", "score/won-at-once"]
    assert told(checked(CHECK, [str(script), *OPTIONS], chosen)) == []


def test_a_name_that_is_not_asked_for_is_not_judged() -> None:
    command = [*PYTHON, str(BOT), "well", "-n", "myself", *OPTIONS[2:]]
    judged = checked(CHECK, command, ["auth/name", "call/no-name"])
    assert told(judged) == []
    left_out = judged["call/no-name"].transcript[-1].data
    assert left_out.startswith(b"left out: this needs a command with -n {name}")


def test_our_own_bot_passes() -> None:
    assert (
        told(checked(CHECK, OWN, ["auth/name", "signal/*-watching", "game/whole-*", "call"])) == []
    )


@pytest.mark.slow
def test_our_own_bot_passes_everything() -> None:
    assert told(checked(CHECK, OWN)) == []
