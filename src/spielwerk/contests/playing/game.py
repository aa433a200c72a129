"""One game of a contest while it is played: its table, its players, and their programs."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import Progress
from spielwerk.contests.playing.facilities import CpuMeter
from spielwerk.contests.programs.network import Network, SandboxNetwork
from spielwerk.contests.programs.program import CannotRun, Program, stop_all
from spielwerk.errors import printable
from spielwerk.games import CHANCE, find_game
from spielwerk.store.records import (
    Ended,
    Ending,
    GameRecord,
    Kind,
    Moved,
    MoveRecord,
    Reason,
    SeatKind,
    SeatRecord,
    WireRecord,
)
from spielwerk.tables.occupants import EngineOccupant
from spielwerk.tables.parts import Rules, draw, new_id
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NAME_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from spielwerk.contests.contest import AssignedPlayer, Assignment
    from spielwerk.contests.playing.facilities import Facilities
    from spielwerk.games import Game
    from spielwerk.games.record import Record
    from spielwerk.store.records import Entry
    from spielwerk.tables.parts import Clock, Done, Seat

log = logging.getLogger(__name__)

SETTLING: Final = 0.3  # seconds for the last words of a program that has ended to be read
LEAVING: Final = 2.0  # seconds for programs to leave by themselves when the game is over
LAST_WORDS: Final = 1.0  # seconds for a program to end that has cut its connection

BLAMELESS: Final = (Reason.ABORTED, Reason.SERVER_ERROR)
NEVER: Final = float("inf")  # seconds until a lost player's seat is free again
GONE: Final = "the program has exited"
NO_BYE: Final = "sent no BYE after the end of the game"
SPEECHLESS: Final = (Reason.CONNECTION_LOST, Reason.TIME_OUT)

FAULTS: Final = (
    Reason.PROTOCOL_ERROR,
    Reason.STALLED,
    Reason.ILLEGAL_MOVE,  # the very first one
    Reason.SERVER_ERROR,
)


def ended_at_start(status: str) -> Ending:
    """What is said of a program that has ended before it sat down."""
    return Ending(Reason.NO_START, detail=f"the program exited at startup: {status}")


class Attendance:
    """Whether a player has taken its seat; the first thing that is said about it counts."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._known: asyncio.Future[Ending | None] = self._loop.create_future()
        self._left: Ending | None = None  # the program has exited

    def came(self) -> None:
        """The player sits, unless its program has ended: then another one plays in its place."""
        self.tell(self._left)

    def left(self, status: str) -> None:
        """The program has ended: its last words count, but it cannot come any more."""
        self._left = ended_at_start(status)
        self._loop.call_later(SETTLING, self.tell, self._left)

    def failed(self, reason: Reason, detail: str) -> None:
        """The player has not come, and there is no use in waiting."""
        self.tell(Ending(reason, detail=detail))

    def refused(self, reason: Reason, detail: str) -> None:
        """The player was sent away for something that it did."""
        if reason is Reason.TIME_OUT:
            reason = Reason.STALLED  # no move is asked for before the game begins
        if reason in FAULTS:
            self.failed(reason, detail)

    def tell(self, failure: Ending | None) -> None:
        """Why the player has not come; None if it sits."""
        if not self._known.done():
            self._known.set_result(failure)

    async def known(self) -> Ending | None:
        """Wait until something is known, as long as it takes; None if the player sits."""
        return await asyncio.shield(self._known)

    async def within(self, seconds: float) -> Ending | None:
        """Wait for the player; None if it sits."""
        await asyncio.wait([self._known], timeout=seconds)
        self.failed(Reason.NO_START, f"did not take its seat within {seconds:g} s")
        return self._known.result()


class GameJournal:
    """Keeps what a table and its connections write; `moved` is told every turn that was made.

    Names that players give themselves are not kept: in a contest they are called as the contest
    calls them.
    """

    def __init__(self, moved: Callable[[tuple[MoveRecord, ...]], None]) -> None:
        self.moves: list[MoveRecord] = []
        self.result: Ending | None = None
        self.wires: list[WireRecord] = []
        self._moved = moved
        self._loop = asyncio.get_running_loop()

    def add(self, entry: Entry, done: Done) -> None:
        """Take an entry; `done` is called later, in the loop, as by any journal."""
        if isinstance(entry, Moved):
            self.moves += entry.moves
            self.result = entry.result
            self._moved(entry.moves)
        elif isinstance(entry, Ended):
            self.result = entry.result
        elif isinstance(entry, WireRecord):
            self.wires.append(entry)
        self._loop.call_soon(done, None)


class ContestTable(Table):
    """Plays one game of a contest; `ended` is set when its result is kept.

    No player is asked before all have come, and none comes back.
    """

    def __init__(
        self,
        record: GameRecord,
        journal: GameJournal,
        clock: Clock,
        chance: Random,
        meter: CpuMeter,
    ) -> None:
        super().__init__(record, journal, clock, chance, Rules(reservation=NEVER, together=True))
        self.ended = asyncio.Event()
        self.last_asked = self.now
        self.remarks: dict[int, str] = {}  # what seats did wrong, where others are told less
        self.late_bye: int | None = None  # the seat whose score did not come in its time
        self._meter = meter
        self._loop = asyncio.get_running_loop()
        self._abandoned: set[int] = set()

    def ask(self, seat: Seat, since: float | None = None) -> None:
        """The seat's player has been asked to move."""
        super().ask(seat, since)
        self.last_asked = self.now
        self._meter.asked(seat.number)
        if seat.number in self._abandoned:
            self._loop.call_soon(self.lose, seat, Reason.CONNECTION_LOST, GONE)

    def abandon(self, number: int) -> None:
        """The seat's program has ended: it has lost if it is asked once more."""
        self._abandoned.add(number)

    def processor_time(self, seat: int) -> int | None:
        """Milliseconds of CPU time of the move that is just being made."""
        return self._meter.spent(seat)

    def end(self, result: Ending) -> None:
        """End the game; a player that has lost already is to blame, even if another one leaves."""
        if result.culprit is not None and not self.over:
            result = self._held_to_its_bye(self.forfeit or result)
        super().end(result)

    def _held_to_its_bye(self, result: Ending) -> Ending:
        """The same, unless the game is decided: to say nothing then breaks the protocol.

        It would be a way to spoil a game that is lost.
        """
        if self.state.outcome is None or result.reason not in SPEECHLESS:
            return result
        if result.reason is Reason.TIME_OUT:
            self.late_bye = result.culprit
        return replace(result, reason=Reason.PROTOCOL_ERROR, detail=NO_BYE)

    def leave(self, seat: Seat, reason: Reason, detail: str) -> None:
        """The occupant is gone, and the game with it, also if that is no player's fault."""
        super().leave(seat, reason, detail)
        blameless = reason in BLAMELESS
        if blameless or not self.begun:
            culprits = () if blameless else (seat.number,)
            self.end(Ending(reason, None, detail, self.wall, culprits))

    def tell_watchers(self) -> None:
        """Let the watchers look, and those who wait for the end."""
        super().tell_watchers()
        if self.over:
            self.ended.set()


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
        disk = self.terms.resources.disk
        self.networks: dict[int, Network] = {
            number: SandboxNetwork(disk) if self.terms.sandbox else Network()
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
        """Have the engines and the networks of the programs ready, so that no player waits."""
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
            attendance = self.attendance[number]
            try:
                program = Program.of(self.player(number), places(number), self.terms, network)
                self.programs[number] = program
                await program.start()
            except CannotRun as error:
                self.programs.pop(number, None)
                attendance.failed(Reason.NO_START, str(error))
            else:
                program.ended.add_done_callback(partial(_tell, attendance))
                self.meter.clocks[number] = program.cpu

    async def exit_status(self, number: int) -> str:
        """How the program of a seat has ended; empty if it goes on, or is none of ours."""
        program = self.programs.get(number)
        if program is None:
            return ""
        ended = program.ended
        await asyncio.wait([ended], timeout=LAST_WORDS)
        return ended.result() if ended.done() else ""

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


# the record of a game before the first move


def first_record(assignment: Assignment, game: Game[Any], chance: Random, now: int) -> GameRecord:
    """The game as it is before any player is asked."""
    return GameRecord(
        id=new_id(),
        game=game.name,
        options=tuple(game.assignments()),
        name=_presentable(assignment.name) or game.title,
        seats=tuple(map(_seat, assignment.seats)),
        move_time=assignment.terms.move_time,
        tournament=True,
        created=now,
        moves=_opening(game, assignment.opening, chance, now),
    )


def _seat(player: AssignedPlayer) -> SeatRecord:
    engine = player.kind is Kind.ENGINE
    kind = SeatKind.ENGINE if engine else SeatKind.CLIENT
    return SeatRecord(kind, _presentable(player.name), player.text if engine else "")


def _presentable(name: str) -> str:
    return printable(name).strip(" ")[:NAME_LIMIT]


def _opening(
    game: Game[Any], opening: tuple[str, ...], chance: Random, now: int
) -> tuple[MoveRecord, ...]:
    """The decisions that are made already, and what chance decides before any player can."""
    state, records = game.start(), []
    for number, text in enumerate(opening):
        records.append(MoveRecord(number, state.turn, text, now))
        state = state.play(game.parse_move(text))
    for move, _ in draw(state, chance):
        records.append(MoveRecord(len(records), CHANCE, game.format_move(move), now))
    return tuple(records)
