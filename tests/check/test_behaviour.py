"""Programs as processes: what they use and leave is seen, and no other program's is theirs."""

# ruff: noqa: S108 (there programs leave things)

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spielwerk.check import behaviour
from spielwerk.check.case import CaseVerdict
from spielwerk.check.catalogue import catalogue
from spielwerk.check.mnm import CHECK
from spielwerk.contests.programs.processes import adopt_orphans
from tests.check.planting import checked, small_player, told


@pytest.fixture(autouse=True)
def parents(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Orphans of programs come to us, as they come to the command; all is looked at briefly."""
    brief = {"MOVES": 60, "ENOUGH": 40, "TOGETHER": 60.0, "WATCHED": 0.5, "ENDING": 1.5}
    for name, value in brief.items():
        monkeypatch.setattr(behaviour, name, value)
    adopt_orphans()
    yield
    adopt_orphans(False)


def looked_at(habits: str, pattern: str) -> list[CaseVerdict]:
    """What cases say about the small player with these habits."""
    return [*checked(CHECK, small_player(habits), [f"behaviour/{pattern}"], patience=60.0).values()]


OURS = {
    "mnm": "{bin}/spielwerk client -g {{game}} -p {{player}} -H {{host}} -P {{port}} -e random",
    "dice": "{bin}/dicebot -n {{name}} -p {{port}} {{host}}",
    "connect4-join": "{bin}/spielwerk connect4 join --index {{index_host}}:{{index_port}} "
    "'{{game}}' --player random --delay 0 --no-store",
    "connect4-host": "{bin}/spielwerk connect4 host --index {{index_host}}:{{index_port}} "
    "--port {{port}} --name '{{game}}' --player random --delay 0 --no-store",
}


@pytest.mark.parametrize("name", OURS)
def test_our_own_programs_behave(name: str) -> None:
    command = OURS[name].format(bin=Path(sys.executable).parent)
    judged = checked(catalogue()[name], (command,), ["behaviour/processes"], patience=60.0)
    assert len(judged) == 1
    assert told(judged, advice=True) == []


def kinds(verdicts: list[CaseVerdict]) -> dict[str, list[str]]:
    """What was wrong by case; advice has a question mark."""
    return {
        verdict.case.name.removeprefix("behaviour/"): [
            fault.kind + "?" * fault.advice for fault in verdict.faults
        ]
        for verdict in verdicts
        if verdict.faults
    }


@pytest.mark.parametrize(
    ("habits", "case", "kind", "words"),
    [
        ("stays", "ends", "did-not-end", "the end of the game"),
        ("child-left", "processes", "process-left", "(python"),
        ("daemon-left", "processes", "process-left", "(python"),
        ("segment,leaves", "shared-memory", "shm-left", "ipcrm -m "),
        ("object,leaves", "shared-memory", "shm-left", "/dev/shm/spielwerk-test"),
        ("segment,forgets-when-lost", "connection-lost", "shm-left", "(key 0x00000000)"),
        ("semaphore", "semaphores", "sem-left?", "semid "),
        ("named-semaphore,leaves", "semaphores", "sem-left?", "/dev/shm/sem.spielwerk-test"),
        ("queue", "semaphores", "msg-left?", "msqid "),
        ("file", "files", "file-left?", "moves.tmp"),
        ("machine-file", "files", "file-left?", "/tmp/spielwerk-test-"),
        ("ignores-interrupt", "interrupted", "ignores-interrupt?", "SIGINT"),
        ("zombie", "zombies", "zombie?", "has not waited"),
        ("spins", "idle", "busy?", "its own code"),
        ("asks-again", "idle", "busy?", "system calls"),
        ("leaks", "memory", "grows?", "kB a move"),
        ("two,keeps-ends", "child-killed", "outlives?", "still ran"),
        ("two,keeps-ends", "parent-killed", "outlives?", "still ran"),
    ],
)
def test_a_planted_fault_is_found(habits: str, case: str, kind: str, words: str) -> None:
    verdicts = looked_at(habits, case)
    assert kinds(verdicts) == {case: [kind]}
    assert words in f"{verdicts[0].faults[0].problem} {verdicts[0].faults[0].hint}"
    _clear_away()


def _clear_away() -> None:
    for path in Path("/tmp").glob("spielwerk-test-*"):
        path.unlink()


@pytest.mark.parametrize(
    ("habits", "cases"),
    [
        ("two,segment,object,named-semaphore", "*"),
        ("two,lingers,removed-segment", "processes"),
        ("two,keyed-segment", "[cips]*"),
        ("late,daemon", "[efp]*"),
    ],
)
def test_nothing_is_wrong_with_a_program_that_cleans_up(habits: str, cases: str) -> None:
    assert kinds(looked_at(habits, cases)) == {}


def test_what_was_left_is_cleared_away_and_what_was_there_before_is_not() -> None:
    mine = Path(f"/dev/shm/spielwerk-mine-{os.getpid()}")
    mine.write_text("mine")
    before = {*Path("/dev/shm").iterdir()}
    looked_at("object,segment,leaves", "shared-memory")
    assert mine in before & {*Path("/dev/shm").iterdir()}
    assert not [*Path("/dev/shm").glob("spielwerk-test-*")]
    mine.unlink()


@pytest.mark.parametrize(
    ("running", "queued", "burns"),
    [
        (0.95, 0.0, True),  # a loop on a processor of its own
        (0.05, 0.93, True),  # the same where twenty compete for it
        (0.3, 0.0, False),  # preparations
        (0.015, 0.9, False),  # a short look a hundred times a second, on a busy machine
        (0.0, 0.0, False),
    ],
)
def test_a_loop_is_told_from_a_look_now_and_then(
    running: float, queued: float, burns: bool
) -> None:
    assert behaviour.Used(2 * running, 2 * queued, 0.0).burns(2.0) is burns


@pytest.mark.parametrize(
    ("sizes", "grows"),
    [
        ([30 + move / 5 for move in range(200)], True),
        ([30.0] * 200, False),
        ([30.0 if move < 120 else 60.0 for move in range(200)], False),  # a table that is made
        ([30 + min(move, 60) / 5 for move in range(200)], False),  # a cache that is full
        ([300 + move / 10 for move in range(200)], False),  # little, for its size
    ],
)
def test_only_a_steady_growth_is_told(sizes: list[float], grows: bool) -> None:
    assert behaviour.is_steady([round(1e6 * size) for size in sizes], 0) is grows
