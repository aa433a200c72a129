"""Guests at a real door: their games begin when they are there, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from spielwerk.contests.agenda import Agenda, LadderDraw
from spielwerk.contests.contest import Contest, Entrant, Format, options, terms
from spielwerk.contests.live import Guests
from spielwerk.contests.playing.facilities import Facilities
from spielwerk.contests.playing.seats.open import OpenDoor
from spielwerk.contests.run import ContestRun
from spielwerk.contests.schedule import draw_up
from spielwerk.store.records import EntrantRecord, Kind, PairingState, Settled
from tests.contests.contests import ID, FakePool, MemoryJournal
from tests.waiting import PATIENCE, until

ENGINE = Entrant("anna", Kind.ENGINE, "random")
OTHER = Entrant("bert", Kind.ENGINE, "random")
TOM = Entrant("tom", Kind.OPEN)


def a_contest(*entrants: Entrant, **others: Any) -> Contest:
    short = ("target=20",)
    return Contest("Spring", "dice", entrants, short, opening=0, move_time=5000, **others)


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
        climbing = LadderDraw(contest, ID, self.agenda) if ladder else None
        self.run = ContestRun(
            contest, ID, self.agenda, self.journal, self.pool, ladder=climbing, guests=guests
        )
        self.invitations = list(guests.invite(known))
        self.port = guests.places["dice"][1]

    def outcomes(self) -> list[PairingState]:
        return [entry.state for entry in self.journal.of(Settled)]


@asynccontextmanager
async def world(contest: Contest) -> AsyncIterator[World]:
    venue = Facilities()
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


def test_a_ticket_is_no_name_and_a_secret() -> None:
    async def run() -> None:
        venue, contest = Facilities(), Contest("Spring", "quarto", (ENGINE, TOM))
        door = OpenDoor(venue, "quarto", options(contest), terms(contest), b"secret")
        guests = Guests(venue, door)
        guests.places = {"mnm": ("192.0.2.7", 1357)}
        tom = EntrantRecord(ID, 1, TOM.name, TOM.kind, TOM.text)
        (line,) = guests.invite([tom])
        ticket = door.admit("tom")
        assert line == f"open seat tom: mnm 192.0.2.7:1357, Game-ID {ticket} (secret)"
        await guests.close()

    asyncio.run(run())


def test_a_guest_plays_game_after_game_and_strangers_are_not_let_in() -> None:
    async def run() -> None:
        async with world(a_contest(ENGINE, OTHER, TOM)) as now:
            assert now.invitations == [f"open seat tom: dice 127.0.0.1:{now.port}, as tom"]
            task = asyncio.create_task(now.run.run())
            await bot(now.port, "nobody")
            assert now.journal.begun() == []
            assert now.run.absent() == ["tom"]
            await bot(now.port, "tom", games=2)
            await until(lambda: len(now.outcomes()) == 2)
            now.run.stop()
            await task
            assert now.outcomes() == [PairingState.DONE] * 2
            assert now.pool.begun == []  # they are played here

    asyncio.run(run())
