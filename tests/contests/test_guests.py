"""Those who come by themselves: their games begin when they are there, one at a time."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from spielwerk.contests.contest import Contest, Entrant, Format
from spielwerk.contests.playing.open import OpenDoor
from spielwerk.contests.playing.venue import Venue
from spielwerk.contests.running.agenda import Agenda
from spielwerk.contests.running.assigning import terms
from spielwerk.contests.running.climbing import Climbing
from spielwerk.contests.running.guests import Guests
from spielwerk.contests.running.run import ContestRun
from spielwerk.contests.schedule import draw_up, options
from spielwerk.store.contest_records import EntrantRecord, Kind, Scheduled, Settled, State
from tests.contests.contests import ID, FakePool, MemoryJournal
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ENGINE = Entrant("anna", Kind.ENGINE, "random")
OTHER = Entrant("bert", Kind.ENGINE, "hold=20")
TOM, UWE = Entrant("tom", Kind.OPEN), Entrant("uwe", Kind.OPEN)


def a_contest(*entrants: Entrant, **others: Any) -> Contest:
    return Contest("Spring", "dice", entrants, opening=0, move_time=5000, **others)


class World:
    """A contest of dice with open seats."""

    def __init__(self, contest: Contest, guests: Guests) -> None:
        self.contest = contest
        self.journal, self.pool = MemoryJournal(), FakePool(3)
        self.guests = guests
        ladder = contest.format is Format.LADDER
        known = [
            EntrantRecord(ID, number, one.name, one.kind, one.text)
            for number, one in enumerate(contest.entrants)
        ]
        self.agenda = Agenda(draw_up(contest, ID), known)
        climbing = Climbing(contest, ID, self.agenda) if ladder else None
        self.run = ContestRun(
            contest, ID, self.agenda, self.journal, self.pool, climbing=climbing, guests=guests
        )
        self.invitations = list(guests.invite(known))
        self.port = guests.places["dice"][1]

    def outcomes(self) -> list[State]:
        return [entry.state for entry in self.journal.of(Settled)]


@asynccontextmanager
async def world(contest: Contest) -> AsyncIterator[World]:
    venue = Venue()
    door = OpenDoor(venue, "dice", options(contest), terms(contest), b"secret")
    guests = Guests(venue, door)
    guests.places = await door.start("Spring", "127.0.0.1", {"dice": 0})
    try:
        async with asyncio.timeout(PATIENCE):
            yield World(contest, guests)
    finally:
        await guests.close()


async def bot(port: int, name: str, games: int = 1) -> None:
    """Play so many games, each over a connection of its own."""
    for _ in range(games):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            await _play(reader, writer, name)
        finally:
            writer.close()


async def _play(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str) -> None:
    """Save after every throw; BYE is answered with the server's own figures."""
    points, turn = {0: 0, 1: 0, 2: 0}, 0
    saved = False
    while line := (await reader.readline()).decode():
        match line.split():
            case ["HELO", *_]:
                writer.write(f"AUTH {name}\n".encode())
            case ["TURN", *_]:
                saved = turn > 0
                if saved:
                    points[2] += turn
                turn = 0 if saved else turn
                writer.write(b"SAVE\n" if saved else b"ROLL\n")
            case ["THRW", "2", first, second, *_]:
                turn = 0 if first == second else turn + int(first) + int(second)
            case ["DEF" | "WIN" | "ERR" | "DENY" | "BYE", *_]:
                return


def test_everybody_is_told_where_to_come_and_how() -> None:
    async def run() -> None:
        async with world(a_contest(ENGINE, OTHER, TOM)) as now:
            assert now.invitations == [f"open seat tom: dice 127.0.0.1:{now.port}, as tom"]

    asyncio.run(run())


def test_a_ticket_is_no_name_and_a_secret() -> None:
    async def run() -> None:
        venue, contest = Venue(), Contest("Spring", "quarto", (ENGINE, TOM))
        door = OpenDoor(venue, "quarto", options(contest), terms(contest), b"secret")
        guests = Guests(venue, door)
        guests.places = {"mnm": ("192.0.2.7", 1357)}
        tom = EntrantRecord(ID, 1, TOM.name, TOM.kind, TOM.text)
        (line,) = guests.invite([tom])
        ticket = door.admit("tom")
        assert line == f"open seat tom: mnm 192.0.2.7:1357, Game-ID {ticket} (secret)"
        await guests.close()

    asyncio.run(run())


def test_a_game_waits_until_everybody_has_come() -> None:
    async def run() -> None:
        async with world(a_contest(ENGINE, OTHER, TOM)) as now:
            task = asyncio.create_task(now.run.run())
            await asyncio.sleep(0.05)
            assert now.journal.begun() == []
            assert now.run.absent() == ["tom"]
            await bot(now.port, "tom", games=4)
            await until(now.run.absent)
            assert (now.run.rate, now.run.eta) == (None, None)  # however fast it was before
            await bot(now.port, "tom", games=2)
            await task
            assert len(now.outcomes()) == 6
            assert now.pool.begun == []  # they are played here

    asyncio.run(run())


def test_other_games_do_not_wait() -> None:
    async def run() -> None:
        third = Entrant("cora", Kind.ENGINE, "random")
        async with world(a_contest(ENGINE, OTHER, third, TOM)) as now:
            task = asyncio.create_task(now.run.run())
            await until(lambda: now.run.counts()[State.DONE] == 6)
            assert len(now.pool.begun) == 6
            assert not task.done()
            now.run.stop()
            await task
            assert now.run.counts() == {State.DONE: 6, State.NEW: 18}

    asyncio.run(run())


def test_nobody_plays_two_games_at_a_time() -> None:
    async def run() -> None:
        async with world(a_contest(ENGINE, OTHER, TOM)) as now:
            lines = [socket.create_connection(("127.0.0.1", now.port)) for _ in range(2)]
            for line in lines:
                line.sendall(b"AUTH tom\n")
            task = asyncio.create_task(now.run.run())
            await until(lambda: now.journal.begun())
            await asyncio.sleep(0.1)
            assert len(now.journal.begun()) == 1
            now.run.stop()
            now.run.stop()
            await task
            for line in lines:
                line.close()

    asyncio.run(run())


def test_strangers_are_not_let_in() -> None:
    async def run() -> None:
        async with world(a_contest(ENGINE, OTHER, TOM)) as now:
            task = asyncio.create_task(now.run.run())
            await bot(now.port, "nobody")
            assert now.journal.begun() == []
            now.run.stop()
            await task

    asyncio.run(run())


def test_whoever_comes_takes_part_in_a_ladder_that_is_open() -> None:
    async def run() -> None:
        contest = a_contest(ENGINE, OTHER, format=Format.LADDER, rounds=0, newcomers=True)
        async with world(contest) as now:
            task = asyncio.create_task(now.run.run())
            await asyncio.sleep(0.05)
            assert now.journal.begun() == []  # dice are for three
            await bot(now.port, "zoe", games=2)
            await until(lambda: len(now.outcomes()) >= 2)
            new = [one for entry in now.journal.of(Scheduled) for one in entry.entrants]
            assert new == [EntrantRecord(ID, 2, "zoe", Kind.OPEN, "")]
            assert now.run.contest.entrants[2] == Entrant("zoe", Kind.OPEN)
            await bot(now.port, "anna")  # an engine has that name
            await bot(now.port, "ANNA")
            assert len(now.run.contest.entrants) == 3
            now.run.stop()
            now.run.stop()
            await task

    asyncio.run(run())
