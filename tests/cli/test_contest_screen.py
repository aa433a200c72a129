"""What whoever runs a contest sees of it: a table on a terminal, else a line now and then."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import subprocess
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from spielwerk.cli import contest_screen
from spielwerk.cli.contest_screen import ContestScreen, ranked
from spielwerk.contests.contest import ContestError
from spielwerk.contests.ranking import Note, Ranking
from spielwerk.store.problems import StoreError
from spielwerk.store.scheduling import NotWritten
from tests.cli.contests import A_CONTEST, RANDOM, ContestFolder, description
from tests.cli.test_cli import SPIELWERK
from tests.contests.contests import a_contest, in_loop
from tests.contests.test_run import World


class Place:
    """As much of a server as the screen looks at."""

    def listing(self) -> list[str]:
        return ["web http://127.0.0.1:8000/"]

    def confidences(self) -> list[str]:
        return ["operator token secret"]


def no_ranking() -> Ranking:
    raise AssertionError("it is not asked for before the end")


async def watched(world: World, screen: ContestScreen) -> None:
    """The contest, followed to its end."""
    following = asyncio.create_task(screen.follow(world.run, Place()))  # type: ignore[arg-type]
    await world.run.run()
    await asyncio.sleep(0.05)
    following.cancel()
    await asyncio.wait([following])


@in_loop
async def test_pages_and_token_are_printed_even_if_it_is_quiet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = World()
    world.run.invitations = ("open seat tom: dice 127.0.0.1:9001, as tom",)
    await watched(world, ContestScreen(no_ranking, quiet=True))
    assert capsys.readouterr().out.splitlines() == [
        "web http://127.0.0.1:8000/contests/spring",
        "operator token secret",
        "open seat tom: dice 127.0.0.1:9001, as tom",
    ]


@in_loop
async def test_without_a_terminal_there_is_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spielwerk.terminal.commands.EVERY", 0.0)
    monkeypatch.setattr(contest_screen, "LOOK", 0.01)
    await watched(World(), ContestScreen(no_ranking, quiet=False))
    lines = capsys.readouterr().err.splitlines()
    assert "Spring: 6 of 6 games done" in lines[-1]


@in_loop
async def test_without_a_terminal_a_stop_is_said_at_once_and_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_screen, "LOOK", 0.01)
    world = World(jobs=0)
    screen = ContestScreen(no_ranking, quiet=False)
    following = asyncio.create_task(screen.follow(world.run, Place()))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    world.run.stop()
    await asyncio.sleep(0.05)
    monkeypatch.setattr("spielwerk.terminal.commands.EVERY", 0.0)
    await asyncio.sleep(0.05)
    following.cancel()
    await asyncio.wait([following])
    told = "Spring: stopping: running games have a moment to end; Ctrl-C again: at once\n"
    assert capsys.readouterr().err == told


@in_loop
async def test_a_store_that_fails_and_a_stop_are_told() -> None:
    world = World(jobs=0)
    screen = ContestScreen(no_ranking, quiet=False)
    world.run.journal.problem = str(StoreError("x.db", "the disk is full"))
    world.run.set_jobs(0)
    lines = screen.lines(world.run)
    assert lines[1:] == ["cannot write: store x.db: the disk is full", "held: 0 games at once"]
    world.run.stop()
    assert "Ctrl-C again" in screen.lines(world.run)[0]


@in_loop
async def test_who_waits_for_workers_of_a_cluster_is_not_held() -> None:
    world, screen = World(), ContestScreen(no_ranking, quiet=False)
    world.pool.jobs = 0  # the last worker has gone
    assert screen.lines(world.run)[1:] == ["waiting for a worker of the cluster"]
    world.run.set_jobs(0)
    assert screen.lines(world.run)[1:] == ["held: 0 games at once"]


@in_loop
async def test_a_narrow_window_shows_all_of_the_head_and_says_what_it_hides() -> None:
    contest = replace(a_contest(5), name="Würfel-Wettbewerb WS 2026/27 (Übungsgruppe 3)")
    world, screen = World(contest), ContestScreen(no_ranking, quiet=False)
    await world.run.run()
    screen._ranking, screen._ranked = ranked(world.run), 18
    lines = screen.lines(world.run, 40, 10)
    assert lines[:2] == [
        "Würfel-Wettbewerb WS 2026/27",
        "(Übungsgruppe 3): 20 of 20 games done,",
    ]
    assert lines[2].endswith(" a minute")
    assert lines[3] == "games in these standings: 18"
    assert [line.split()[0] for line in lines[4:]] == ["name", "1.", "1.", "and"]
    assert lines[-1] == "and 3 more"
    assert len(screen.lines(world.run, 40, 40)) == 3 + 2 + 5
    assert len(screen.lines(world.run, 40, 2)) == 3


@in_loop
async def test_who_stays_is_told_the_standings_once(capsys: pytest.CaptureFixture[str]) -> None:
    world, note = World(), Note("replaced", ("bert",))
    screen = ContestScreen(lambda: replace(ranked(world.run), notes=(note,)), quiet=False)
    await world.run.run()
    await screen.finished(world.run)
    assert screen.told
    told = capsys.readouterr()
    *table, last = told.out.splitlines()
    assert [line.split()[:2] for line in table] == [
        ["name", "Elo"],
        ["1.", "anna"],
        ["1.", "bert"],
        ["1.", "cora"],
    ]
    assert "bert" in last
    assert told.err == "6 of 6 games done; the pages stay up until Ctrl-C\n"


@in_loop
async def test_standings_are_remembered_when_the_store_has_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world, screen = World(), ContestScreen(no_ranking, quiet=True)
    assert screen.remembered(NotWritten("the disk is full")) is None  # nothing was played
    await watched(world, screen)
    assert screen.remembered(ContestError("no idea")) is None
    for error in (NotWritten("the disk is full"), StoreError("x.db", "gone")):
        ranking = screen.remembered(error)
        assert ranking
        assert [one.games for one in ranking.standings] == [4, 4, 4]
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_on_a_terminal_the_standings_move(tmp_path: Path) -> None:
    folder = ContestFolder(tmp_path, description("connect4", RANDOM, RANDOM, RANDOM, rounds=20))
    keyboard, terminal = pty.openpty()
    with closing(os.fdopen(keyboard, "rb", buffering=0)) as screen:
        process = subprocess.Popen(
            [SPIELWERK, "contest", "run", folder.file, "--port", "0", "--jobs", "1"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=terminal,
            env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
        )
        os.close(terminal)
        seen = _everything(screen.fileno(), process)
    assert process.wait(A_CONTEST) == 0
    assert re.search(r"Spring: \d+ of 120 games done", seen)
    assert folder.done() == 120


def _everything(screen: int, process: subprocess.Popen[bytes]) -> str:
    """All that the process writes to its terminal."""
    seen, end = b"", time.monotonic() + A_CONTEST
    while time.monotonic() < end:
        if select.select([screen], [], [], 0.1)[0]:
            try:
                data = os.read(screen, 65536)
            except OSError:  # the other side has been closed
                break
            if not data:
                break
            seen += data
        elif process.poll() is not None:
            break
    return seen.decode(errors="replace")
