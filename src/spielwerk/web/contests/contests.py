"""The contests of this server: which there are, and those that somebody has looked at lately."""

from __future__ import annotations

import asyncio
import logging
import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.contests.contest import unpack
from spielwerk.web.contests import shown
from spielwerk.web.contests.followed import Followed
from spielwerk.web.contests.shown import Now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spielwerk.contests.archive import ContestArchive
    from spielwerk.store.contest_records import ContestRecord
    from spielwerk.web.live.audience import Audience
    from spielwerk.web.site import RunningContest, Site

log = logging.getLogger(__name__)

KEPT: Final = 8  # contests that are followed though nobody looks: those that were asked for last
MOMENT: Final = 2.0  # seconds that whoever comes waits for tables that are being made
ID: Final = re.compile(r"[A-Za-z0-9-]{1,100}")


class Contests:
    """All of them."""

    def __init__(self, site: Site) -> None:
        self.audiences: set[Audience] = set()  # those who look just now
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

    async def find_id(self, contest: str) -> str | None:
        """The ID itself, if there is a contest that has it."""
        return contest if await self.record(contest) else None

    async def record(self, contest: str) -> ContestRecord | None:
        """The contest of this ID, as it is kept."""
        if not ID.fullmatch(contest):
            return None
        return await asyncio.to_thread(self.archive.contest, contest)

    async def follow(self, contest: str, *, comes: bool = True) -> Followed | None:
        """The contest of this ID, up to date; nothing if there is none.

        The tables from before may be as old as the last visit, so whoever `comes` waits a moment
        for new ones; those who are here will hear of them anyway.
        """
        record = await self.record(contest)
        if record is None:
            return None
        followed = self._followed.pop(contest, None)
        if followed is None or followed.record != record:  # its description may have grown
            followed = Followed(self.archive, record, self._site.contest, self._one_at_a_time)
        self._followed[contest] = followed
        self._forget()
        await followed.refresh(MOMENT if comes else 0.0)
        return followed

    def _forget(self) -> None:
        looked_at = {audience.contest for audience in self.audiences}
        idle = [one for one in self._followed if one not in looked_at]
        for one in idle[:-KEPT]:
            del self._followed[one]

    async def conclude(self) -> None:
        """Tell everybody who looks how it stands: nothing more will happen here."""
        await asyncio.gather(*(_conclude(audience) for audience in list(self.audiences)))

    async def listed(self) -> list[dict[str, Any]]:
        """All contests, the newest first, with how far they are."""
        running = self.running
        now = {running.id: Now(shown.live(running), running.playing)} if running else {}
        return await asyncio.to_thread(_listed, self.archive, now)

    async def place_of(self, game_id: str) -> dict[str, Any] | None:
        """Which game of which contest a game is, if it is one of one."""
        running = self.running
        # While it is played only whoever plays it knows its Game-ID.
        number = running.running().get(game_id) if running else None
        playing = None if running is None or number is None else (running.id, number)
        return await asyncio.to_thread(_place, self.archive, game_id, playing)


async def _conclude(audience: Audience) -> None:
    try:
        await audience.conclude()
    except Exception:
        log.exception("cannot tell how a contest ended")


# in a thread


def _listed(archive: ContestArchive, now: Mapping[str, Now]) -> list[dict[str, Any]]:
    return [_row(archive, record, now.get(record.id, Now())) for record in archive.contests()]


def _row(archive: ContestArchive, record: ContestRecord, now: Now) -> dict[str, Any]:
    contest = unpack(record.description)
    far, growing = archive.far(record.id), archive.growing(record.id, contest)
    return shown.row(record, far, now, growing=growing) | shown.rules(contest)


def _place(
    archive: ContestArchive, game_id: str, playing: tuple[str, int] | None
) -> dict[str, Any] | None:
    pairing = archive.pairing(*playing) if playing else archive.pairing_of_game(game_id)
    record = archive.contest(pairing.contest) if pairing else None
    if pairing is None or record is None:
        return None
    return {
        "id": record.id,
        "name": record.name,
        "number": pairing.number,
        "round": pairing.round,
        "opening": len(pairing.opening),  # plies that none of the players has chosen
    }
