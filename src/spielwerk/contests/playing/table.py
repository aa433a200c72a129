"""A table of a contest: nobody is asked before everybody has come, and nobody comes back."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

from spielwerk.store.records import Reason, ResultRecord
from spielwerk.tables.table import Rules, Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.store.records import GameRecord
    from spielwerk.tables.seat import Seat
    from spielwerk.tables.table import Clock, Journal

BLAMELESS: Final = (Reason.ABORTED, Reason.SERVER_ERROR)
NEVER: Final = float("inf")  # seconds until a lost player's seat is free again
GONE: Final = "the program has ended"
NO_BYE: Final = "sent no BYE after the end of the game"
SPEECHLESS: Final = (Reason.CONNECTION_LOST, Reason.TIME_OUT)


class Effort(Protocol):
    """Counts what the processor does for the players."""

    def asked(self, seat: int) -> None:
        """The player begins to think."""

    def spent(self, seat: int) -> int | None:
        """Milliseconds since then, if they are known."""


class ContestTable(Table):
    """Plays one game of a contest; `ended` is set when its result is kept.

    `inspect` is told of a seat that seems to have failed, before anybody else is.
    """

    def __init__(
        self,
        record: GameRecord,
        journal: Journal,
        clock: Clock,
        dice: Random,
        effort: Effort,
        inspect: Callable[[int], None] = lambda _seat: None,
    ) -> None:
        super().__init__(record, journal, clock, dice, Rules(reservation=NEVER, together=True))
        self._effort = effort
        self._inspect = inspect
        self._loop = asyncio.get_running_loop()
        self.ended = asyncio.Event()
        self.last_asked = self.now
        self.remarks: dict[int, str] = {}  # what seats did wrong, where others are told less
        self.late_bye: int | None = None  # the seat whose score did not come in its time
        self._abandoned: set[int] = set()
        self.watchers.append(_look)

    def ask(self, seat: Seat, since: float | None = None) -> None:
        """The seat's player has been asked to move."""
        super().ask(seat, since)
        self.last_asked = self.now
        self._effort.asked(seat.number)
        if seat.number in self._abandoned:
            self._loop.call_soon(self._desert, seat)

    def abandon(self, number: int) -> None:
        """The seat's program has ended: it has lost if it is asked once more, whoever answers."""
        self._abandoned.add(number)

    def _desert(self, seat: Seat) -> None:
        self.lose(seat, Reason.CONNECTION_LOST, GONE)

    def processor_time(self, seat: int) -> int | None:
        """Milliseconds of the seat's processes since it was asked."""
        return self._effort.spent(seat)

    def lose(self, seat: Seat, reason: Reason, detail: str) -> None:
        """This seat has lost, unless it turns out that another one has been in its way."""
        if not self.over:
            self._inspect(seat.number)
        super().lose(seat, reason, detail)

    def end(self, result: ResultRecord) -> None:
        """End the game; before anybody hears who has spoilt it, it is seen whether that is true.

        Whoever is told may go, and then nothing is seen any more.
        """
        if result.culprit is not None and not self.over:
            if self.forfeit is None:
                self._inspect(result.culprit)
            result = self._held_to_its_bye(self.forfeit or result)
        super().end(result)

    def _held_to_its_bye(self, result: ResultRecord) -> ResultRecord:
        """The same, unless the game is decided: who says nothing then has broken the protocol.

        It would be a way to spoil a game that is lost, and the dice sheet names the BYE above all.
        """
        if self.state.outcome is None or result.reason not in SPEECHLESS:
            return result
        if result.reason is Reason.TIME_OUT:
            self.late_bye = result.culprit
        return replace(result, reason=Reason.PROTOCOL_ERROR, detail=NO_BYE)

    def leave(self, seat: Seat, reason: Reason, detail: str) -> None:
        """The occupant is gone, and the game with it, also if that is nobody's fault."""
        super().leave(seat, reason, detail)
        blameless = reason in BLAMELESS
        if blameless or not self.begun:
            culprits = () if blameless else (seat.number,)
            self.end(ResultRecord(reason, None, detail, self.wall, culprits))


def _look(table: Table) -> None:
    if table.over and isinstance(table, ContestTable):
        table.ended.set()
