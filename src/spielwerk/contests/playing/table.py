"""The table of a contest's game, its journal in memory, and the CPU time of its players."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from spielwerk.store.records import (
    Ended,
    Ending,
    GameRecord,
    Moved,
    MoveRecord,
    Reason,
    WireRecord,
)
from spielwerk.tables.parts import Rules
from spielwerk.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.store.records import Entry
    from spielwerk.tables.parts import Clock
    from spielwerk.tables.seat import Seat

    Done = Callable[[BaseException | None], None]

BLAMELESS: Final = (Reason.ABORTED, Reason.SERVER_ERROR)
NEVER: Final = float("inf")  # seconds until a lost player's seat is free again
GONE: Final = "the program has ended"
NO_BYE: Final = "sent no BYE after the end of the game"
SPEECHLESS: Final = (Reason.CONNECTION_LOST, Reason.TIME_OUT)


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


class CpuMeter:
    """The CPU time of each move; programs have clocks, engines say how long they thought."""

    def __init__(self) -> None:
        self.clocks: dict[int, Callable[[], int]] = {}  # of programs, in milliseconds
        self.engines: dict[int, float] = {}  # seconds in all
        self._before: int | None = None  # the clock of the seat that was asked
        self._thought: float | None = None  # seconds

    def thought(self, seconds: float) -> None:
        """An engine has found a move; called in its thread."""
        self._thought = seconds

    def asked(self, seat: int) -> None:
        """The player begins to think."""
        clock = self.clocks.get(seat)
        self._before = clock() if clock else None

    def spent(self, seat: int) -> int | None:
        """Milliseconds since then, if they are known."""
        clock, before, thought = self.clocks.get(seat), self._before, self._thought
        self._before = self._thought = None
        if thought is not None:
            self.engines[seat] = self.engines.get(seat, 0.0) + thought
            return round(1000 * thought)
        return None if clock is None or before is None else clock() - before


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
        self.watchers.append(_look)

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


def _look(table: Table) -> None:
    if table.over and isinstance(table, ContestTable):
        table.ended.set()
