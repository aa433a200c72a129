"""Where a process plays its games: what they share, and what is kept warm from one to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from spielwerk.clients.players import make_remote
from spielwerk.contests.programs.measuring import Load
from spielwerk.servers.metrics import Metrics
from spielwerk.tables.arena import Arena
from spielwerk.tables.engines import EnginePool
from spielwerk.tables.parts import SystemClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry

HERE: Final = "127.0.0.1"


class Venue:
    """Engines and a clock for games that are played here; one game's table is nobody else's.

    `threads` is how many engines may think at once; a worker plays one game at a time, and there
    one of them thinks at a time.
    """

    def __init__(self, threads: int = 1) -> None:
        self.engines = EnginePool(threads, remote=make_remote)
        self.clock = SystemClock()
        self.metrics = Metrics()
        self.load = Load()
        self.load.start()
        # The services want one; here every game has its table for itself.
        self.arena = Arena(_Nothing(), self.clock, engines=self.engines)

    async def close(self) -> None:
        """Let the engines go; what they think about is not waited for."""
        self.engines.close()
        self.load.stop()


class _Nothing:
    """The journal of an arena without tables."""

    def add(self, entry: Entry, done: Callable[[BaseException | None], None]) -> None:
        raise AssertionError(f"nobody is to write {entry} here; {done} will not hear of it")
