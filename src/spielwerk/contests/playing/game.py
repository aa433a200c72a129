"""One game of a contest while it is played: its table, its players, and their programs."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.assignment import Progress
from spielwerk.contests.playing.table import ContestTable, CpuMeter, GameJournal, first_record
from spielwerk.contests.programs.network import Network, SandboxNetwork
from spielwerk.contests.programs.program import CannotRun, Program, stop_all
from spielwerk.games import find_game
from spielwerk.store.contest_records import Kind
from spielwerk.store.records import Ending, Reason, SeatKind
from spielwerk.tables.engines import EngineOccupant

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from spielwerk.contests.assignment import AssignedPlayer, Assignment
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.games.record import Record
    from spielwerk.store.records import MoveRecord
    from spielwerk.tables.table import Table

log = logging.getLogger(__name__)

SETTLING: Final = 0.3  # seconds for the last words of a program that has ended to be read
LEAVING: Final = 2.0  # seconds for programs to leave by themselves when the game is over
LAST_WORDS: Final = 1.0  # seconds for a program to end that has cut its connection

FAULTS: Final = (
    Reason.PROTOCOL_ERROR,
    Reason.STALLED,
    Reason.ILLEGAL_MOVE,  # the very first one
    Reason.SERVER_ERROR,
)


def ended_at_start(status: str) -> Ending:
    """What is said of a program that has ended before it sat down."""
    return Ending(Reason.NO_START, detail=f"the program ended at the start: {status}")


class Attendance:
    """Whether a player has taken its seat; the first thing that is said about it counts."""

    def __init__(self) -> None:
        self.lacking = ""  # what is waited for, if the player has done part of it
        self._known: asyncio.Future[Ending | None] = asyncio.get_running_loop().create_future()
        self._left: str | None = None  # the status of a program that has ended

    def came(self) -> None:
        """The player sits, unless its program has ended: then another one plays in its place."""
        self._tell(None if self._left is None else ended_at_start(self._left))

    def left(self, status: str) -> None:
        """The program has ended: its last words count, but it cannot come any more."""
        self._left = status

    def failed(self, reason: Reason, detail: str) -> None:
        """The player has not come, and there is no use in waiting."""
        self._tell(Ending(reason, detail=detail))

    def refused(self, reason: Reason, detail: str) -> None:
        """The player was sent away for something that it did."""
        if reason is Reason.TIME_OUT:
            reason = Reason.STALLED  # no move is asked for before the game begins
        if reason in FAULTS:
            self.failed(reason, detail)

    def _tell(self, what: Ending | None) -> None:
        if not self._known.done():
            self._known.set_result(what)

    async def known(self) -> Ending | None:
        """Wait until something is known, as long as it takes; None if the player sits."""
        return await asyncio.shield(self._known)

    async def within(self, seconds: float, ended: Awaitable[str] | None = None) -> Ending | None:
        """Wait for the player; None if it sits.

        `ended` is done with the status of the program when that has ended: then it is too late.
        """
        gone = asyncio.ensure_future(ended) if ended else None
        try:
            await asyncio.wait(
                [self._known, *([gone] if gone else ())],
                timeout=seconds,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if gone and gone.done():
                await asyncio.wait([self._known], timeout=SETTLING)
                self._tell(ended_at_start(gone.result()))
        finally:
            if gone:
                gone.cancel()
        missing = f": {self.lacking}" if self.lacking else ""
        self.failed(Reason.NO_START, f"did not take its seat within {seconds:g} s{missing}")
        return self._known.result()


class ContestGame:
    """A game from its first record to its last move; `tell` hears how it begins and every turn."""

    def __init__(
        self, assignment: Assignment, facilities: Facilities, tell: Callable[[Progress], None]
    ) -> None:
        self.assignment = assignment
        self.terms = assignment.terms
        self.facilities = facilities
        self.journal = GameJournal(self._moved)
        self.game = find_game(assignment.game).from_text(assignment.options)
        self._dice = Random(assignment.seed)
        self.record = first_record(assignment, self.game, self._dice, facilities.clock.wall())
        self.meter = CpuMeter()
        self.engines = facilities.engines.lent(self._chance, self.meter.thought)
        seats = list(enumerate(assignment.seats))
        self.attendance = {n: Attendance() for n, one in seats if one.kind is not Kind.ENGINE}
        self.networks: dict[int, Network] = {
            number: SandboxNetwork() if self.terms.sandbox else Network()
            for number, player in seats
            if player.kind is Kind.COMMAND
        }
        self.programs: dict[int, Program] = {}
        self.table: ContestTable | None = None
        self.coming: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self._tell = tell

    @property
    def id(self) -> str:
        """The Game-ID."""
        return self.record.id

    def player(self, number: int) -> AssignedPlayer:
        """Who belongs on a seat."""
        return self.assignment.seats[number]

    # the table

    async def prepare(self) -> None:
        """Have the engines and the networks of the programs ready, so that nobody waits later."""
        for seat in self.record.seats:
            if seat.kind is SeatKind.ENGINE:
                await self.engines.warm(self.game, seat.player)
        opening = (network.open() for network in self.networks.values())
        for problem in await asyncio.gather(*opening, return_exceptions=True):
            if problem:
                raise problem

    def set_up(
        self, names: Callable[[str], str], options: tuple[str, ...] | None = None
    ) -> ContestTable:
        """Set up the table; `names` makes names such that they can stand on the wire.

        `options` are for games in which a player decides on one; the record follows what happened.
        """
        if options is not None:
            self.record = replace(self.record, options=options)
        seats = tuple(replace(seat, name=names(seat.name)) for seat in self.record.seats)
        record, clock = replace(self.record, seats=seats), self.facilities.clock
        self.table = table = ContestTable(record, self.journal, clock, self._dice, self.meter)
        self._tell(self._progress(record=self.record))
        for seat in table.seats:
            if seat.record.kind is SeatKind.ENGINE:
                seat.occupant = EngineOccupant(table, seat, self.engines)
        self.coming.set_result(table)
        return table

    def begin(self) -> None:
        """Let the game begin if all players are engines."""
        if self.table:
            self.table.gather()

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

    # the programs

    async def start_programs(self, places: Callable[[int], Mapping[str, str]]) -> None:
        """Start all programs; one that cannot be started has not come."""
        for number, network in self.networks.items():
            try:
                program = Program.of(self.player(number), places(number), self.terms, network)
                self.programs[number] = program
                await program.start()
            except CannotRun as error:
                self.programs.pop(number, None)
                self.attendance[number].failed(Reason.NO_START, str(error))
            else:
                program.ended.add_done_callback(partial(_tell, self.attendance[number]))
                self.meter.clocks[number] = program.cpu

    def ended(self, number: int) -> asyncio.Future[str] | None:
        """Done when the program of a seat has ended, if it has one."""
        program = self.programs.get(number)
        return program.ended if program else None

    async def exit_status(self, number: int) -> str:
        """How the program of a seat has ended; empty if it goes on, or is none of ours."""
        ended = self.ended(number)
        if ended:
            await asyncio.wait([ended], timeout=LAST_WORDS)
        return ended.result() if ended and ended.done() else ""

    async def crash(self, number: int) -> str:
        """How the program of a seat has ended in the middle of a game, or was stopped."""
        status = await self.exit_status(number)
        stopped = status and self.programs[number].over_limit
        return status if stopped or not status else f"{status} before the end of the game"

    async def programs_left(self, besides: Collection[int]) -> None:
        """Wait a moment for programs to leave, besides those that are not to be waited for."""
        going = [program.ended for n, program in self.programs.items() if n not in besides]
        if going:
            await asyncio.wait(going, timeout=LEAVING)

    async def stop_programs(self) -> None:
        """Stop all programs and close their networks; nothing of them is left."""
        for problem in await stop_all([*self.programs.values()]):
            log.error("a program was not stopped", exc_info=problem)
        for network in self.networks.values():
            await network.close()


def _tell(attendance: Attendance, ended: asyncio.Future[str]) -> None:
    if not ended.cancelled():
        attendance.left(ended.result())
