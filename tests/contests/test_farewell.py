"""How those who look at a contest hear its end, however it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spielwerk.app import contest as hosting
from spielwerk.app.contest import Verdict
from spielwerk.app.server import Server
from spielwerk.contests.contest import Contest, Entrant
from spielwerk.store.contest_records import Kind, State
from spielwerk.web.contests import contests as followed
from tests.contests.contests import a_contest
from tests.contests.test_hosting import Audience, hosted
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from pathlib import Path

    from spielwerk.contests.running.run import ContestRun


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "contest.db")


@pytest.fixture(autouse=True)
def seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that were made once are not made again by themselves for a long time."""
    monkeypatch.setattr(followed, "PAUSE", 1000.0)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need longer for the last tables than people are kept waiting."""
    monkeypatch.setattr(hosting, "FAREWELL", PATIENCE)


class Page(threading.Thread):
    """A page that is open until the server closes it, and keeps all that it hears."""

    def __init__(self, server: Server, contest: str) -> None:
        super().__init__(daemon=True)
        host, port = server.addresses["web"][0]
        self.heard: list[dict[str, Any]] = []
        self.began = threading.Event()
        self._where = f"ws://{host}:{port}/live?contest={contest}"
        self.start()

    def run(self) -> None:
        with connect(self._where, proxy=None) as socket:
            while True:
                try:
                    self.heard.append(json.loads(socket.recv(PATIENCE)))
                except ConnectionClosed:
                    return
                self.began.set()

    def last(self, *kinds: str) -> dict[str, Any]:
        """The last message that says such a thing."""
        return next(one for one in reversed(self.heard) if one["type"] in kinds)


class Hall(Audience):
    """Has pages open from the beginning; no game is played before they are."""

    def __init__(self, pages: int = 1, after: int = 0) -> None:
        super().__init__(after)
        self.pages: list[Page] = []
        self._wanted = pages

    async def follow(self, run: ContestRun, server: Server) -> None:
        jobs = run.jobs
        run.set_jobs(0)
        self.pages = [Page(server, run.id) for _ in range(self._wanted)]
        for page in self.pages:
            assert await asyncio.to_thread(page.began.wait, PATIENCE)
        run.set_jobs(jobs)
        await super().follow(run, server)

    def hear_out(self) -> None:
        """Wait until all pages have been closed."""
        for page in self.pages:
            page.join(PATIENCE)
            assert not page.is_alive()


def assert_heard(page: Page, verdict: Verdict) -> None:
    """The last things that the page heard are what came of the contest."""
    far = page.last("contest", "progress")
    assert far["live"] is None
    assert far["progress"]["done"] == verdict.done
    assert far["progress"]["new"] == verdict.left
    assert far["progress"]["running"] == 0
    tables = page.last("contest")["contest"]
    assert sum(tables["ends"].values()) == tables["rated"] == verdict.done
    assert page.last("boards")["places"] == 0
    assert page.heard[-1]["type"] == "stopping"


def test_everybody_hears_how_it_ended(url: str) -> None:
    hall = Hall(pages=3)
    verdict = hosted(url, a_contest(3), hall)
    assert verdict == Verdict(done=6, left=0, failed=0, stopped=False)
    hall.hear_out()
    for page in hall.pages:
        assert_heard(page, verdict)


def test_everybody_hears_where_it_was_stopped(url: str) -> None:
    hall = Hall(after=10)
    verdict = hosted(url, a_contest(3, rounds=100), hall)
    assert verdict.stopped
    hall.hear_out()
    assert_heard(hall.pages[0], verdict)


def test_everybody_hears_that_nothing_could_be_played(url: str) -> None:
    players = (
        Entrant("anna", Kind.ENGINE, "no such engine"),
        Entrant("bert", Kind.ENGINE, "level=1"),
    )
    hall = Hall()
    verdict = hosted(url, Contest("Spring", "oware", players, opening=0), hall)
    assert verdict == Verdict(done=0, left=0, failed=2, stopped=False)
    hall.hear_out()
    far = hall.pages[0].last("contest", "progress")
    assert far["live"] is None
    assert (far["progress"]["failed"], far["progress"]["lost"]) == (2, 2)
    assert far["progress"]["dropped"] == 0


def test_whoever_stays_hears_at_once_that_it_is_over(url: str) -> None:
    class Staying(Hall):
        live: object = "not asked"

        async def finished(self, run: ContestRun) -> None:
            assert self.server
            self.live = self.server.contest
            (page,) = self.pages
            await until(lambda: page.last("contest", "progress")["live"] is None)
            run.stop()

    hall = Staying()
    verdict = hosted(url, a_contest(3), hall, stay=True)
    assert hall.live is None
    assert not verdict.stopped
    hall.hear_out()
    assert_heard(hall.pages[0], verdict)


def test_nobody_is_told_that_the_pages_stay_when_it_was_stopped(url: str) -> None:
    hall = Hall(after=2)
    verdict = hosted(url, a_contest(3, rounds=100), hall, stay=True)
    assert verdict.stopped
    assert not hall.done


# what takes too long


class Endless:
    """A farewell that would never be over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.began = self.ended = 0.0
        monkeypatch.setattr(hosting, "FAREWELL", seconds)
        made = Server.__init__

        def make(server: Server, *arguments: Any) -> None:
            made(server, *arguments)
            server.conclude = self.conclude

        monkeypatch.setattr(Server, "__init__", make)

    async def conclude(self) -> None:
        self.began = time.monotonic()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended = time.monotonic()

    @property
    def took(self) -> float:
        return self.ended - self.began


def test_the_end_does_not_wait_for_ever(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    farewell = Endless(monkeypatch, seconds=0.3)
    assert hosted(url, a_contest(2), Audience(), web=False).done == 2
    assert 0.3 <= farewell.took < 5


def test_a_signal_ends_the_farewell(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    farewell = Endless(monkeypatch, seconds=PATIENCE)

    class Hasty(Audience):
        async def follow(self, run: ContestRun, server: Server) -> None:
            self.hurry = asyncio.create_task(self._hurry())
            await super().follow(run, server)

        async def _hurry(self) -> None:
            await until(lambda: farewell.began)
            os.kill(os.getpid(), signal.SIGINT)

    verdict = hosted(url, a_contest(2), Hasty(), web=False)
    assert verdict == Verdict(done=2, left=0, failed=0, stopped=False)
    assert farewell.took < PATIENCE / 2


def test_after_a_second_signal_there_is_no_farewell(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    farewell = Endless(monkeypatch, seconds=PATIENCE)

    class Urgent(Audience):
        async def follow(self, run: ContestRun, server: Server) -> None:
            await until(lambda: run.counts()[State.DONE])
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0)
            await super().follow(run, server)

    assert hosted(url, a_contest(3, rounds=200), Urgent(), web=False).stopped
    assert not farewell.began
