"""The contests of this server: which there are, and those that somebody has looked at lately."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.tournament.describing.packing import unpack
from spielwerk.web.contests import shown
from spielwerk.web.contests.followed import Followed

if TYPE_CHECKING:
    from spielwerk.store.contest_records import ContestRecord
    from spielwerk.web.contests.archive import ContestArchive
    from spielwerk.web.site import RunningContest, Site

KEPT: Final = 8  # contests that are followed; of more the one is dropped that waited longest
ID: Final = re.compile(r"[A-Za-z0-9-]{1,100}")


class Contests:
    """All of them."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._followed: dict[str, Followed] = {}  # the one that was asked for last at the end
        self._one_at_a_time = asyncio.Lock()

    @property
    def archive(self) -> ContestArchive:
        """What is read of them."""
        return self._site.contests

    @property
    def running(self) -> RunningContest | None:
        """The one that is played here."""
        return self._site.contest()

    async def exists(self, contest: str) -> bool:
        """Whether there is a contest of this ID."""
        return await self.record(contest) is not None

    async def record(self, contest: str) -> ContestRecord | None:
        """The contest of this ID, as it is kept."""
        if not ID.fullmatch(contest):
            return None
        return await asyncio.to_thread(self.archive.contest, contest)

    async def follow(self, contest: str) -> Followed | None:
        """The contest of this ID, up to date; nothing if there is none."""
        record = await self.record(contest)
        if record is None:
            return None
        followed = self._followed.pop(contest, None)
        if followed is None or followed.record != record:  # its description may have grown
            followed = Followed(self.archive, record, self._site.contest, self._one_at_a_time)
        self._followed[contest] = followed
        while len(self._followed) > KEPT:
            self._followed.pop(next(iter(self._followed)))
        await followed.refresh()
        return followed

    async def listed(self) -> list[dict[str, Any]]:
        """All contests, the newest first, with how far they are."""
        rows = await asyncio.to_thread(_listed, self.archive)
        return [row | {"live": shown.live(self._played(row["id"]))} for row in rows]

    def _played(self, contest: str) -> RunningContest | None:
        running = self.running
        return running if running and running.id == contest else None

    async def place_of(self, game_id: str) -> dict[str, Any] | None:
        """Which game of which contest a game is, if it is one of one."""
        running = self.running
        # While it is played only whoever plays it knows its Game-ID.
        number = running.running().get(game_id) if running else None
        playing = None if running is None or number is None else (running.id, number)
        return await asyncio.to_thread(_place, self.archive, game_id, playing)


# in a thread


def _listed(archive: ContestArchive) -> list[dict[str, Any]]:
    return [_row(archive, record) for record in archive.contests()]


def _row(archive: ContestArchive, record: ContestRecord) -> dict[str, Any]:
    return {
        **shown.titled(record),
        **shown.rules(unpack(record.description)),
        "entrants": len(archive.entrants(record.id)),
        "progress": shown.progress(archive.counts(record.id)),
    }


def _place(
    archive: ContestArchive, game_id: str, playing: tuple[str, int] | None
) -> dict[str, Any] | None:
    pairing = archive.pairing(*playing) if playing else archive.pairing_of_game(game_id)
    record = archive.contest(pairing.contest) if pairing else None
    if pairing is None or record is None:
        return None
    told = {"number": pairing.number, "round": pairing.round}
    return {"id": record.id, "name": record.name, **told}
