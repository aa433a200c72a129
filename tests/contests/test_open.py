"""Open seats: programs that somebody else has started come by themselves, wait, and play."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from unicodedata import normalize

import pytest

from spielwerk.clients.connect4.offers import HostError
from spielwerk.contests.agenda import Agenda
from spielwerk.contests.contest import AssignedPlayer, Assignment, Contest, Entrant, Played
from spielwerk.contests.live import Guests
from spielwerk.contests.playing.facilities import Facilities
from spielwerk.contests.playing.referee import play
from spielwerk.contests.playing.seats.mnm import ticket
from spielwerk.contests.playing.seats.open import WAITING, NoDoor, OpenDoor
from spielwerk.contests.run import ContestRun
from spielwerk.store.records import EntrantRecord, Kind, PairingState, Reason
from spielwerk.wire.connect4.messages import plain
from spielwerk.wire.mnm.words import GAME_ID
from tests.contests.contests import ID, FakePool, MemoryJournal, entrants, games
from tests.contests.stage import BY_RULE, PLAYERS, assigned, engine, program, said, venue
from tests.contests.terms import usual_terms
from tests.waiting import PATIENCE, until

TERMS = usual_terms(move_time=5000, start=PATIENCE, total=PATIENCE, pace="block")
FREE = {"mnm": 0, "dice": 0, "index": 0, "host": 0}
CONTEST = "Wettbewerb; 2026"
SECRET = b"nobody knows"


def opened(name: str) -> AssignedPlayer:
    return AssignedPlayer(name, Kind.OPEN)


class House:
    """A venue with an open door."""

    def __init__(self, place: Facilities, door: OpenDoor, game: str) -> None:
        self.place = place
        self.door = door
        self.addresses: dict[str, tuple[str, int]] = {}
        self._game = game

    async def play(self, assignment: Assignment) -> Played:
        return await play(assignment, lambda _: None, self.place, self.door)

    def command(self, name: str, *more: str) -> list[str]:
        """What somebody has to start who takes part."""
        called = self.door.admit(name)
        service = "index" if self._game == "connect4" else next(iter(self.addresses))
        host, port = (str(word) for word in self.addresses[service])
        words = {
            "mnm": ["mnm.py", "-g", called, "-h", host, "-P", port],
            "dice": ["dice.py", "-n", called, "-p", port, host],
            "index": ["connect4.py", "--index", f"{host}:{port}", "--name", called],
        }[service]
        return [sys.executable, "-S", "-E", str(PLAYERS / words[0]), *words[1:], *more]

    @asynccontextmanager
    async def stranger(self, name: str, *more: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """Somebody has started a program, somewhere."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*self.command(name, *more), stderr=pipe)
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.communicate()

    async def answer(self, service: str, said: bytes) -> bytes:
        """What a connection hears that says this, until it is closed."""
        reader, writer = await asyncio.open_connection(*self.addresses[service])
        writer.write(said)
        heard = await reader.read()
        writer.close()
        return heard

    async def until(self, *names: str) -> None:
        """Wait until these are present."""
        changed = asyncio.Event()
        self.door.watch(changed.set)
        while sorted(self.door.present()) != sorted(names):
            await changed.wait()
            changed.clear()


def in_house(
    game: str,
    work: Callable[[House], Awaitable[Any]],
    options: tuple[str, ...] = (),
    wishes: Mapping[str, tuple[str, ...]] | None = None,
) -> Any:
    async def living() -> Any:
        async with venue(threads=2) as place, asyncio.timeout(PATIENCE):
            door = OpenDoor(place, game, options, TERMS, SECRET, wishes)
            house = House(place, door, game)
            house.addresses = await door.start(CONTEST, "127.0.0.1", FREE)
            try:
                return await work(house)
            finally:
                await door.close()

    return asyncio.run(living())


# every protocol


@pytest.mark.parametrize("game", ["quarto", "dice", "connect4"])
def test_who_waits_is_led_to_its_table(game: str) -> None:
    async def work(house: House) -> tuple[Played, int | None]:
        async with house.stranger("tom") as tom:
            await house.until("tom")
            one = await house.play(assigned(game, engine(), opened("tom")))
            await tom.wait()
            assert house.door.present() == []
            return one, tom.returncode

    one, code = in_house(game, work)
    assert one.ending.reason in BY_RULE, one.ending
    assert code == 0
    assert one.record.seats[1].name == "tom"
    assert [wire.seat for wire in one.wires] == [1]
    assert said(one, 1)
    assert (one.reports[1].moves > 0, one.reports[1].status) == (True, "")


def test_who_does_not_come_has_not_started() -> None:
    async def work(house: House) -> Played:
        house.door.admit("tom")
        return await house.play(assigned("quarto", engine(), opened("tom"), start=0.2))

    outcome = in_house("quarto", work).ending
    assert (outcome.reason, outcome.culprits) == (Reason.NO_START, (1,))
    assert outcome.detail == "did not take its seat within 0.2 s"


@pytest.mark.parametrize("game", ["quarto", "dice", "connect4"])
def test_who_comes_by_itself_plays_programs_and_others_who_do(game: str) -> None:
    async def work(house: House) -> list[Played]:
        async with AsyncExitStack() as stack:
            for name in ("tom", "tom", "uwe"):
                await stack.enter_async_context(house.stranger(name))
            others = (engine(),) if game == "dice" else ()
            one = await house.play(assigned(game, opened("tom"), program(game), *others))
            other = await house.play(assigned(game, opened("uwe"), opened("tom"), *others))
            return [one, other]

    for one in in_house(game, work):
        assert one.ending.reason in BY_RULE, one.ending


@pytest.mark.parametrize(
    ("game", "fault", "end"),
    [
        ("quarto", "crash-on-move", Reason.CONNECTION_LOST),
        ("quarto", "illegal-move", Reason.ILLEGAL_MOVE),
        ("dice", "garbage", Reason.PROTOCOL_ERROR),
        ("dice", "wrong-bye", Reason.PROTOCOL_ERROR),
        ("connect4", "leave", Reason.CONNECTION_LOST),
        ("connect4", "stall", Reason.TIME_OUT),
    ],
)
def test_who_fails_is_to_blame_wherever_it_comes_from(game: str, fault: str, end: Reason) -> None:
    async def work(house: House) -> Played:
        async with house.stranger("tom", "--fault", fault):
            await house.until("tom")
            options = ("target=40",) if game == "dice" else ()
            wishes = {"options": options, "move_time": 500}
            return await house.play(assigned(game, engine(), opened("tom"), **wishes))

    one = in_house(game, work, ("target=40",) if game == "dice" else ())
    assert (one.ending.reason, one.ending.culprits) == (end, (1,)), one.ending
    assert said(one, 1)


# the lobby


def test_who_goes_before_it_sits_is_replaced_by_the_next_of_its_name() -> None:
    async def work(house: House) -> Played:
        host, port = house.addresses["mnm"]
        called = house.door.admit("tom")
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"VERSION 1.0\nID {called}\n".encode())
        await house.until("tom")
        task = asyncio.create_task(house.play(assigned("quarto", opened("tom"))))
        while b"PLAYING" not in await reader.readline():
            pass
        writer.close()
        async with house.stranger("tom"):
            return await task

    assert in_house("quarto", work).ending.reason in BY_RULE


@pytest.mark.parametrize(
    ("game", "service", "said", "answer"),
    [
        ("dice", "dice", b"AUTH uwe", b"ERR Nobody of that name takes part in this contest."),
        ("quarto", "mnm", b"VERSION 1.0\nID aaaaaaaaaaa", b"- Game does not exist"),
        (
            *("connect4", "host", b"join_game;uwe;Wettbewerb  2026;V2"),
            b"join_game_failed;'uwe' does not take part in this contest",
        ),
        (
            *("connect4", "host", b"join_game;tom;another;V2"),
            b"join_game_failed;there is no game 'another' here",
        ),
    ],
)
def test_who_takes_no_part_is_sent_away(
    game: str, service: str, said: bytes, answer: bytes
) -> None:
    async def work(house: House) -> bytes:
        house.door.admit("tom")
        return await house.answer(service, said + b"\n")

    assert in_house(game, work).endswith(answer + b"\n")


def test_letters_of_a_name_may_be_put_together_in_another_way() -> None:
    wish = normalize("NFD", "join_game;René;Wettbewerb  2026;V2\n")

    async def work(house: House) -> None:
        house.door.admit("René")
        _, writer = await asyncio.open_connection(*house.addresses["host"])
        writer.write(wish.encode())
        await house.until("René")
        writer.close()

    in_house("connect4", work)


def test_newcomers_take_part_if_they_are_welcome() -> None:
    asked: list[str] = []

    def welcome(name: str) -> bool:
        asked.append(name)
        return name != "bad"

    async def work(house: House) -> Played:
        house.door.welcome(welcome)
        host, port = house.addresses["dice"]
        words = [sys.executable, "-S", "-E", str(PLAYERS / "dice.py"), "-p", str(port), host]
        bad = await asyncio.create_subprocess_exec(
            *words, "-n", "bad", stderr=asyncio.subprocess.DEVNULL
        )
        assert await bad.wait() == 1
        new = await asyncio.create_subprocess_exec(*words, "-n", "new")
        await house.until("new")
        one = await house.play(assigned("dice", opened("new")))
        assert await new.wait() == 0
        return one

    assert in_house("dice", work).ending.reason is Reason.WIN
    assert asked == ["bad", "new"]


def test_not_too_many_of_one_name_wait() -> None:
    async def work(house: House) -> bytes:
        host, port = house.addresses["dice"]
        house.door.admit("tom")
        lines = [await asyncio.open_connection(host, port) for _ in range(WAITING + 1)]
        for _, writer in lines:
            writer.write(b"AUTH tom\n")
            await writer.drain()
        heard = [asyncio.create_task(reader.read()) for reader, _ in lines]
        done, waiting = await asyncio.wait(heard, return_when=asyncio.FIRST_COMPLETED)
        for _, writer in lines:
            writer.close()
        await asyncio.wait(waiting)
        (last,) = done
        return last.result()

    assert b"ERR Too many bots of that name wait already." in in_house("dice", work)


def test_everybody_is_sent_away_when_the_door_is_closed() -> None:
    async def work(house: House) -> asyncio.subprocess.Process:
        pipe = asyncio.subprocess.PIPE
        command = house.command("tom")
        process = await asyncio.create_subprocess_exec(*command, stderr=pipe)
        await house.until("tom")
        await house.door.close()
        _, complaint = await process.communicate()
        assert b"ERR The server is shutting down" in complaint
        return process

    assert in_house("dice", work).returncode == 1


def test_nothing_stays_of_who_has_only_looked_in() -> None:
    async def work(house: House) -> None:
        host: Any = house.door._service._host
        before = len(host._offers), len(host._tasks)
        house.door.admit("tom")
        reader, writer = await asyncio.open_connection(*house.addresses["host"])
        writer.write(f"join_game;tom;{plain(CONTEST)};V2\n".encode())
        await reader.readline()
        await house.until("tom")
        writer.close()
        await house.until()
        await until(lambda: (len(host._offers), len(host._tasks)) == before)

    in_house("connect4", work)


@pytest.mark.parametrize(("game", "service"), [("dice", "dice"), ("connect4", "host")])
def test_a_door_that_cannot_be_opened_is_told_and_leaves_nothing_open(
    game: str, service: str
) -> None:
    async def opening(taken: int) -> None:
        async with venue() as place:
            door = OpenDoor(place, game, (), TERMS)
            with pytest.raises((OSError, HostError), match="in use"):
                await door.start(CONTEST, "127.0.0.1", {**FREE, service: taken})
            await door.close()

    with socket.create_server(("127.0.0.1", 0)) as other:
        asyncio.run(opening(other.getsockname()[1]))


def test_a_game_of_servers_has_no_open_seats() -> None:
    async def work(_: House) -> None:
        """It does not come to this."""

    with pytest.raises(NoDoor, match="oware has no open seats"):
        in_house("oware", work)


# in a contest


def test_a_guest_plays_game_after_game_and_strangers_are_not_let_in() -> None:
    engines = (Entrant(name, Kind.ENGINE, "random") for name in ("anna", "bert"))
    contest = Contest("Spring", "dice", (*engines, Entrant("tom", Kind.OPEN)), ("target=20",))
    known, journal, pool = entrants(contest), MemoryJournal(), FakePool(3)

    async def work(house: House) -> None:
        guests = Guests(house.place, house.door)
        guests.places = house.addresses
        host, port = house.addresses["dice"]
        assert [*guests.invite(known)] == [f"open seat tom: dice {host}:{port}, as tom"]
        agenda = Agenda(games(contest), known)
        run = ContestRun(contest, ID, agenda, journal, pool, guests=guests)
        task = asyncio.create_task(run.run())
        await house.answer("dice", b"AUTH nobody\n")
        assert (journal.begun(), run.absent()) == ([], ["tom"])
        for _ in range(2):
            async with house.stranger("tom") as tom:
                await tom.wait()
        await until(lambda: run.counts()[PairingState.DONE] == 2)
        run.stop()
        await task
        assert pool.begun == []  # they are played here

    in_house("dice", work, ("target=20",))


def test_a_ticket_is_no_name_and_a_secret() -> None:
    async def work(house: House) -> None:
        guests = Guests(house.place, house.door)
        guests.places = {"mnm": ("192.0.2.7", 1357)}
        (line,) = guests.invite([EntrantRecord(ID, 1, "tom", Kind.OPEN, "")])
        called = house.door.admit("tom")
        assert line == f"open seat tom: mnm 192.0.2.7:1357, Game-ID {called} (secret)"

    in_house("quarto", work)


# tickets


def test_a_ticket_is_always_the_same_and_everybody_has_another() -> None:
    tickets = {name: ticket(SECRET, name, 11) for name in ("tom", "uwe", "Größe")}
    assert len(set(tickets.values())) == 3
    assert all(GAME_ID.fullmatch(one) for one in tickets.values())
    assert ticket(SECRET, "tom", 11) == tickets["tom"]
    assert ticket(b"another", "tom", 11) != tickets["tom"]
    assert len(ticket(SECRET, "tom", 13)) == 13
