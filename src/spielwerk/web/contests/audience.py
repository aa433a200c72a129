"""The viewers of a contest: they hear its standings, how far it is, and see some of its boards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from spielwerk.web.boards import Gallery
from spielwerk.web.viewers import Audience, encode

if TYPE_CHECKING:
    from collections.abc import Collection

    from spielwerk.tables.arena import Arena
    from spielwerk.web.contests.contests import Contests, Followed
    from spielwerk.web.viewers import Viewer

HEARING: Final = 0.02  # seconds between two looks at whether everything has been sent


class ContestAudience(Audience):
    """The viewers of one contest, and what they have been told."""

    def __init__(self, contests: Contests, contest: Followed, arena: Arena) -> None:
        super().__init__()
        self._contests = contests
        self._contest = contest
        self._gallery = Gallery(arena, self._running)
        self._version = contest.version
        self._progress = contest.progress
        self._telling = asyncio.Lock()  # what is older must not come later

    @property
    def contest(self) -> str:
        """The ID of what they look at."""
        return self._contest.record.id

    @property
    def busy(self) -> bool:
        """Whether they are just being told something."""
        return self._telling.locked()

    def join(self, viewer: Viewer) -> None:
        """From now on the viewer hears what is new; first everything."""
        self.viewers[viewer] = None
        self._contests.audiences.add(self)
        viewer.offer(self._whole(operator=viewer.operator))
        self._gallery.join(viewer)

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        super().leave(viewer)
        self._gallery.leave(viewer)
        if not self.viewers:
            self._contests.audiences.discard(self)

    async def tell_news(self) -> None:
        """Tell all viewers what is new."""
        async with self._telling:
            await self._follow()
            await self._tell_contest()
            await self._gallery.tell_news()

    async def conclude(self) -> None:
        """Tell all viewers how it stands at this moment, and wait until that has been sent."""
        async with self._telling:
            await self._follow()
            await self._contest.refresh(at_once=True)
            await self._tell_contest()  # the tables may take too long
            await self._gallery.tell_news()
            await self._contest.make_now()
            await self._tell_contest()
        while any(viewer.unsent for viewer in self.viewers):
            await asyncio.sleep(HEARING)

    async def _follow(self) -> None:
        contest = await self._contests.follow(self.contest, comes=False)
        if contest is not None and contest is not self._contest:
            self._contest, self._version = contest, 0

    def _running(self) -> Collection[str]:
        live = self._contest.live
        return live.running() if live else ()

    async def _tell_contest(self) -> None:
        progress = self._contest.progress
        if self._contest.version != self._version:
            self._version, self._progress = self._contest.version, progress
            texts = {operator: self._whole(operator=operator) for operator in (False, True)}
            await self.tell(lambda viewer: texts[viewer.operator])
        elif progress != self._progress:
            self._progress = progress
            await self.tell(f'{{"type":"progress",{progress}}}')

    def _whole(self, *, operator: bool) -> str:
        contest = self._contest
        return (
            f'{{"type":"contest","operator":{encode(operator)},'
            f'"contest":{{{contest.tables}}},{contest.progress}}}'
        )
