"""Players that fail on purpose: each fault in each game ends as it should, and harms no others.

The programs are those of `tests/players`, where the faults are. They fail at their second move, if
at a move at all; who is slow is slow at its first, and who goes into the background goes there.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import psutil
import pytest

from spielwerk.contests.contest import AssignedPlayer, Assignment, Played, Resources
from spielwerk.contests.playing.game import NO_BYE
from spielwerk.contests.playing.referee import play
from spielwerk.contests.programs import sandbox
from spielwerk.net.connection import Direction
from spielwerk.store.records import Kind, Reason, SeatReport
from tests.contests.running import handles
from tests.contests.sentences import left_english
from tests.contests.stage import (
    BY_RULE,
    COMMANDS,
    HOSTING,
    PLAYERS,
    assigned,
    engine,
    program,
    said,
    venue,
)
from tests.waiting import PATIENCE

LIMITS = Resources(memory=150_000_000, processes=20, output=200_000, files=1_000_000)


# the games


@dataclass(frozen=True, slots=True)
class Course:
    """A game, how its programs are started, and where the one sits that fails."""

    game: str
    command: str
    seat: int = 0
    options: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()  # of the entrant
    others: int = 1

    def program(self, name: str, arguments: str = "") -> AssignedPlayer:
        return program(self.command, arguments, name, options=self.wishes)

    def with_program(self, one: AssignedPlayer) -> tuple[AssignedPlayer, ...]:
        """All players; of the two others in a race of dice one is a program as well."""
        others = [engine(), self.program("Gut")][: self.others]
        return (*others[: self.seat], one, *others[self.seat :])


UNNAMED = "connect4.py --index {index_host}:{index_port} --name {name} --version V1"
COURSES = {
    "quarto": Course("quarto", COMMANDS["quarto"], 1),
    "morris": Course("morris", COMMANDS["morris"]),
    "dice": Course("dice", COMMANDS["dice"], 1, ("target=60",), others=2),
    "oware": Course("oware", COMMANDS["oware"]),
    "connect4": Course("connect4", COMMANDS["connect4"], 1),
    "solid": Course("connect4", UNNAMED, 0, ("width=4", "height=4", "depth=4")),
    "hosting": Course("connect4", HOSTING, 1, (), ("role=host",)),
}


# what must come of it


@dataclass(frozen=True, slots=True)
class Expected:
    """How the game ends for the one who fails; None is by the rules, and no fault."""

    end: Reason | None
    detail: str = ""  # expressions that are searched for
    status: str = r"stopped|exit 0"
    output: str = ""
    heard: bytes = b""  # in the transcript
    moves: int | None = None


NO_START, STALL, TIME_OUT = Reason.NO_START, Reason.STALLED, Reason.TIME_OUT
CRASH, PROTOCOL_ERROR = Reason.CONNECTION_LOST, Reason.PROTOCOL_ERROR
FINE = Expected(None, status="exit 0")
TRACEBACK = r"Traceback(.|\n)*IndexError: list index out of range"
TOO_LATE = "TIMEOUT Be faster|answered too late|no move within|did not (answer|come) within"
UNREADABLE = "Protocol mismatch|wrong message|status is ['\"]ÿ|is no UTF-8"

EXPECTED = {
    "none": FINE,
    "crash-at-start": Expected(NO_START, "exited at startup: exit 1", "exit 1", TRACEBACK),
    "never-connects": Expected(NO_START, "not take its seat within 0.5 s", "stopped"),
    "connects-and-says-nothing": Expected(NO_START, "not take its seat within 1.5 s", "stopped"),
    "connects-and-leaves": Expected(NO_START, "exited at startup: exit 0", "exit 0"),
    "connects-and-crashes": Expected(NO_START, "exited at startup: exit 1", "exit 1", TRACEBACK),
    "garbage-at-start": Expected(PROTOCOL_ERROR, UNREADABLE, heard=b"\xff", moves=0),
    "crash-on-wait": Expected(CRASH, "^exit 1 before the end", "exit 1", TRACEBACK),
    "crash-on-move": Expected(CRASH, "^exit 1 before the end", "exit 1", TRACEBACK, moves=1),
    "segfault": Expected(CRASH, "^killed by SIGSEGV before", "killed by SIGSEGV", moves=1),
    "abort": Expected(CRASH, "^killed by SIGABRT before", "killed by SIGABRT", moves=1),
    "leave": Expected(CRASH, "^exit 0 before the end", "exit 0", moves=1),
    "stall": Expected(TIME_OUT, TOO_LATE, "stopped", moves=1),
    "stubborn": Expected(TIME_OUT, TOO_LATE, "stopped", moves=1),
    "late": Expected(TIME_OUT, TOO_LATE, "stopped|exit [01]", moves=1),
    "garbage": Expected(PROTOCOL_ERROR, UNREADABLE, heard=b"\xff", moves=1),
    "flood": Expected(
        PROTOCOL_ERROR, "Protocol mismatch|too long|longer than|at most", heard=b"xx", moves=1
    ),
    "flood-of-lines": Expected(
        PROTOCOL_ERROR, "Protocol mismatch|far too much|'x'|wrong message", heard=b"x\nx", moves=1
    ),
    "output-flood": Expected(
        CRASH, "wrote more than 200,000 bytes", "stopped: wrote", r"again and again \.", moves=1
    ),
    "disconnect": Expected(CRASH, "closed|lost the connection", "stopped", moves=1),
    "leaves-child": Expected(CRASH, "^exit 0 before the end", "exit 0", moves=1),
    "leaves-daemon": Expected(CRASH, "^exit 0 before the end", "exit 0", moves=1),
    # A program has ended when its first process has, whatever plays on.
    "background-at-start": Expected(NO_START, "exited at startup: exit 0", "exit 0"),
    "background-connected": Expected(NO_START, "exited at startup: exit 0", "exit 0"),
    "background": Expected(CRASH, "^exit 0 before the end", "exit 0"),
    "memory": Expected(
        CRASH, r"used \d+ MB of memory, more than the 150 MB allowed", "stopped: used", moves=1
    ),
    "fork": Expected(CRASH, "had more than 20 processes", "stopped: had", moves=1),
    "burn": Expected(
        CRASH, r"used .* of CPU time, more than the 0.3 s allowed", "stopped: used", moves=1
    ),
    "big-file": Expected(CRASH, "more than 1,000,000 bytes into a file", "stopped: wrote", moves=1),
    "slow": FINE,
    "illegal-move": Expected(Reason.ILLEGAL_MOVE, status="stopped|exit [01]", moves=1),
    "wrong-bye": FINE,
    "leave-at-end": FINE,
    "no-okwait": Expected(STALL, "No OKWAIT within 5 s", "stopped", heard=b"PLAYER"),
    "no-thinking": Expected(STALL, "No THINKING within 1 s", "stopped", moves=0),
    "no-bye": Expected(
        PROTOCOL_ERROR,
        f"^{NO_BYE}: answered too late: BYE was due within 0.5 s$",
        "stopped",
        heard=b"ROLL",
    ),
}

PROTOCOLS = ("quarto", "dice", "oware", "connect4", "hosting")
CLIENTS = ("quarto", "dice", "connect4", "hosting")  # who connect, or are joined once
ONE = ("dice",)  # what has nothing to do with the protocol
ONLY_WHERE = {
    "none": tuple(COURSES),
    "illegal-move": tuple(COURSES),
    "crash-at-start": ("dice", "oware", "hosting"),
    "crash-on-wait": ("quarto", "dice", "connect4"),
    "garbage-at-start": CLIENTS,
    "leave-at-end": CLIENTS,
    # A server has come as soon as it listens, and a host when it is joined: both may be before or
    # after the end of it.
    "background-connected": ("quarto", "dice", "connect4"),
    "background-at-start": ("dice", "oware"),
    "slow": CLIENTS,
    "wrong-bye": ("dice", "oware"),
    "no-okwait": ("quarto",),
    "no-thinking": ("quarto",),
    **dict.fromkeys(("segfault", "abort", "leave", "stubborn", "no-bye", "leaves-child"), ONE),
    **dict.fromkeys(("leaves-daemon", "memory", "fork", "burn", "big-file", "output-flood"), ONE),
}

OTHERWISE = {
    # Every answer of a bot is due in a certain time, also the first one.
    ("dice", "connects-and-says-nothing"): Expected(STALL, "answered too late", "stopped"),
    # There are two words to choose from, and all others are wrong.
    ("dice", "illegal-move"): Expected(
        PROTOCOL_ERROR,
        "sent a wrong message: expected ROLL or SAVE, got 'PASS'",
        "stopped|exit 1",
        heard=b"PASS",
        moves=1,
    ),
    ("dice", "wrong-bye"): Expected(
        PROTOCOL_ERROR,
        r"gave wrong points in BYE: '1 2 3' instead of '\d+ \d+ \d+'",
        "stopped|exit 1",
        heard=b"BYE 1 2 3",
    ),
    ("dice", "leave-at-end"): Expected(PROTOCOL_ERROR, "^sent no BYE .*: exit 0$", "exit 0"),
    # Who listens has come; that it does not listen well shows when it is asked.
    ("oware", "connects-and-says-nothing"): Expected(TIME_OUT, TOO_LATE, "stopped", moves=0),
    # Servers serve until they are stopped.
    ("oware", "none"): Expected(None, status="stopped"),
    ("oware", "wrong-bye"): Expected(None, status="stopped", heard=b"\xff"),
}

REASONS = {
    "quarto": "The stone being placed cannot be handed on",
    "morris": "All stones must be placed before one may move",
    "oware": "'6' is not one of",
    "connect4": "field 42: Fields are numbered 0 to 41",
    "solid": "field 64: Fields are numbered 0 to 63",
    "hosting": "already occupied",
}
"""Which rule is broken by the illegal moves."""

WAITED_OUT = ("stall", "late", "disconnect", "never-connects", "connects-and-says-nothing")
"""Where time passes and nothing else happens, so that it can be the same time for all games."""

CELLS = [
    (course, fault)
    for fault in EXPECTED
    for course in COURSES
    if course in ONLY_WHERE.get(fault, PROTOCOLS)
]


def terms_for(fault: str) -> dict[str, Any]:
    """Little time where it is waited for, much where a loaded machine must not decide."""
    start = {"never-connects": 0.5, "connects-and-says-nothing": 1.5}.get(fault, 10.0)
    measured = fault in ("memory", "fork", "burn", "big-file", "output-flood", "no-thinking")
    move_time = {"slow": 1000, "connects-and-says-nothing": 300}.get(fault, 500)
    return {
        "move_time": 3000 if measured else move_time,
        "start": start,
        "resources": replace(LIMITS, cpu=0.3) if fault == "burn" else LIMITS,
    }


def assignment_of(course: Course, fault: str, number: int = 1) -> Assignment:
    terms = terms_for(fault)
    move = 1 if fault in ("slow", "background") else 2
    wish = f"--fault {fault} --fault-at {move} --move-time {terms['move_time']}"
    seats = course.with_program(course.program("Pech", "" if fault == "none" else wish))
    return assigned(course.game, *seats, number=number, options=course.options, **terms)


def played(*assignments: Assignment) -> list[Played]:
    """The games, all at the same time at one venue."""

    async def playing() -> list[Played]:
        async with venue(len(assignments)) as place, asyncio.timeout(PATIENCE):
            games = (play(assignment, lambda _: None, place) for assignment in assignments)
            return await asyncio.gather(*games)

    return asyncio.run(playing())


pytestmark = pytest.mark.usefixtures("adopting")


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Programs run in folders that are made here; they are gone, and so is all else."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = handles()
    yield
    assert [psutil.Process(pid).cmdline() for pid in inhabitants(tmp_path)] == []
    assert list(tmp_path.iterdir()) == []
    assert handles() == before


def inhabitants(folder: Path) -> list[int]:
    """The processes whose working folder is there, or was."""
    return [pid for pid in psutil.pids() if working_folder(pid).startswith(str(folder))]


def working_folder(pid: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/cwd").readlink())
    except OSError:
        return ""


# the tests


@pytest.mark.parametrize(("course", "fault"), CELLS, ids=[f"{c}-{f}" for c, f in CELLS])
def test_every_fault_in_every_game_ends_as_it_should(course: str, fault: str) -> None:
    expected = OTHERWISE.get((course, fault), EXPECTED[fault])
    seat = COURSES[course].seat
    game = game_of(course, fault)
    assert_outcome(game, seat, expected)
    assert_report(game.reports[seat], expected)
    if fault == "slow" and course != "hosting":  # a host that begins is not asked for its move
        assert game.reports[seat].took >= 900
    if fault == "illegal-move" and course in REASONS:
        assert REASONS[course] in game.ending.detail
    if course == "dice":  # of what was wrong the others hear nothing
        assert b"expected" not in said(game, 2, Direction.SENT)
    heard = said(game, seat)
    assert expected.heard in heard
    assert heard or not game.reports[seat].moves


def game_of(course: str, fault: str) -> Played:
    if fault in WAITED_OUT:
        return games_of(fault)[course]
    (game,) = played(assignment_of(COURSES[course], fault))
    return game


@cache
def games_of(fault: str) -> dict[str, Played]:
    """The fault in all games at the same time."""
    games = played(*(assignment_of(COURSES[course], fault) for course in PROTOCOLS))
    return dict(zip(PROTOCOLS, games, strict=True))


def assert_outcome(game: Played, seat: int, expected: Expected) -> None:
    """The right one is to blame, and of two players the other one has won."""
    outcome, two = game.ending, len(game.reports) == 2
    assert game.record is not None
    assert game.record.result is not None
    if expected.end is None:
        assert outcome.reason in BY_RULE, outcome
        assert outcome.culprits == ()
    else:
        assert (outcome.reason, outcome.culprits) == (expected.end, (seat,)), outcome
        assert outcome.winner == (1 - seat if two else None)
        assert game.record.result.culprit == seat
    assert (game.record.result.winner, game.record.result.detail) == (
        outcome.winner,
        outcome.detail,
    )
    assert re.search(expected.detail, outcome.detail), outcome.detail
    assert not left_english(outcome.detail)


def assert_report(report: SeatReport, expected: Expected) -> None:
    """Its author can see what it did at last."""
    assert re.match(rf"({expected.status})", report.status), report
    assert not left_english(report.status)
    assert re.search(expected.output, report.output), report
    assert report.cpu is not None
    if expected.moves is not None:
        assert report.moves == expected.moves


def test_what_cannot_be_started_has_not_come() -> None:
    one = COURSES["dice"]
    missing = AssignedPlayer("Pech", Kind.COMMAND, "./nowhere", str(PLAYERS))
    (game,) = played(replace(assignment_of(one, "none"), seats=one.with_program(missing)))
    assert_outcome(game, one.seat, Expected(NO_START, "there is no such file"))


@pytest.mark.parametrize("course", ["dice", "hosting"])
def test_if_all_fail_none_has_won(course: str) -> None:
    one = COURSES[course]
    crashing = one.program("Pech", "--fault crash-at-start")
    assignment = assignment_of(one, "none")
    everybody = tuple(crashing for _ in assignment.seats)
    (game,) = played(replace(assignment, seats=everybody))
    assert game.ending.reason is NO_START
    assert game.ending.culprits == tuple(range(len(everybody)))
    assert game.ending.winner is None
    assert all("IndexError" in report.output for report in game.reports)


SYSTEM = Path("/usr/bin/python3")  # in a sandbox there is nothing but the system
SANDBOXED = {
    "quarto": ("none", "stall"),
    "dice": ("none", "crash-on-move", "segfault", "leaves-daemon", "memory", "fork", "burn"),
    "oware": ("none", "crash-at-start", "crash-on-move"),
    "connect4": ("none", "crash-on-move"),
    "hosting": ("none", "never-connects"),
}


@pytest.mark.parametrize(
    ("course", "fault"), [(course, fault) for course in SANDBOXED for fault in SANDBOXED[course]]
)
def test_it_is_the_same_in_a_sandbox(course: str, fault: str) -> None:
    if problem := sandbox.available() or ("" if SYSTEM.exists() else f"no {SYSTEM}"):
        pytest.skip(problem)
    one, assignment = COURSES[course], assignment_of(COURSES[course], fault)
    inside = [
        replace(seat, text=seat.text.replace(sys.executable, str(SYSTEM)), folder=str(PLAYERS))
        if seat.kind is Kind.COMMAND
        else seat
        for seat in assignment.seats
    ]
    terms = replace(assignment.terms, sandbox=True)
    (game,) = played(replace(assignment, seats=tuple(inside), terms=terms))
    expected = OTHERWISE.get((course, fault), EXPECTED[fault])
    assert_outcome(game, one.seat, expected)
    assert_report(game.reports[one.seat], expected)


NEIGHBOURS = ("stall", "fork", "memory", "segfault")


def test_a_good_game_is_not_disturbed_by_those_that_fail_beside_it() -> None:
    course = COURSES["dice"]
    bad = [assignment_of(course, fault, n) for n, fault in enumerate(NEIGHBOURS, 2)]
    alone, *_ = played(assignment_of(course, "none", 1))
    good, *failed = played(assignment_of(course, "none", 1), *bad)
    assert_outcome(good, 1, FINE)
    assert decisions(good) == decisions(alone)
    for game, fault in zip(failed, NEIGHBOURS, strict=True):
        assert_outcome(game, 1, EXPECTED[fault])


def decisions(game: Played) -> list[tuple[int, str]]:
    """All that was decided; nothing in a race of dice is left to chance but by its seed."""
    assert game.record is not None
    return [(move.seat, move.move) for move in game.record.moves]
