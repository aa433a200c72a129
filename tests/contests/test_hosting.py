"""A contest as a process: with its pages, its signals, and what comes of it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import threading
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from spielwerk.app import contest as hosting
from spielwerk.app.contest import ContestVerdict, Plan, host
from spielwerk.app.server import CannotStart, Server
from spielwerk.contests.commands import digest
from spielwerk.contests.contest import Assignment, Contest, Entrant, Phase, Played, Tell
from spielwerk.contests.playing.seats.open import NoDoor
from spielwerk.contests.run import ContestRun
from spielwerk.contests.stored import StoredContest, take_up
from spielwerk.signals import StopSignals
from spielwerk.store import contests as reading
from spielwerk.store import reading as games
from spielwerk.store import scheduling
from spielwerk.store.contests import replaced
from spielwerk.store.opening import open_store
from spielwerk.store.records import Ending, Kind, PairingState, Reason
from spielwerk.store.scheduling import NotWritten
from spielwerk.store.sqlite import GONE
from tests.contests.contests import ID, FakePool, a_contest
from tests.servers.live import ask
from tests.waiting import PATIENCE, until


class SlowPool(FakePool):
    """Games that take a moment, so that something can happen meanwhile."""

    async def play(self, assignment: Assignment, tell: Tell) -> Played:
        await asyncio.sleep(0.01)
        return await super().play(assignment, tell)


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> list[FakePool]:
    """Games are played by no process; the pools that were made."""
    made: list[FakePool] = []

    async def make(plan: Plan) -> FakePool:
        made.append(SlowPool(plan.jobs or 2))
        return made[-1]

    monkeypatch.setattr(hosting, "_pool", make)
    return made


class Audience:
    """Looks, and sends a signal at the right moment."""

    def __init__(self, after: int = 0, number: int = signal.SIGINT) -> None:
        self.number = number
        self.server: Server | None = None
        self.done = False
        self._after = after

    async def follow(self, run: ContestRun, server: Server) -> None:
        self.server = server
        assert server.contest is run
        while True:
            if self._after and run.counts()[PairingState.DONE] >= self._after:
                os.kill(os.getpid(), self.number)
                self._after = 0
            await asyncio.sleep(0.01)

    async def finished(self, run: ContestRun) -> None:
        self.done = True
        run.stop()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "contest.db")


def taken(url: str, contest: Contest) -> StoredContest:
    with open_store(url) as store:
        return take_up(store, contest)


def hosted(url: str, contest: Contest, audience: Audience, **plan: object) -> ContestVerdict:
    """The contest, run to its end."""
    chosen = Plan(url, **{"jobs": 2, "port": 0, **plan})  # type: ignore[arg-type]

    async def run() -> ContestVerdict:
        async with asyncio.timeout(2 * PATIENCE):  # a whole contest takes its time
            return await host(chosen, taken(url, contest), audience)

    return asyncio.run(run())


def test_a_contest_is_played_by_workers_shown_and_kept(url: str) -> None:
    class Visitor(Audience):
        answer: Any = None

        async def follow(self, run: ContestRun, server: Server) -> None:
            place = "http://{}:{}/api/v1/contests/{}".format(*server.addresses["web"][0], run.id)
            self.answer = (await asyncio.to_thread(ask, place)).json
            await super().follow(run, server)

    visitor = Visitor()
    verdict = hosted(url, a_contest(3), visitor)
    assert verdict == ContestVerdict(done=6, left=0, failed=0, stopped=False)
    assert visitor.answer["name"] == "Spring"
    assert visitor.server
    assert visitor.server.contest is None
    with open_store(url) as store:
        pairings = reading.pairings(store, ID)
        kept = [games.game(store, one.game or "") for one in pairings]
    assert [one.state for one in pairings] == [PairingState.DONE] * 6
    assert all(game and game.result for game in kept)


# signals


@pytest.mark.usefixtures("pool")
def test_a_signal_stops_it_and_it_goes_on_later(url: str) -> None:
    contest = a_contest(3, rounds=10)
    first = hosted(url, contest, Audience(after=10), web=False)
    assert first.stopped
    assert 10 <= first.done < first.done + first.left == 60
    second = hosted(url, contest, Audience(), web=False)
    assert second == ContestVerdict(done=60, left=0, failed=0, stopped=False)


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL], ids=["nohup", "usual"])
def test_a_closed_terminal_stops_it_unless_that_is_ignored(
    url: str, handler: signal.Handlers
) -> None:
    before = signal.signal(signal.SIGHUP, handler)
    try:
        verdict = hosted(url, a_contest(3, rounds=10), Audience(5, signal.SIGHUP), web=False)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert verdict.stopped == (handler is signal.SIG_DFL)


def test_a_signal_before_the_first_game_ends_it_too(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(_plan: Plan) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(hosting, "_pool", slow)
    with pytest.raises(asyncio.CancelledError):
        hosted(url, a_contest(2), Audience())


def test_a_signal_that_came_even_earlier_counts_and_handlers_are_restored(url: str) -> None:
    contest = taken(url, a_contest(2))
    with StopSignals() as earlier:
        handler = signal.getsignal(signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(host(Plan(url), contest, Audience(), earlier))
        assert signal.getsignal(signal.SIGTERM) == handler


# what comes of it


def test_a_store_that_is_deleted_holds_the_contest(
    url: str, tmp_path: Path, pool: list[FakePool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheduling, "PAUSE", 0.05)
    monkeypatch.setattr(scheduling, "LAST", 2.0)

    class Vandal(Audience):
        """Takes the store away, and stops the contest when that was seen."""

        played = 0

        async def follow(self, run: ContestRun, _server: Server) -> None:
            await until(lambda: run.counts()[PairingState.DONE] > 5)
            (tmp_path / "contest.db").unlink()
            await until(lambda: GONE in run.journal.problem)
            self.played = run.counts()[PairingState.DONE]
            await asyncio.sleep(0.2)
            assert run.counts()[PairingState.DONE] == self.played
            run.stop()

    vandal = Vandal()
    with pytest.raises(NotWritten, match="deleted or replaced"):
        hosted(url, a_contest(3, rounds=50), vandal, web=False)
    assert 5 < vandal.played < 300
    assert len(pool[0].begun) < 300
    assert not (tmp_path / "contest.db").exists()


@pytest.mark.usefixtures("pool")
def test_the_pages_stay_if_wished_unless_it_was_stopped(url: str) -> None:
    audience = Audience()
    verdict = hosted(url, a_contest(2), audience, stay=True)
    assert audience.done
    assert not verdict.stopped  # all was played before
    other = Audience(after=4)
    assert hosted(url, a_contest(2, rounds=50), other, stay=True).stopped
    assert not other.done


BOT = "#!/bin/sh\nexec sleep 1\n"


def with_program(folder: Path) -> tuple[Path, Contest]:
    """A competition of two engines and a program, and that program."""
    engines = (Entrant(name, Kind.ENGINE, "random") for name in ("anna", "bert"))
    bot = folder / "bot"
    bot.write_text(BOT)
    bot.chmod(0o755)
    known = digest("./bot {port}", "tom", folder, "")
    entrants = (*engines, Entrant("tom", Kind.COMMAND, "./bot {port}", digest=known))
    return bot, Contest("Spring", "dice", entrants, phase=Phase.COMPETITION, base=folder)


@pytest.mark.usefixtures("pool")
def test_a_program_that_was_replaced_is_noted_in_the_store(url: str, tmp_path: Path) -> None:
    bot, contest = with_program(tmp_path)
    assert hosted(url, contest, Audience(after=1), web=False).replaced == ()
    bot.write_text("#!/bin/sh\nexit 0\n")
    assert hosted(url, contest, Audience(), web=False).replaced == ("tom",)
    bot.write_text(BOT)
    assert hosted(url, contest, Audience(), web=False).replaced == ("tom",)  # said again


@pytest.mark.usefixtures("pool")
def test_a_program_that_is_replaced_is_noted_while_it_is_played(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "WATCH", 0.01)
    bot, contest = with_program(tmp_path)

    class Thief(Audience):
        """Replaces a program, and puts it back when that was seen."""

        async def follow(self, run: ContestRun, server: Server) -> None:
            run.set_jobs(0)
            bot.write_text("#!/bin/sh\nexit 0\n")
            await until(lambda: replaced(server.store, run.id))
            bot.write_text(BOT)
            os.kill(os.getpid(), signal.SIGINT)

    assert hosted(url, contest, Thief(), web=False).replaced == ("tom",)


def test_games_that_were_given_up_are_told(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_plan: Plan) -> FakePool:
        pool = FakePool()
        pool.results.update({n: [Ending(Reason.SERVER_ERROR)] * 3 for n in range(2)})
        return pool

    monkeypatch.setattr(hosting, "_pool", broken)
    verdict = hosted(url, a_contest(2), Audience(), web=False)
    assert verdict == ContestVerdict(done=0, left=0, failed=2, stopped=False)
    with open_store(url) as store:
        assert {one.attempt for one in reading.pairings(store, ID)} == {3}


# addresses


def test_an_address_or_a_port_that_cannot_be_had_is_told(url: str) -> None:
    with pytest.raises(CannotStart, match=r"web cannot listen: .*\(192.0.2.1:0\)"):
        hosted(url, a_contest(2), Audience(), bind="192.0.2.1")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CannotStart, match=r"web cannot listen.*--port, or --no-web"):
            hosted(url, a_contest(2), Audience(), port=port)


def test_the_usual_port_is_taken_only_if_it_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        monkeypatch.setattr(hosting, "PORT", other.getsockname()[1])
        assert hosting._port(Plan("x")) == 0
    assert hosting._port(Plan("x")) == hosting.PORT
    assert hosting._port(Plan("x", port=4711)) == 4711


@pytest.mark.parametrize(("game", "service"), [("dice", "dice"), ("connect4", "host")])
def test_a_door_that_is_taken_is_told(url: str, game: str, service: str) -> None:
    entrants = [*a_contest(2).entrants, Entrant("tom", Kind.OPEN)]
    contest = Contest("Spring", game, tuple(entrants), opening=0)
    with socket.create_server(("127.0.0.1", 0)) as other:
        doors = {"index": 0, service: other.getsockname()[1]}
        with pytest.raises(NoDoor, match=r"open seats: cannot listen.* --door \[NAME=\]PORT$"):
            hosted(url, contest, Audience(), doors=doors)


# spectators hear how it ended


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
    """Has a page open from the beginning; no game is played before it is."""

    page: Page

    async def follow(self, run: ContestRun, server: Server) -> None:
        jobs = run.jobs
        run.set_jobs(0)
        self.page = Page(server, run.id)
        assert await asyncio.to_thread(self.page.began.wait, PATIENCE)
        run.set_jobs(jobs)
        await super().follow(run, server)


@pytest.mark.usefixtures("pool")
@pytest.mark.parametrize("after", [0, 10], ids=["to its end", "stopped"])
def test_spectators_hear_how_it_ended(
    url: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosting, "FAREWELL", PATIENCE)  # the machine may be busy
    hall = Hall(after=after)
    verdict = hosted(url, a_contest(3, rounds=10), hall)
    assert verdict.stopped == bool(after)
    hall.page.join(PATIENCE)
    far = hall.page.last("contest", "progress")
    assert far["live"] is None
    progress = far["progress"]
    counts = (progress["done"], progress["new"], progress["running"])
    assert counts == (verdict.done, verdict.left, 0)
    tables = hall.page.last("contest")["contest"]
    assert sum(tables["ends"].values()) == tables["rated"] == verdict.done
    assert hall.page.last("boards")["places"] == 0
    assert hall.page.heard[-1]["type"] == "stopping"


class Goodbye:
    """A goodbye that would never be over."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.began = self.ended = False
        monkeypatch.setattr(hosting, "FAREWELL", seconds)
        made = Server.__init__

        def make(server: Server, *arguments: Any) -> None:
            made(server, *arguments)
            server.conclude = self.conclude

        monkeypatch.setattr(Server, "__init__", make)

    async def conclude(self) -> None:
        self.began = True
        try:
            await asyncio.Event().wait()
        finally:
            self.ended = True


@pytest.mark.usefixtures("pool")
def test_a_goodbye_does_not_last_for_ever(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    goodbye = Goodbye(monkeypatch, seconds=0.3)
    assert hosted(url, a_contest(2), Audience(), web=False).done == 2
    assert goodbye.ended


@pytest.mark.usefixtures("pool")
def test_a_signal_ends_the_goodbye(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    goodbye = Goodbye(monkeypatch, seconds=10 * PATIENCE)

    class Hasty(Audience):
        async def follow(self, run: ContestRun, server: Server) -> None:
            self.hurry = asyncio.create_task(self._hurry())
            await super().follow(run, server)

        async def _hurry(self) -> None:
            await until(lambda: goodbye.began)
            os.kill(os.getpid(), signal.SIGINT)

    verdict = hosted(url, a_contest(2), Hasty(), web=False)
    assert verdict == ContestVerdict(done=2, left=0, failed=0, stopped=False)
    assert goodbye.ended


@pytest.mark.usefixtures("pool")
def test_after_a_second_signal_there_is_no_goodbye(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    goodbye = Goodbye(monkeypatch, seconds=PATIENCE)

    class Urgent(Audience):
        async def follow(self, run: ContestRun, server: Server) -> None:
            await until(lambda: run.counts()[PairingState.DONE])
            for _ in range(2):
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(0.01)
            await super().follow(run, server)

    assert hosted(url, a_contest(3, rounds=200), Urgent(), web=False).stopped
    assert not goodbye.began
