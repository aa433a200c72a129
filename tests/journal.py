"""A journal in memory for tests: written at once or when it is told to, and broken on purpose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from spielwerk.store.records import (
    Created,
    Ended,
    Ending,
    Entry,
    Moved,
    MoveRecord,
    TakenBack,
    WireRecord,
)

Done = Callable[[BaseException | None], None]


EntryT = TypeVar("EntryT")


class MemoryJournal:
    """Keeps entries in a list; `call_soon` is that of the running loop unless another is given.

    `broken` is an error, or a function that says which error an entry meets.
    """

    def __init__(self, call_soon: Callable[..., object] | None = None) -> None:
        self._call_soon = call_soon
        self.entries: list[Entry] = []
        self.held: list[tuple[Entry, Done]] = []
        self.hold = False
        self.broken: BaseException | Callable[[Entry], BaseException | None] | None = None

    def add(self, entry: Entry, done: Done) -> None:
        """Commit the entry soon, or when it is released."""
        if self.hold:
            self.held.append((entry, done))
        else:
            (self._call_soon or asyncio.get_running_loop().call_soon)(self._commit, entry, done)

    def release(self) -> None:
        """Commit what was held back."""
        held, self.held = self.held, []
        for entry, done in held:
            self._commit(entry, done)

    def _commit(self, entry: Entry, done: Done) -> None:
        error = self.broken(entry) if callable(self.broken) else self.broken
        if error is None:
            self.entries.append(entry)
        done(error)

    def of(self, kind: type[EntryT]) -> list[EntryT]:
        """The entries of a kind."""
        return [entry for entry in self.entries if isinstance(entry, kind)]

    def moves(self, game: str) -> list[MoveRecord]:
        """The decisions that are kept of a game."""
        made: list[MoveRecord] = []
        for entry in self.entries:
            if isinstance(entry, Created) and entry.record.id == game:
                made += entry.record.moves
            if isinstance(entry, Moved) and entry.game == game:
                made += entry.moves
            if isinstance(entry, TakenBack) and entry.game == game:
                del made[entry.kept :]
        return made

    def results(self, game: str) -> list[Ending]:
        """The endings that are kept of a game: one at most, if all is well."""
        ends: list[Any] = [*self.of(Moved), *self.of(Ended)]
        return [entry.result for entry in ends if entry.game == game and entry.result]

    def wires(self, game: str) -> list[WireRecord]:
        """The transcripts that are kept of a game."""
        return [wire for wire in self.of(WireRecord) if wire.game == game]
