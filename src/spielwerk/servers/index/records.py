"""Games of the list as they are kept, and as they stand in a log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from spielwerk.wire.connect4.index import Entry
from spielwerk.wire.connect4.messages import RegisterGame, SealGame, Status

if TYPE_CHECKING:
    from spielwerk.store.records import Entry as JournalEntry
    from spielwerk.wire.connect4.index import Change


def entry_of(record: IndexRecord) -> Entry:
    """A game that was kept, as it stands in the list."""
    return Entry(
        record.guid,
        record.player,
        record.name,
        record.width,
        record.height,
        record.depth,
        record.address,
        record.port,
        record.owner,
        Status.SEALED if record.sealed else Status.OPEN,
    )


def journal_entry(change: Change) -> JournalEntry:
    """What is written of a change."""
    entry = change.entry
    if change.request is not RegisterGame:
        step = IndexStep.SEALED if change.request is SealGame else IndexStep.REMOVED
        return IndexChanged((entry.guid,), step)
    return IndexRecord(
        entry.guid,
        entry.player,
        entry.name,
        entry.width,
        entry.height,
        entry.depth,
        entry.address,
        entry.port,
        entry.owner,
        time.time_ns() // 1_000_000,
    )


def described(entry: Entry) -> str:
    """What may stand in a log: not the GUID, which is the key to the game."""
    at = f"{entry.address}:{entry.port}"
    return f"name={entry.name!r} player={entry.player!r} at={at!r} owner={entry.owner}"
