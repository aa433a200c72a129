"""Games for tests: players by a word, and what came of a game that they have played."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from spielwerk.contests.contest import AssignedPlayer, Assignment, Played, Progress
from spielwerk.contests.playing.facilities import Facilities
from spielwerk.contests.playing.referee import play
from spielwerk.net.connection import Direction, unpack
from spielwerk.store.records import Kind, Reason
from tests import players
from tests.contests.terms import usual_terms
from tests.waiting import PATIENCE

PLAYERS = Path(players.__file__).parent

COMMANDS = {
    "quarto": "mnm.py -g {game} -p {player} -h {host} -P {port}",
    "morris": "mnm.py -g {game} -h {host} -P {port}",
    "dice": "dice.py -n {name} -p {port} {host}",
    "oware": "oware.py -p {port} -a {host}",
    "connect4": "connect4.py --index {index_host}:{index_port} --name {name} --game {game}",
}
HOSTING = "connect4.py --index {index_host}:{index_port} --name {name} --game mine --host"
SEATS = {"dice": 3}
BY_RULE = (Reason.WIN, Reason.DRAW)


def engine(text: str = "random", name: str = "Maschine") -> AssignedPlayer:
    return AssignedPlayer(name, Kind.ENGINE, text)


def program(command: str, arguments: str = "", name: str = "anna", **others: Any) -> AssignedPlayer:
    """One of the players beside; `command` is a game's name, or a whole command of theirs."""
    text = f"{sys.executable} -S -E {COMMANDS.get(command, command)} {arguments}"
    return AssignedPlayer(name, Kind.COMMAND, text, str(PLAYERS), **others)


def assigned(game: str, *seats: AssignedPlayer, **wishes: Any) -> Assignment:
    """A game for these; if there are too few of them, engines take the other seats."""
    terms = {"move_time": 5000, "start": PATIENCE, "total": PATIENCE, "pace": "block"}
    fields = {name: wishes.pop(name) for name in list(wishes) if name in Assignment.__slots__}
    missing = SEATS.get(game, 2) - len(seats)
    return Assignment(
        **{
            "contest": "contest",
            "number": 7,
            "attempt": 1,
            "name": "Partie",
            "game": game,
            "options": (),
            "opening": (),
            "seed": "seed",
            "seats": (*seats, *(engine() for _ in range(missing))),
            "terms": usual_terms(**{**terms, **wishes}),
            **fields,
        }
    )


@asynccontextmanager
async def venue(threads: int = 1) -> AsyncIterator[Facilities]:
    place = Facilities(threads)
    try:
        yield place
    finally:
        await place.close()


def played(*assignments: Assignment, news: list[Progress] | None = None) -> list[Played]:
    """The games, one after the other at the same venue, and nothing is left of them."""
    told = [] if news is None else news

    async def playing() -> list[Played]:
        async with venue() as place, asyncio.timeout(PATIENCE):
            games = []
            for assignment in assignments:
                games.append(await play(assignment, told.append, place))
                assert asyncio.all_tasks() == {asyncio.current_task()}
            return games

    return asyncio.run(playing())


def played_by_rule(assignment: Assignment) -> Played:
    """One game, which must end by the rules."""
    (one,) = played(assignment)
    assert one.ending.reason in BY_RULE, (one.ending, one.reports)
    return one


def moves_of(game: Played) -> list[str]:
    assert game.record is not None
    return [move.move for move in game.record.moves]


def said(game: Played, seat: int, direction: Direction = Direction.RECEIVED) -> bytes:
    """All that was said on the connections of a seat, by the player or to it."""
    pieces = [piece for wire in game.wires if wire.seat == seat for piece in unpack(wire.traffic)]
    return b"".join(piece.data for piece in pieces if piece.direction is direction)
