"""The viewers of a contest, and the boards of its running games as they see them.

Bots may play hundreds of moves a second, which no eye could follow. So pages do not hear every
move: at most once a second they are told where the boards stand now, and only of those that have
changed. A game keeps its place until it is over; then another comes there.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.web import views
from spielwerk.web.viewers import Audience, encode, in_thread

if TYPE_CHECKING:
    from collections.abc import Collection

    from spielwerk.games import State
    from spielwerk.store.records import MoveRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Table
    from spielwerk.web.contests.contests import Contests, Followed
    from spielwerk.web.viewers import Viewer

HEARING: Final = 0.02  # seconds between two looks at whether everything has been sent
PLACES: Final = 12
LONGEST: Final = 20_000  # characters of a board; a larger one is not shown as a small one


class ContestAudience(Audience):
    """The viewers of one contest, and what they have been told."""

    def __init__(self, contests: Contests, contest: Followed, arena: Arena) -> None:
        super().__init__()
        self._contests = contests
        self._contest = contest
        self._boards = Boards(arena)
        self._version = contest.version
        self._progress = contest.progress
        self._board_version = 0
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
        viewer.offer(self._boards.told(0))

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        super().leave(viewer)
        if not self.viewers:
            self._contests.audiences.discard(self)

    async def tell_news(self) -> None:
        """Tell all viewers what is new."""
        async with self._telling:
            await self._follow()
            await self._tell_contest()
            await self._tell_boards()

    async def conclude(self) -> None:
        """Tell all viewers how it stands at this moment, and wait until that has been sent."""
        async with self._telling:
            await self._follow()
            await self._contest.refresh(at_once=True)
            await self._tell_contest()  # the tables may take too long
            await self._tell_boards()
            await self._contest.make_now()
            await self._tell_contest()
        while any(viewer.unsent for viewer in self.viewers):
            await asyncio.sleep(HEARING)

    async def _follow(self) -> None:
        contest = await self._contests.follow(self.contest, comes=False)
        if contest is not None and contest is not self._contest:
            self._contest, self._version = contest, 0

    async def _tell_boards(self) -> None:
        live = self._contest.live
        await self._boards.look(live.running() if live else ())
        if self._boards.version != self._board_version:
            text = self._boards.told(self._board_version)
            self._board_version = self._boards.version
            await self.tell(text)

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


class Boards:
    """The places, what is on each, and when that has last changed."""

    def __init__(self, arena: Arena) -> None:
        self.version = 0  # grows with every change
        self._arena = arena
        self._places: list[str] = []  # Game-IDs
        self._seen: dict[str, tuple[int, bool]] = {}  # how far they were
        self._texts: dict[str, str] = {}
        self._changed: dict[str, int] = {}  # the version in which they last changed

    async def look(self, running: Collection[str]) -> None:
        """Bring the boards up to date; `running` are the games that can be watched."""
        tables = {one: table for one in running if (table := self._arena.find(one))}
        places = _placed(self._places, tables)
        news = [one for one in places if self._seen.get(one) != _far(tables[one])]
        if not news and places == self._places:
            return
        self.version += 1
        for one in news:
            self._seen[one] = _far(tables[one])
            self._texts[one] = await in_thread(_put, Moment.of(tables[one]))
        moved = [one for n, one in enumerate(places) if self._places[n : n + 1] != [one]]
        self._changed |= dict.fromkeys((*news, *moved), self.version)
        self._places = places
        self._forget()

    def _forget(self) -> None:
        for known in (self._seen, self._texts, self._changed):
            for one in known.keys() - {*self._places}:
                del known[one]

    def told(self, since: int) -> str:
        """What has changed since that version, as a message."""
        boards = ",".join(
            f'{{"place":{place},{self._texts[one]}}}'
            for place, one in enumerate(self._places)
            if self._changed[one] > since
        )
        return f'{{"type":"boards","places":{len(self._places)},"boards":[{boards}]}}'


def _placed(places: list[str], tables: Collection[str]) -> list[str]:
    """Who stays has the same place; free ones are filled, and the last ones close up."""
    waiting = iter([one for one in tables if one not in places])
    filled = [one if one in tables else next(waiting, "") for one in places]
    filled += [*waiting][: PLACES - len(filled)]
    return [one for one in filled if one]


def _far(table: Table) -> tuple[int, bool]:
    return len(table.history), table.over


class Moment(NamedTuple):
    """A table as it stands now; the next move must not come between its parts."""

    table: Table
    state: State[Any]
    before: State[Any] | None
    last: MoveRecord | None

    @classmethod
    def of(cls, table: Table) -> Moment:
        """The moment that is."""
        plies = len(table.history)
        if not plies:
            return cls(table, table.state, None, None)
        return cls(table, table.state, table.history[-1][0], table.history.records(plies - 1)[0])


def _put(moment: Moment) -> str:
    """A board in words, as the inside of an object; in a thread."""
    table, state, before, last = moment
    move = before.game.parse_move(last.move) if before and last else None
    told = {
        "id": table.id,
        "game": table.record.game,
        "solid": views.options(table.record.options).get("depth", 0) > 1,
        "seats": [seat.name for seat in table.seats],
        "turn": state.turn,
        "plies": last.number + 1 if last else 0,
        "last": views.ply(last, before) if before and last else None,
    }
    view = encode(views.picture(state, move))
    shown = view if len(view) <= LONGEST else "null"
    return f'{encode(told)[1:-1]},"view":{shown}'
