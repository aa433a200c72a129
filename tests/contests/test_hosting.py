"""A contest as it is run: with its pages, its signals, and what comes of it."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from spielwerk.app import contest as hosting
from spielwerk.app.contest import Plan, Verdict, host
from spielwerk.app.server import CannotStart
from spielwerk.contests.commands import digest
from spielwerk.contests.contest import Contest, Entrant, Phase
from spielwerk.contests.playing.open import NoDoor
from spielwerk.contests.programs.trees import marked
from spielwerk.contests.running import keeping
from spielwerk.contests.running.keeping import NotKept
from spielwerk.contests.running.preparing import take_up
from spielwerk.store import contests as reading
from spielwerk.store import reading as games
from spielwerk.store.contest_records import Kind, State
from spielwerk.store.keys import replaced
from spielwerk.store.opening import open_store
from spielwerk.store.sqlite import GONE
from tests.contests.contests import ID, a_contest
from tests.servers.live import ask
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from pathlib import Path

    from spielwerk.app.server import Server
    from spielwerk.contests.running.preparing import Taken
    from spielwerk.contests.running.run import ContestRun


class Audience:
    """Looks, and does something at the right moment."""

    def __init__(self, after: int = 0, number: int = signal.SIGINT) -> None:
        self.number = number
        self.server: Server | None = None
        self.seen: list[int] = []
        self.done = False
        self._after = after

    async def follow(self, run: ContestRun, server: Server) -> None:
        self.server = server
        assert server.contest is run
        while True:
            self.seen.append(run.counts()[State.DONE])
            if self._after and self.seen[-1] >= self._after:
                os.kill(os.getpid(), self.number)
                self._after = 0
            await asyncio.sleep(0.01)

    async def finished(self, run: ContestRun) -> None:
        self.done = True
        run.stop()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return str(tmp_path / "contest.db")


def taken(url: str, contest: Contest) -> Taken:
    with open_store(url) as store:
        return take_up(store, contest)


def hosted(url: str, contest: Contest, audience: Audience, **plan: object) -> Verdict:
    """The contest, run to its end."""
    chosen = Plan(url, **{"jobs": 2, "port": 0, **plan})  # type: ignore[arg-type]

    async def run() -> Verdict:
        async with asyncio.timeout(2 * PATIENCE):  # a whole contest takes its time
            return await host(chosen, taken(url, contest), audience)

    return asyncio.run(run())


def test_a_contest_is_played_and_kept(url: str) -> None:
    audience = Audience()
    verdict = hosted(url, a_contest(3), audience)
    assert verdict == Verdict(done=6, left=0, failed=0, stopped=False)
    with open_store(url) as store:
        pairings = reading.pairings(store, ID)
        kept = [games.game(store, one.game or "") for one in pairings]
    assert [one.state for one in pairings] == [State.DONE] * 6
    assert all(game and game.result for game in kept)
    assert audience.server
    assert audience.server.contest is None


def test_a_signal_stops_it_and_it_goes_on_later(url: str) -> None:
    contest = a_contest(3, rounds=20)
    first = hosted(url, contest, Audience(after=10))
    assert first.stopped
    assert first.done >= 10
    assert first.done + first.left == 120
    second = hosted(url, contest, Audience())
    assert second == Verdict(done=120, left=0, failed=0, stopped=False)


def test_a_terminal_that_is_gone_stops_it_but_not_where_that_is_ignored(url: str) -> None:
    contest = a_contest(3, rounds=20)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        assert not hosted(url, contest, Audience(5, signal.SIGHUP)).stopped
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        longer = replace(contest, rounds=60)
        assert hosted(url, longer, Audience(125, signal.SIGHUP)).stopped
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_store_that_is_deleted_holds_the_contest(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "PAUSE", 0.05)
    monkeypatch.setattr(keeping, "LAST", 2.0)

    class Vandal(Audience):
        """Takes the store away, and stops the contest when that was seen."""

        played = 0

        async def follow(self, run: ContestRun, _server: Server) -> None:
            await until(lambda: run.counts()[State.DONE] > 5)
            (tmp_path / "contest.db").unlink()
            await until(lambda: GONE in run.keeper.problem)
            self.played = run.counts()[State.DONE]
            await asyncio.sleep(0.2)
            assert run.counts()[State.DONE] == self.played
            run.stop()

    vandal = Vandal()
    with pytest.raises(NotKept, match="deleted or replaced"):
        hosted(url, a_contest(3, rounds=50), vandal)
    assert 5 < vandal.played < 300
    assert not (tmp_path / "contest.db").exists()


def test_the_pages_stay_if_wished(url: str) -> None:
    audience = Audience()
    verdict = hosted(url, a_contest(2), audience, stay=True)
    assert audience.done
    assert not verdict.stopped  # all was played before
    assert verdict.done == 2


def test_afterwards_signals_do_what_they_did_before(url: str) -> None:
    async def run() -> None:
        await host(Plan(url, jobs=2, web=False), taken(url, a_contest(2)), Audience())

    def note(_number: int, _frame: object) -> None:
        """Somebody who waits for what comes next is asked to stop, and says how to go on."""

    before = signal.signal(signal.SIGINT, note)
    try:
        loop = asyncio.new_event_loop()
        loop.run_until_complete(run())
        assert signal.getsignal(signal.SIGINT) is note
        loop.close()
    finally:
        signal.signal(signal.SIGINT, before)


BOT = "#!/bin/sh\nexec sleep 1\n"


def with_program(folder: Path) -> tuple[Path, Contest]:
    """A competition of two engines and a program that never says a word, and that program."""
    engines = (Entrant(name, Kind.ENGINE, "random") for name in ("anna", "bert"))
    bot = folder / "bot"
    bot.write_text(BOT)
    bot.chmod(0o755)
    known = digest("./bot {port}", "tom", folder, "")
    tom = Entrant("tom", Kind.COMMAND, "./bot {port}", digest=known)
    entrants = (*engines, tom)
    return bot, Contest("Spring", "dice", entrants, phase=Phase.COMPETITION, start=5.0, base=folder)


def test_a_program_that_is_replaced_meanwhile_is_kept_in_the_store(
    url: str, tmp_path: Path
) -> None:
    bot, contest = with_program(tmp_path)
    assert hosted(url, contest, Audience(after=1)).replaced == ()
    bot.write_text("#!/bin/sh\nexit 0\n")
    for _ in range(2):  # it is said again when it goes on as it was
        assert hosted(url, contest, Audience(), stay=True).replaced == ("tom",)
        bot.write_text(BOT)
    with open_store(url) as store:
        assert replaced(store, ID) == ("tom",)


def test_a_program_that_is_replaced_is_noted_while_it_is_played(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is killed could not do it any more; after the last game it is no matter."""
    monkeypatch.setattr(hosting, "WATCH", 0.01)
    bot, contest = with_program(tmp_path)

    class Thief(Audience):
        """Replaces a program, and puts it back when that was seen."""

        async def follow(self, run: ContestRun, server: Server) -> None:
            bot.write_text("#!/bin/sh\nexit 0\n")
            await until(lambda: replaced(server.store, run.id))
            bot.write_text(BOT)
            os.kill(os.getpid(), signal.SIGINT)

    assert hosted(url, contest, Thief()).replaced == ("tom",)


def test_without_pages_nothing_listens(url: str) -> None:
    audience = Audience()
    assert hosted(url, a_contest(2), audience, web=False).done == 2
    assert audience.server
    assert audience.server.addresses == {}


def test_a_port_that_is_taken_is_told(url: str) -> None:
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


def with_open_seat(game: str) -> Contest:
    """Two engines, and somebody who comes by itself."""
    engines = (Entrant(name, Kind.ENGINE, "random") for name in ("anna", "bert"))
    return Contest("Spring", game, (*engines, Entrant("tom", Kind.OPEN)), opening=0)


@pytest.mark.parametrize(
    ("game", "service", "hint"),
    [("dice", "dice", r"\[NAME=\]PORT"), ("connect4", "host", "host=PORT")],
)
def test_a_door_that_is_taken_is_told(url: str, game: str, service: str, hint: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        doors = {"index": 0, service: other.getsockname()[1]}
        with pytest.raises(NoDoor, match=f"open seats: cannot listen.* with --door {hint}$"):
            hosted(url, with_open_seat(game), Audience(), doors=doors)


def test_what_a_killed_process_left_is_gone_before_the_door_opens(url: str) -> None:
    """Games with open seats are played here: no worker clears away what is left of them."""

    class Visitor(Audience):
        found: object = None

        async def follow(self, run: ContestRun, _server: Server) -> None:
            self.found = left.poll()
            run.stop()

    visitor = Visitor()
    mark = marked("4711.1.ab")  # of nobody who lives
    with subprocess.Popen(["/bin/sleep", "100"], env={**os.environ, **mark}) as left:
        assert hosted(url, with_open_seat("dice"), visitor, doors={"dice": 0}).stopped
        left.kill()
    assert visitor.found == -signal.SIGKILL


def test_a_signal_before_the_first_game_ends_it_too(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(_plan: Plan) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    monkeypatch.setattr(hosting, "_pool", slow)
    with pytest.raises(asyncio.CancelledError):
        hosted(url, a_contest(2), Audience())


def test_who_was_asked_to_stop_before_does_not_begin(url: str) -> None:
    async def run() -> None:
        await host(Plan(url), taken(url, a_contest(2)), Audience(), lambda: True)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


def test_games_that_were_given_up_are_told(url: str) -> None:
    broken = Entrant("bert", Kind.ENGINE, "level=1")
    contest = Contest(
        "Spring", "oware", (Entrant("anna", Kind.ENGINE, "no such engine"), broken), opening=0
    )
    verdict = hosted(url, contest, Audience())
    assert verdict == Verdict(done=0, left=0, failed=2, stopped=False)
    with open_store(url) as store:
        assert {one.attempt for one in reading.pairings(store, ID)} == {3}


def test_the_page_of_a_running_contest_answers(url: str) -> None:
    class Visitor(Audience):
        answer: object = None

        async def follow(self, run: ContestRun, server: Server) -> None:
            run.set_jobs(1)
            host, port = server.addresses["web"][0]
            place = f"http://{host}:{port}/api/v1/contests/{run.id}"
            self.answer = (await asyncio.to_thread(ask, place)).json
            await super().follow(run, server)

    visitor = Visitor()
    contest = a_contest(3, rounds=10, phase=Phase.COMPETITION)
    assert hosted(url, contest, visitor).done == 60
    assert isinstance(visitor.answer, dict)
    assert visitor.answer["name"] == "Spring"


def test_a_running_game_is_at_its_table_and_later_in_the_archive(url: str) -> None:
    class Spectator(Audience):
        game = ""
        told: object = None

        async def follow(self, run: ContestRun, server: Server) -> None:
            await until(run.running)
            self.game = next(iter(run.running()))
            host, port = server.addresses["web"][0]
            self.told = (await asyncio.to_thread(ask, f"http://{host}:{port}/t/{self.game}")).status
            assert server.arena.find(self.game)
            await super().follow(run, server)

    spectator = Spectator()
    slow = Entrant("anna", Kind.ENGINE, "time=0.2"), Entrant("bert", Kind.ENGINE, "time=0.2")
    contest = Contest("Spring", "quarto", slow, opening=4, move_time=5000)
    assert hosted(url, contest, spectator).done == 2
    assert spectator.told == 200
    with open_store(url) as store:
        game = games.game(store, spectator.game)
    assert game
    assert game.result
