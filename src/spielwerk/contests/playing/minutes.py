"""The journal of one game, in memory: whoever has it played writes it down as a whole."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from spielwerk.store.records import Ended, Moved, WireRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.store.records import Entry, MoveRecord, ResultRecord

    Done = Callable[[BaseException | None], None]


class Minutes:
    """Takes what a table and its connections write; `moved` is told every turn that was made.

    Names that players give themselves are not kept: in a contest they are called as the contest
    calls them.
    """

    def __init__(self, moved: Callable[[tuple[MoveRecord, ...]], None]) -> None:
        self.moves: list[MoveRecord] = []
        self.result: ResultRecord | None = None
        self.wires: list[WireRecord] = []
        self._moved = moved
        self._loop = asyncio.get_running_loop()

    def add(self, entry: Entry, done: Done) -> None:
        """Take an entry; `done` hears of it as it would from a journal: later, in the loop."""
        if isinstance(entry, Moved):
            self.moves += entry.moves
            self.result = entry.result
            self._moved(entry.moves)
        elif isinstance(entry, Ended):
            self.result = entry.result
        elif isinstance(entry, WireRecord):
            self.wires.append(entry)
        self._loop.call_soon(done, None)
