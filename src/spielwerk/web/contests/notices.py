"""Contests as the lobby shows them: a row each, in the place of their thousands of games.

Only the contest that is played here changes, so only its row is read again, and nothing at all
while none is played.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import unpack
from spielwerk.web.contests import shown
from spielwerk.web.contests.shown import Now
from spielwerk.web.live.messages import encode

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from spielwerk.contests.archive import ContestArchive
    from spielwerk.store.contest_records import ContestRecord
    from spielwerk.web.site import Site

    Row = dict[str, Any]
    Played = Mapping[str, Now]  # the contest that is played here by its ID, or nothing

NEWEST: Final = 10  # that are told of, besides what is played here; /contests has all


class Notices:
    """The rows, as they were last read."""

    def __init__(self, site: Site) -> None:
        self.text = "[]"  # for pages, the newest first
        self._site = site
        self._rows: Mapping[str, Row] | None = None  # by the contests' IDs
        self._played: Played = {}  # at the last look
        self._here: set[str] = set()  # what was played since this server began

    def note(self) -> None:
        """Something has happened in a contest that is played here."""
        self._here |= self._now().keys()

    async def look(self) -> None:
        """Bring the rows up to date."""
        self.note()
        now = self._now()
        changed = now.keys() | self._played.keys()  # one that is over is read once more
        if changed or self._rows is None:
            known = {key: row for key, row in (self._rows or {}).items() if key not in changed}
            here = frozenset(self._here)
            self._rows = await asyncio.to_thread(_read, self._site.contests, known, here, now)
            self.text = encode([row | {"here": key in here} for key, row in self._rows.items()])
        self._played = now

    def _now(self) -> Played:
        running = self._site.contest()
        return {running.id: Now({"jobs": running.jobs}, running.playing)} if running else {}


# in a thread


def _read(
    archive: ContestArchive, known: Mapping[str, Row], here: Collection[str], now: Played
) -> Mapping[str, Row]:
    """The rows of the newest contests and of those played here; what is known stays."""
    records = archive.contests()
    told = [one for place, one in enumerate(records) if place < NEWEST or one.id in here]
    return {one.id: known.get(one.id) or _row(archive, one, now.get(one.id, Now())) for one in told}


def _row(archive: ContestArchive, record: ContestRecord, now: Now) -> Row:
    growing = archive.growing(record.id, unpack(record.description))
    return shown.row(record, archive.far(record.id), now, growing=growing)
