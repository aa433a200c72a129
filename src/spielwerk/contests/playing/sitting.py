"""One game of a contest from its first seat to its last move: the table, and who comes to it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from spielwerk.contests.assignment import Progress
from spielwerk.contests.playing.arrival import Arrival, Failure
from spielwerk.contests.playing.efforts import Efforts
from spielwerk.contests.playing.minutes import Minutes
from spielwerk.contests.playing.table import ContestTable
from spielwerk.contests.playing.whose import UNCLEAR, Doorkeeper
from spielwerk.errors import printable
from spielwerk.games import CHANCE, find_game
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.store.contest_records import End, Kind
from spielwerk.store.records import GameRecord, MoveRecord, Reason, SeatKind, SeatRecord
from spielwerk.tables.arena import NAME_LIMIT
from spielwerk.tables.chance import new_id
from spielwerk.tables.engines import EngineOccupant
from spielwerk.tables.table import draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.assignment import Assignment, Player
    from spielwerk.contests.playing.venue import Venue
    from spielwerk.games import Game
    from spielwerk.games.record import Record
    from spielwerk.tables.table import Table


class Sitting:
    """A game that is being played; `tell` hears how it begins and every turn."""

    def __init__(
        self,
        assignment: Assignment,
        venue: Venue,
        tell: Callable[[Progress], None],
    ) -> None:
        self.assignment = assignment
        self.terms = assignment.terms
        self.venue = venue
        self.minutes = Minutes(self._moved)
        self.game = find_game(assignment.game).from_text(assignment.options)
        self.record = self._first_record()
        self.efforts = Efforts()
        self.engines = venue.engines.lent(self._chance, self.efforts.thought)
        self.arrivals = {
            number: Arrival()
            for number, player in enumerate(assignment.seats)
            if player.kind is not Kind.ENGINE
        }
        self.keeper = Doorkeeper(self.terms.resources.processes, self.accuse)
        self.caught: dict[int, Failure] = {}  # who did what to others, by seats
        self.table: ContestTable | None = None
        self.inspect: Callable[[int], None] = _nothing  # a seat's player that has failed
        self.coming: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self._tell = tell

    @property
    def id(self) -> str:
        """The Game-ID."""
        return self.record.id

    def player(self, number: int) -> Player:
        """Who belongs on a seat."""
        return self.assignment.seats[number]

    async def warm(self) -> None:
        """Have the engines ready: nobody shall wait for them later."""
        for seat in self.record.seats:
            if seat.kind is SeatKind.ENGINE:
                await self.engines.warm(self.game, seat.player)

    def open(self, names: Callable[[str], str], begins: int | None = None) -> ContestTable:
        """Set up the table; `names` makes names such that they can stand on the wire.

        `begins` is for games in which a player decides that; the record follows what happened.
        """
        if begins is not None:
            self.record = replace(self.record, options=_begun_by(self.game, begins))
        seats = tuple(replace(seat, name=names(seat.name)) for seat in self.record.seats)
        self.table = table = ContestTable(
            replace(self.record, seats=seats),
            self.minutes,
            self.venue.clock,
            self._dice,
            self.efforts,
            self.inspect,
        )
        self._tell(self._progress(record=self.record))
        for seat in table.seats:
            if seat.record.kind is SeatKind.ENGINE:
                seat.occupant = EngineOccupant(table, seat, self.engines)
        self.coming.set_result(table)
        return table

    def begin(self) -> None:
        """Let the game begin if nobody has to come."""
        if self.table:
            self.table.gather()

    def accuse(self, number: int, crime: str) -> None:
        """A player has done something to another one: whatever else happens, it is to blame.

        Where that is not clear nobody is, and the game does not count.
        """
        if number in self.caught:
            return
        end = End.SERVER_ERROR if crime == UNCLEAR else End.PROTOCOL_ERROR
        self.caught[number] = Failure(end, crime)
        self.arrivals[number].failed(end, crime)
        if not self.table or not self.table.begun:
            return
        if end is End.SERVER_ERROR:
            self.table.abort(Reason.SERVER_ERROR, crime)
        else:
            self.table.lose(self.table.seats[number], Reason.PROTOCOL_ERROR, crime)

    # the record

    def _first_record(self) -> GameRecord:
        """The game as it is before anybody is asked."""
        assignment, now = self.assignment, self.venue.clock.wall()
        self._dice = Random(assignment.seed)
        return GameRecord(
            id=new_id(),
            game=self.game.name,
            options=tuple(self.game.assignments()),
            name=_presentable(assignment.name) or self.game.title,
            seats=tuple(map(_seat, assignment.seats)),
            move_time=self.terms.move_time,
            tournament=True,
            created=now,
            moves=_opening(self.game, assignment.opening, self._dice, now),
        )

    def _chance(self, record: Record) -> Random:
        """The same chance for an engine in the same place of the same game.

        Its name is part of that: where equal engines meet, the second game is not the first again.
        """
        turn, seed = record.state.turn, self.assignment.seed
        return Random(f"{seed}/{self.player(turn).name}/{turn}/{len(record.moves)}")

    def _moved(self, moves: tuple[MoveRecord, ...]) -> None:
        self._tell(self._progress(moves=moves))

    def _progress(self, **news: Any) -> Progress:
        return Progress(self.assignment.number, self.assignment.attempt, **news)


def _nothing(_seat: int) -> None:
    """Where nobody comes to a seat, nobody can be in the way."""


def _seat(player: Player) -> SeatRecord:
    engine = player.kind is Kind.ENGINE
    kind = SeatKind.ENGINE if engine else SeatKind.CLIENT
    return SeatRecord(kind, _presentable(player.name), player.text if engine else "")


def _presentable(name: str) -> str:
    return printable(name).strip(" ")[:NAME_LIMIT]


def _opening(
    game: Game[Any], opening: tuple[str, ...], dice: Random, now: int
) -> tuple[MoveRecord, ...]:
    """The decisions that are made already, and what chance decides before anybody else can."""
    state, records = game.start(), []
    for number, text in enumerate(opening):
        records.append(MoveRecord(number, state.turn, text, now))
        state = state.play(game.parse_move(text))
    for move in draw(state, dice):
        records.append(MoveRecord(len(records), CHANCE, game.format_move(move), now))
    return tuple(records)


def _begun_by(game: Game[Any], begins: int) -> tuple[str, ...]:
    assert isinstance(game, ConnectFour)  # noqa: S101 - in no other game a player decides that
    return tuple(replace(game, begins=begins).assignments())
