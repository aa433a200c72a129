"""Clients as real programs: how they end, and what they say then."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spielwerk.check import started
from spielwerk.check.case import CaseFault
from spielwerk.check.mnm import CHECK
from spielwerk.check.trial import Experience
from tests.check.planting import checked

CLIENT = """
import os, signal, socket, sys, time

port, game = int(sys.argv[1]), sys.argv[2]

def lost():
    sys.exit("the connection is lost")

def refused(line):
    sys.exit("the server says " + line)

def other(kind):
    sys.exit("this is no game for me: " + kind)

{changed}

def heard():
    try:
        line = stream.readline()
    except OSError:
        line = ""
    if not line:
        lost()
    if line[0] == "-":
        refused(line)
    return line[2:].rstrip()

def say(text):
    connection.sendall((text + "\\n").encode())

connection = socket.create_connection(("127.0.0.1", port))
stream = connection.makefile(encoding="utf-8")
heard()
say("VERSION 1.0")
heard()
say("ID " + game)
kind = heard()
if kind != "PLAYING Quarto":
    other(kind)
heard()
say("PLAYER")
while heard() != "ENDPLAYERS":
    pass
while True:
    text = heard()
    if text == "WAIT":
        say("OKWAIT")
    elif text == "QUIT":
        break
    elif text == "ENDFIELD" and moving:
        say("THINKING")
    elif text == "OKTHINK":
        say("PLAY " + square + "," + str((stone + 1) % 16))
    elif text.startswith("NEXT"):
        stone = int(text[5:])
    elif text[:1].isdigit():
        row, *stones = text.split()
        free = [n for n, one in enumerate(stones) if one == "*"]
        square = "ABCD"[free[0]] + row
    elif text.startswith("MOVE") and text != "MOVEOK":
        moving = True
    elif text.startswith("GAMEOVER"):
        moving = False
"""

SILENT = "def refused(line): sys.exit(1)"
CHEERFUL = "def refused(line): sys.exit(0)"
SPEECHLESS = "def other(kind): sys.exit(1)"
SIGNALLED = "def lost(): os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)"
CRASHES = "def lost(): os.kill(os.getpid(), signal.SIGSEGV); time.sleep(9)"
SPINS = """
def lost():
    while True:
        pass
"""
RETRIES = """
def say(text): ...
while True:
    try:
        socket.create_connection(("127.0.0.1", port))
        break
    except OSError:
        time.sleep(0.1)
"""


def faults(folder: Path, case: str, changed: str = "", used_up: str = "") -> tuple[CaseFault, ...]:
    """What is said of a client with this change; `used_up` is a moment without much patience."""
    (folder / "client.py").write_text(CLIENT.replace("{changed}", changed))
    experience = Experience()
    for _ in range(2):
        experience.note(used_up, happened=False)
    command = (sys.executable, "client.py", "{port}", "{game}")
    return checked(CHECK, command, [case], folder=folder, experience=experience)[case].faults


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started, "BRIEF", 1.5)


@pytest.mark.parametrize(
    "case",
    [
        "prolog/first-seat",
        "prolog/other-game",
        "refusal/no-game",
        "close/waiting",
        "reset/waiting",
        "lost/no-server",
    ],
)
def test_a_good_program_gets_no_advice(tmp_path: Path, case: str) -> None:
    assert faults(tmp_path, case) == ()


@pytest.mark.parametrize(
    ("changed", "case", "kind", "advice"),
    [
        (SILENT, "refusal/no-game", "said-nothing", True),
        (CHEERFUL, "refusal/no-seat", "exit-zero", True),
        (SPEECHLESS, "prolog/other-game", "no-message", False),
        (SIGNALLED, "close/waiting", "ended-by-signal", True),
        (CRASHES, "close/waiting", "crashed", False),
    ],
)
def test_how_a_program_ends(
    tmp_path: Path, changed: str, case: str, kind: str, advice: bool
) -> None:
    found = faults(tmp_path, case, changed)
    assert (kind, advice) in [(fault.kind, fault.advice) for fault in found]


def test_a_program_that_spins_when_the_connection_is_lost(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "close/waiting", SPINS, "connection-closed")
    assert fault.kind == "did-not-end"
    assert not fault.advice
    assert fault.hint == "" or "a recv that returns 0" in fault.hint


def test_a_program_that_waits_for_a_server(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, "lost/no-server", RETRIES, "no-server")
    assert (fault.kind, fault.advice) == ("did-not-end", True)
