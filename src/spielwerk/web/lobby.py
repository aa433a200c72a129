"""The lobby: tables, contests and services; put together when it changes.

A contest is one row: its games, which may be thousands, are neither listed nor counted. Rows are
made again only for tables at which something happened, and the whole at most once a second, however
many look and however many tables there are.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from spielwerk.errors import quote
from spielwerk.games import CHANCE
from spielwerk.store.problems import StoreError
from spielwerk.store.records import SeatKind
from spielwerk.tables.mirror import MirrorTable
from spielwerk.tables.seat import SEPARATOR
from spielwerk.web.bodies import BadRequest
from spielwerk.web.browsers import browser_of
from spielwerk.web.contests.contests import Notices
from spielwerk.web.guard import is_local
from spielwerk.web.live.messages import connection, encode, options
from spielwerk.web.matches import result_shown
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.types import Scope

    from spielwerk.store.reading import GameSummary
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site

EVERY: Final = 1.0  # seconds between two looks at what has changed
RATE: Final = 40_000  # characters a second that a page hears at most
SHOWN: Final = 200  # open tables and running ones, each
FINISHED: Final = 50  # in one page
LONGEST: Final = 80  # characters that are searched for
CHUNK: Final = 200  # rows that are made between two turns of the loop
LIVE: Final = ("open", "running")


class Row(NamedTuple):
    """A table in the lobby: its text without the end, and whose seats are there."""

    id: str
    status: str
    text: str
    owners: frozenset[str]


class Common(NamedTuple):
    """The lobby as most people see it; for others only their own rows are told again."""

    rows: list[str]
    places: dict[str, int]  # by the tables' IDs
    text: str


class Lobby:
    """What is to be seen there; `watching` says how many look at a table."""

    def __init__(self, site: Site, watching: Callable[[str], int]) -> None:
        self.version = 0  # grows with every change
        self._site = site
        self._watching = watching
        self._rows: dict[str, Row] = {}  # of unfinished tables, in the order they came
        self._owned: dict[str, dict[str, None]] = {}  # theirs, by browser
        self._newest: list[Row] = []  # of them, the open ones first
        self._finished: list[Row] = []
        self._counts = {"open": 0, "running": 0, "finished": 0}
        self._services: list[dict[str, Any]] = []
        self._viewers: list[int] = []
        self._contests = Notices(site)
        self._announced = ""  # of contests, the last time
        self._common: Common | None = None  # what everybody hears who has no seat anywhere
        self._changed: dict[str, Table] = {}
        self._dropped = False  # whether tables have finished
        self._reread = True  # whether the archive has news
        self._looked = -EVERY
        self._looking: asyncio.Task[None] | None = None
        site.arena.watchers.append(self._note)
        for table in site.arena:
            self._note(table)

    def routes(self) -> list[Route]:
        """Where the lobby is asked for."""
        return [Route("/api/v1/lobby", self._answer, methods=["GET"])]

    def may_list(self, scope: Scope) -> bool:
        """Whether whoever asks may see the tables of others."""
        listing = self._site.limits.listing
        return listing == "everybody" or (listing == "local" and is_local(scope))

    # what is shown

    def shown(self, browser: str, *, listing: bool) -> str:
        """The lobby for a browser, as the inside of an object."""
        mine = [self._rows[one] for one in self._owned.get(browser, ())][-SHOWN:]
        mine += [row for row in self._finished if browser in row.owners]
        if not listing:
            return self._text([self._told(row, mine=True) for row in mine], listing=False)
        self._common = self._common or self._for_all()
        if not mine:
            return self._common.text
        rows, more = [*self._common.rows], []
        for row in mine:
            told, place = self._told(row, mine=True), self._common.places.get(row.id)
            if place is None:
                more.append(told)
            else:
                rows[place] = told
        return self._text(more + rows, listing=True)

    def _for_all(self) -> Common:
        shown = self._newest + self._finished
        rows = [self._told(row, mine=False) for row in shown]
        places = {row.id: place for place, row in enumerate(shown)}
        return Common(rows, places, self._text(rows, listing=True))

    def _text(self, rows: Sequence[str], *, listing: bool) -> str:
        contests = self._contests.text if listing else "[]"
        return (
            f'"tables":[{",".join(rows)}],"counts":{encode(self._counts)},'
            f'"contests":{contests},"services":{encode(self._services)},"listing":{encode(listing)}'
        )

    def _told(self, row: Row, *, mine: bool) -> str:
        whose = "true" if mine else "false"
        return f'{row.text},"viewers":{self._watching(row.id)},"mine":{whose}}}'

    # bringing it up to date

    def _note(self, table: Table) -> None:
        """Remember what is to be looked at; a finished table is not kept for that."""
        if isinstance(table, MirrorTable):
            self._contests.note()
        elif table.over:
            self._changed.pop(table.id, None)
            self._drop(table.id)
            self._dropped = self._reread = True
        else:
            self._changed[table.id] = table

    async def current(self) -> int:
        """Bring the lobby up to date, unless that was done a moment ago; its version."""
        now = asyncio.get_running_loop().time()
        if self._looking is None and now - self._looked >= self._pause:
            self._looked = now
            self._looking = asyncio.create_task(self._look(), name="lobby")
        if self._looking:
            await asyncio.shield(self._looking)
        return self.version

    @property
    def _pause(self) -> float:
        """Seconds between two looks; a long lobby is told less often."""
        return max(EVERY, len(self._common.text) / RATE) if self._common else EVERY

    async def _look(self) -> None:
        try:
            await self._contests.look()
            news = await self._take_changes()
            if self._reread:
                await self._read_archive()
            if self._look_around() or news:
                self._common = None
                self.version += 1
        finally:
            self._looking = None

    async def _take_changes(self) -> bool:
        """Make the rows of the tables again at which something happened."""
        changed, self._changed = self._changed, {}
        for number, table in enumerate(changed.values(), 1):
            if not table.over:
                self._put(_row(table))
            if number % CHUNK == 0:
                await asyncio.sleep(0)
        news = bool(changed) or self._dropped
        self._dropped = False
        if news:
            self._choose()
        return news

    def _put(self, row: Row) -> None:
        """Have the row, in its place if there was one already."""
        self._disown(row.id)
        self._rows[row.id] = row
        for owner in row.owners:
            self._owned.setdefault(owner, {})[row.id] = None

    def _drop(self, game_id: str) -> None:
        self._disown(game_id)
        self._rows.pop(game_id, None)

    def _disown(self, game_id: str) -> None:
        row = self._rows.get(game_id)
        for owner in row.owners if row else ():
            self._owned[owner].pop(game_id)
            if not self._owned[owner]:
                del self._owned[owner]

    def _choose(self) -> None:
        """The newest tables, and how many there are of each kind."""
        rows: dict[str, list[Row]] = {status: [] for status in LIVE}
        for row in self._rows.values():
            rows[row.status].append(row)
        self._counts |= {status: len(rows[status]) for status in LIVE}
        self._newest = [row for status in LIVE for row in rows[status][: -SHOWN - 1 : -1]]

    async def _read_archive(self) -> None:
        self._reread = False  # now, because another may finish while we read
        try:
            games, count = await asyncio.to_thread(self._site.archive.finished, FINISHED)
        except StoreError:
            self._dropped = self._reread = True  # so that the next look does not miss it
            raise
        self._finished = [_finished_row(game) for game in games]
        self._counts["finished"] = count

    def _look_around(self) -> bool:
        """Whether services, viewers or contests are others than the last time."""
        services = self._site.services
        found = [
            {
                "name": name,
                "addresses": [list(one) for one in addresses],
                "dialects": _dialects(services.dialects) if name == "mnm" else {},
                "clients": services.clients.get(name, 0),
            }
            for name, addresses in services.addresses.items()
        ]
        viewers = [self._watching(row.id) for row in self._newest]
        contests = self._contests.text
        known = (self._services, self._viewers, self._announced)
        self._services, self._viewers, self._announced = found, viewers, contests
        return known != (found, viewers, contests)

    # HTTP

    async def _answer(self, request: Request) -> Response:
        browser, listing = browser_of(request), self.may_list(request.scope)
        if request.query_params.get("status") == "finished":
            text = await self._page(request, browser, listing)
        else:
            await self.current()
            text = self.shown(browser, listing=listing)
        return Response(f"{{{text}}}", media_type="application/json")

    async def _page(self, request: Request, browser: str, listing: bool) -> str:
        """Finished games, older than a moment, with a text in them."""
        if not listing:
            raise HTTPException(403, "games are listed only as the setting web.listing allows")
        wanted = request.query_params.get("q", "").strip()[:LONGEST]
        games, count = await asyncio.to_thread(
            self._site.archive.finished, FINISHED, wanted, _moment(request)
        )
        self._counts["finished"] = count
        rows = [_finished_row(game) for game in games]
        told = [self._told(row, mine=browser in row.owners) for row in rows]
        return self._text(told, listing=True)


def _moment(request: Request) -> int | None:
    text = request.query_params.get("before", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadRequest(f"before={quote(text)}: must be milliseconds since 1970")
    return int(text) if text else None


# rows


def _row(table: Table) -> Row:
    """A table that is being played, or waits for its players."""
    begun = any(state.turn != CHANCE for state, _ in table.history[:3])
    status = "open" if table.open and not begun else "running"
    seats = [
        {"name": s.name, "kind": str(s.record.kind), "connection": connection(s, table, table.now)}
        for s in table.seats
    ]
    owners = frozenset(seat.owner for seat in table.seats if seat.owner)
    return Row(
        table.id, status, _described(table.record, len(table.history), status, seats), owners
    )


def _finished_row(game: GameSummary) -> Row:
    seats = [
        {"name": seat.name, "kind": str(seat.kind), "connection": _AFTERWARDS[seat.kind]}
        for seat in game.seats
    ]
    owners = frozenset(seat.owner.partition(SEPARATOR)[0] for seat in game.seats if seat.owner)
    return Row(game.id, "finished", _described(game, game.moves, "finished", seats), owners)


def _dialects(spoken: Mapping[int, int]) -> dict[str, dict[str, Any]]:
    """What is spoken at each port, and what a client hears there first."""
    return {
        str(port): {"number": number, "banner": DIALECTS[number].banner}
        for port, number in spoken.items()
    }


_AFTERWARDS: Final = {
    SeatKind.CLIENT: "over",
    SeatKind.ENGINE: "builtin",
    SeatKind.PERSON: "away",
}


def _described(
    game: GameRecord | GameSummary, moves: int, status: str, seats: list[dict[str, Any]]
) -> str:
    """A row's text, up to what depends on who looks."""
    chosen = options(game.options)
    text = encode(
        {
            "id": game.id,
            "game": game.game,
            "solid": chosen.get("depth", 0) > 1,
            "options": chosen,
            "name": game.name,
            "created": game.created,
            "status": status,
            "moves": moves,
            "seats": seats,
            "result": result_shown(game.result),
        }
    )
    return text.removesuffix("}")
