"""The programs of one game: started together, waited for, and stopped together."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.contests.programs.program import CannotRun, Program
from spielwerk.store.contest_records import End

if TYPE_CHECKING:
    from collections.abc import Collection

    from spielwerk.contests.playing.arrival import Arrival
    from spielwerk.contests.playing.seats.seating import Seating

log = logging.getLogger(__name__)

LEAVING: Final = 2.0  # seconds for programs to leave by themselves when the game is over
OBITUARY: Final = 1.0  # seconds for a program to end that has cut its connection


class Cast:
    """The programs by their seats."""

    def __init__(self) -> None:
        self.programs: dict[int, Program] = {}

    async def start(self, seating: Seating) -> None:
        """Start everybody; who cannot be started has not come."""
        sitting = seating.sitting
        for number in seating.numbers:
            try:
                program = Program.of(sitting.player(number), seating.places(number), sitting.terms)
                self.programs[number] = program
                await program.start()
            except CannotRun as error:
                self.programs.pop(number, None)
                sitting.arrivals[number].failed(End.NO_START, str(error))
            else:
                program.ended.add_done_callback(partial(_tell, sitting.arrivals[number]))
                sitting.efforts.clocks[number] = program.cpu
                sitting.keeper.introduce(number, program.tree)

    def ended(self, number: int) -> asyncio.Future[str] | None:
        """Done when the program of a seat has ended, if it has one."""
        program = self.programs.get(number)
        return program.ended if program else None

    async def obituary(self, number: int) -> str:
        """How the program of a seat has ended; empty if it lives on, or is none of ours."""
        ended = self.ended(number)
        if ended:
            await asyncio.wait([ended], timeout=OBITUARY)
        return ended.result() if ended and ended.done() else ""

    async def crash(self, number: int) -> str:
        """How the program of a seat has ended in the middle of a game, or was stopped."""
        status = await self.obituary(number)
        stopped = status and self.programs[number].over_limit
        return status if stopped or not status else f"{status} before the end of the game"

    async def leave(self, besides: Collection[int]) -> None:
        """Wait a moment for everybody to leave, besides those who are not to be waited for."""
        going = [program.ended for n, program in self.programs.items() if n not in besides]
        if going:
            await asyncio.wait(going, timeout=LEAVING)

    async def stop(self) -> None:
        """Nobody is left after this."""
        programs = self.programs.values()
        stopped = await asyncio.gather(
            *(program.stop() for program in programs), return_exceptions=True
        )
        for problem in stopped:
            if isinstance(problem, Exception):
                log.error("a program was not stopped", exc_info=problem)


def _tell(arrival: Arrival, ended: asyncio.Future[str]) -> None:
    if not ended.cancelled():
        arrival.left(ended.result())
