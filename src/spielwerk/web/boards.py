"""Boards of running games, small and side by side, and their viewers.

Bots may play hundreds of moves a second, which no eye could follow. So pages do not hear every
move: at most once a second they are told where the boards stand now, and only of those that have
changed. A game keeps its place until it is over; then another comes there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.web import views
from spielwerk.web.viewers import Audience, encode, in_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from spielwerk.games import State
    from spielwerk.store.records import MoveRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.tables.table import Table
    from spielwerk.web.viewers import Viewer

PLACES: Final = 12
LONGEST: Final = 20_000  # characters of a board; a larger one is not shown as a small one


class Gallery(Audience):
    """Viewers who look at the same boards; `choose` says which games they are of."""

    def __init__(self, arena: Arena, choose: Callable[[], Collection[str]]) -> None:
        super().__init__()
        self._boards = Boards(arena)
        self._choose = choose
        self._told = 0  # the version that viewers have heard

    @property
    def games(self) -> list[str]:
        """The games that are shown."""
        return self._boards.places

    def join(self, viewer: Viewer) -> None:
        """From now on the viewer hears what is new; first everything."""
        self.viewers[viewer] = None
        viewer.offer(self._boards.told(0))

    async def tell_news(self) -> None:
        """Tell all viewers which boards have changed."""
        if not self.viewers:
            return
        await self._boards.look(self._choose())
        if self._boards.version != self._told:
            text = self._boards.told(self._told)
            self._told = self._boards.version
            await self.tell(text)


class Boards:
    """The places, what is on each, and when that has last changed."""

    def __init__(self, arena: Arena) -> None:
        self.version = 0  # grows with every change
        self.places: list[str] = []  # Game-IDs
        self._arena = arena
        self._tables: dict[str, Table] = {}
        self._seen: dict[str, object] = {}  # how far they were
        self._texts: dict[str, str] = {}
        self._changed: dict[str, int] = {}  # the version in which they last changed

    async def look(self, running: Collection[str]) -> None:
        """Bring the boards up to date; `running` are the games that can be watched."""
        tables = {one: table for one in running if (table := self._arena.find(one))}
        places = _placed(self.places, tables)
        news = [one for one in places if self._seen.get(one) != _far(tables[one])]
        if not news and places == self.places:
            return
        self.version += 1
        self._tables = {one: tables[one] for one in places}
        for one in news:
            self._seen[one] = _far(tables[one])
            self._texts[one] = await in_thread(_put, Moment.of(tables[one]))
        moved = [one for n, one in enumerate(places) if self.places[n : n + 1] != [one]]
        self._changed |= dict.fromkeys((*news, *moved), self.version)
        self.places = places
        self._forget()

    def _forget(self) -> None:
        for known in (self._seen, self._texts, self._changed):
            for one in known.keys() - {*self.places}:
                del known[one]

    def told(self, since: int) -> str:
        """What has changed since that version, as a message."""
        boards = ",".join(
            f'{{"place":{place},{_times(self._tables[one])},{self._texts[one]}}}'
            for place, one in enumerate(self.places)
            if self._changed[one] > since
        )
        return f'{{"type":"boards","places":{len(self.places)},"boards":[{boards}]}}'


def _placed(places: list[str], tables: Collection[str]) -> list[str]:
    """Who stays has the same place; free ones are filled, and the last ones close up."""
    waiting = iter([one for one in tables if one not in places])
    filled = [one if one in tables else next(waiting, "") for one in places]
    filled += [*waiting][: PLACES - len(filled)]
    return [one for one in filled if one]


def _far(table: Table) -> object:
    return len(table.history), table.over, views.clock(table)


def _times(table: Table) -> str:
    """The clock that runs, and what is left of game clocks, now; the inside of an object."""
    left = [table.clocks.left(seat.number) for seat in table.seats]
    times = {"clock": views.clock_told(views.clock(table), table.now), "left": left}
    return encode(times)[1:-1]


class Moment(NamedTuple):
    """A table as it stands now; the next move must not come between its parts."""

    table: Table
    state: State[Any]
    before: State[Any] | None
    last: MoveRecord | None
    turns: int = 0

    @classmethod
    def of(cls, table: Table) -> Moment:
        """The moment that is."""
        plies = len(table.history)
        if not plies:
            return cls(table, table.state, None, None)
        before, last = table.history[-1][0], table.history.records(plies - 1)[0]
        return cls(table, table.state, before, last, table.history.turns)


def _put(moment: Moment) -> str:
    """A board in words, as the inside of an object; in a thread."""
    table, state, before, last, turns = moment
    move = before.game.parse_move(last.move) if before and last else None
    told = {
        "id": table.id,
        "game": table.record.game,
        "solid": views.options(table.record.options).get("depth", 0) > 1,
        "seats": [views.player(seat.record, seat.number) for seat in table.seats],
        "turn": state.turn,
        "plies": last.number + 1 if last else 0,
        "turns": turns,
        "last": views.ply(last, before) if before and last else None,
        "result": views.result_shown(table.result),
    }
    view = encode(views.picture(state, move))
    shown = view if len(view) <= LONGEST else "null"
    return f'{encode(told)[1:-1]},"view":{shown}'
