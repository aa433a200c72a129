"""Coming to a seat: a player sits down, or it is clear that it will not."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.store.contest_records import End
from spielwerk.store.records import Reason

if TYPE_CHECKING:
    from collections.abc import Awaitable

SETTLING: Final = 0.3  # seconds for the last words of a program that has ended to be read

_ENDS: Final = {
    Reason.PROTOCOL_ERROR: End.PROTOCOL_ERROR,
    Reason.TIME_OUT: End.STALL,  # nobody is asked for a move before the game begins
    Reason.STALLED: End.STALL,
    Reason.ILLEGAL_MOVE: End.ILLEGAL_MOVE,  # the very first one
    Reason.SERVER_ERROR: End.SERVER_ERROR,
}


class Failure(NamedTuple):
    """Why a player does not sit on its seat."""

    end: End
    detail: str


def ended_at_start(status: str) -> Failure:
    """What is said of a program that has ended before it sat down."""
    return Failure(End.NO_START, f"the program ended at the start: {status}")


class Arrival:
    """Whether a player has come; the first thing that is said about it counts."""

    def __init__(self) -> None:
        self.lacking = ""  # what is waited for, if the player has done part of it
        self._known: asyncio.Future[Failure | None] = asyncio.get_running_loop().create_future()
        self._left: str | None = None  # the status of a program that has ended

    @property
    def open(self) -> bool:
        """Whether nothing is known yet."""
        return not self._known.done()

    def came(self) -> None:
        """The player sits, unless its program has ended: then somebody else plays in its place."""
        self._tell(None if self._left is None else ended_at_start(self._left))

    def left(self, status: str) -> None:
        """The program has ended: its last words count, but it cannot come any more."""
        self._left = status

    def failed(self, end: End, detail: str) -> None:
        """The player has not come, and there is no use in waiting."""
        self._tell(Failure(end, detail))

    def refused(self, reason: Reason, detail: str) -> None:
        """The player came to the door and was sent away for something that it did."""
        if reason in _ENDS:
            self.failed(_ENDS[reason], detail)

    def _tell(self, what: Failure | None) -> None:
        if self.open:
            self._known.set_result(what)

    async def known(self) -> Failure | None:
        """Wait until something is known, as long as it takes; None if the player sits."""
        return await asyncio.shield(self._known)

    async def within(self, seconds: float, ended: Awaitable[str] | None = None) -> Failure | None:
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
                self.failed(*ended_at_start(gone.result()))
        finally:
            if gone:
                gone.cancel()
        missing = f": {self.lacking}" if self.lacking else ""
        self.failed(End.NO_START, f"did not take its seat within {seconds:g} s{missing}")
        return self._known.result()
