"""The lobby: tables, contests and services; put together while it is looked at.

A contest is one row: its games, which may be thousands, are neither listed nor counted. The tables
are looked at once a second at most, and rows made again only where something happened, however
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
from spielwerk.store import reading
from spielwerk.store.records import SeatKind
from spielwerk.tables.mirror import ShownTable
from spielwerk.tables.names import given_game_name
from spielwerk.tables.parts import browser_in
from spielwerk.web.boards import Gallery
from spielwerk.web.bodies import BadRequest, digits
from spielwerk.web.browsers import browser_of, is_local
from spielwerk.web.contests.contests import Notices
from spielwerk.web.show import Show
from spielwerk.web.viewers import Audience, encode
from spielwerk.web.views import connection, options, player, result_shown
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starlette.requests import Request
    from starlette.types import Scope

    from spielwerk.store.reading import GameSummary
    from spielwerk.store.records import GameRecord, SeatRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site
    from spielwerk.web.viewers import Viewer

EVERY: Final = 1.0  # seconds between two looks at what has changed
AWAY: Final = 10.0  # seconds without a look, after which the archive is read again
RATE: Final = 40_000  # characters a second that a page hears at most
SHOWN: Final = 200  # open tables and running ones, each
FINISHED: Final = 50  # in one page
LONGEST: Final = 80  # characters that are searched for
ENDED: Final = 8.0  # seconds that a finished game stays on the wall
CHUNK: Final = 200  # tables that are looked at between two turns of the loop
LIVE: Final = ("open", "running")
UNLISTED: Final = "the setting web.listing does not allow listing these games"


class Row(NamedTuple):
    """A table in the lobby: its text without the end, and whose seats are there."""

    id: str
    status: str
    text: str
    owners: frozenset[str]
    seen: object = None  # what it was made of


class Lobby(Audience):
    """What is to be seen there, and its viewers; `watching` says how many look at a table."""

    def __init__(self, site: Site, watching: Callable[[str], int]) -> None:
        super().__init__()
        self.version = 0  # grows with every change
        self._told = 0  # the version that viewers have heard
        self._site = site
        self._watching = watching
        self._rows: dict[str, Row] = {}  # of unfinished tables, in the order they came
        self._newest: list[Row] = []  # of them, the open ones first
        self._owned: dict[str, list[Row]] = {}  # by browser
        self._over: set[str] | None = None  # tables that are over, when the archive was read
        self._finished: list[Row] = []
        self._counts = {"open": 0, "running": 0, "finished": 0}
        self._services: list[dict[str, Any]] = []
        self._around: object = None  # what else was shown the last time
        self._contests = Notices(site)
        self._common: str | None = None  # what those hear who have no seat anywhere
        self._looked = -EVERY
        self._looking: asyncio.Task[None] | None = None
        self.show = Show(site.arena) if site.settings.show else None
        self._galleries = {
            "show": Gallery(site.arena, self._on_show),
            "wall": Gallery(site.arena, self._on_wall),
        }

    def routes(self) -> list[Route]:
        """Where the lobby is asked for."""
        return [Route("/api/v1/lobby", self._answer, methods=["GET"])]

    def may_list(self, scope: Scope) -> bool:
        """Whether this caller may see the tables of others."""
        listing = self._site.settings.listing
        return listing == "everybody" or (listing == "local" and is_local(scope))

    # viewers

    async def join(self, viewer: Viewer, scope: Scope) -> None:
        """From now on the viewer hears what is new; first everything."""
        await self._current()
        viewer.listing = self.may_list(scope)
        self.viewers[viewer] = None
        viewer.offer(self._message(viewer))

    def hear(self, viewer: Viewer, message: dict[str, Any]) -> None:
        """Answer a message: a page may also look at the show game, or at all boards."""
        gallery = self._galleries.get(message["type"])
        if gallery is None:
            super().hear(viewer, message)
        elif message.get("on") is True and (viewer.listing or message["type"] == "show"):
            gallery.join(viewer)
        else:
            gallery.leave(viewer)

    def leave(self, viewer: Viewer) -> None:
        """The viewer is gone."""
        super().leave(viewer)
        for gallery in self._galleries.values():
            gallery.leave(viewer)

    async def tell_news(self) -> None:
        """Show the lobby again to its viewers, if something is new there."""
        if not self.viewers:
            return
        await self._current()
        if self.version != self._told:
            self._told = self.version
            await self.tell(self._message)
        for gallery in self._galleries.values():
            await gallery.tell_news()

    # boards

    def play_show(self) -> None:
        """Let the show game go on while people watch it."""
        if self.show is None:
            return
        looking = any(gallery.viewers for gallery in self._galleries.values())
        watched = self.show.table is not None and self._watching(self.show.table.id)
        if watched or (looking and not self._running()):
            self.show.go_on()

    def _running(self) -> list[str]:
        """The games that are played, the newest first; those of a contest come last."""
        contest = self._site.contest()
        own = [row.id for row in self._newest if row.status == "running"]
        return own + list(contest.running() if contest else ())

    def _on_show(self) -> list[str]:
        """A show game greets where nothing else is played."""
        table = None if self._running() or self.show is None else self.show.table
        return [table.id] if table else []

    def _on_wall(self) -> list[str]:
        """All games, and for a moment those that were on the wall when they ended."""
        running = self._running()
        ended = [one for one in self._galleries["wall"].games if one not in running]
        return running + [one for one in ended if self._has_just_ended(one)] or self._on_show()

    def _has_just_ended(self, game_id: str) -> bool:
        table = self._site.arena.find(game_id)
        result = table.result if table else None
        return bool(table and result and table.wall - result.at < 1000 * ENDED)

    # what is told

    def _message(self, viewer: Viewer) -> str:
        return f'{{"type":"lobby",{self._shown(viewer.browser, listing=viewer.listing)}}}'

    def _shown(self, browser: str, *, listing: bool) -> str:
        """The lobby for a browser, as the inside of an object."""
        mine = self._owned.get(browser, [])[-SHOWN:]
        mine += [row for row in self._finished if browser in row.owners]
        if not listing:
            return self._text(mine, browser, listing=False)
        public = self._newest + self._finished
        if mine:
            listed = {row.id for row in public}
            return self._text([*(one for one in mine if one.id not in listed), *public], browser)
        if self._common is None:
            self._common = self._text(public, browser)
        return self._common

    def _text(self, rows: Iterable[Row], browser: str, *, listing: bool = True) -> str:
        told = ",".join(self._row_told(row, browser) for row in rows)
        contests = self._contests.text if listing else "[]"
        return (
            f'"tables":[{told}],"counts":{encode(self._counts)},'
            f'"contests":{contests},"services":{encode(self._services)},"listing":{encode(listing)}'
        )

    def _row_told(self, row: Row, browser: str) -> str:
        mine = encode(browser in row.owners)
        return f'{row.text},"viewers":{self._watching(row.id)},"mine":{mine}}}'

    # bringing it up to date

    async def _current(self) -> None:
        """Bring the lobby up to date, unless that was done a moment ago."""
        now = asyncio.get_running_loop().time()
        pause = max(EVERY, len(self._common or "") / RATE)  # a long lobby is told less often
        if self._looking is None and now - self._looked >= pause:
            if now - self._looked > AWAY:
                self._over = None  # games may have come and gone meanwhile
            self._looked = now
            self._looking = asyncio.create_task(self._look(), name="lobby")
        if self._looking:
            await asyncio.shield(self._looking)

    async def _look(self) -> None:
        try:
            await self._contests.look()
            news = await self._look_at_tables()
            if self._look_around() or news:
                self._common = None
                self.version += 1
        finally:
            self._looking = None

    async def _look_at_tables(self) -> bool:
        """Whether something has happened at a table; tables of contests do not count."""
        rows: dict[str, Row] = {}
        over: set[str] = set()
        for number, table in enumerate(self._site.arena, 1):
            if number % CHUNK == 0:
                await asyncio.sleep(0)
            if isinstance(table, ShownTable):
                continue
            if table.over:
                over.add(table.id)
            else:
                rows[table.id] = _row(table, self._rows.get(table.id))
        ended = over != self._over or not self._rows.keys() <= rows.keys()
        if ended:
            await self._read_archive()
        known, self._rows, self._over = self._rows, rows, over
        if rows != known:
            self._choose()
        return ended or rows != known

    def _choose(self) -> None:
        """The newest tables, how many there are of each kind, and whose they are."""
        rows: dict[str, list[Row]] = {status: [] for status in LIVE}
        self._owned = {}
        for row in self._rows.values():
            rows[row.status].append(row)
            for owner in row.owners:
                self._owned.setdefault(owner, []).append(row)
        self._counts |= {status: len(rows[status]) for status in LIVE}
        self._newest = [row for status in LIVE for row in rows[status][: -SHOWN - 1 : -1]]

    async def _read_archive(self) -> None:
        games, count = await asyncio.to_thread(reading.finished, self._site.store, FINISHED)
        self._finished = [_finished_row(game) for game in games]
        self._counts["finished"] = count

    def _look_around(self) -> bool:
        """Whether services, viewers or contests are others than the last time."""
        services = self._site.services
        self._services = [
            {
                "name": name,
                "addresses": [list(one) for one in addresses],
                "dialects": _dialects(services.dialects) if name == "mnm" else {},
                "clients": services.clients.get(name, 0),
            }
            for name, addresses in services.addresses.items()
        ]
        viewers = [self._watching(row.id) for row in self._newest]
        known, self._around = self._around, (self._services, viewers, self._contests.text)
        return known != self._around

    # HTTP

    async def _answer(self, request: Request) -> Response:
        browser, listing = browser_of(request), self.may_list(request.scope)
        if request.query_params.get("status") == "finished":
            text = await self._page(request, browser, listing)
        else:
            await self._current()
            text = self._shown(browser, listing=listing)
        return Response(f"{{{text}}}", media_type="application/json")

    async def _page(self, request: Request, browser: str, listing: bool) -> str:
        """Finished games, older than a moment, with a text in them."""
        if not listing:
            raise HTTPException(403, UNLISTED)
        wanted = request.query_params.get("q", "").strip()[:LONGEST]
        games, self._counts["finished"] = await asyncio.to_thread(
            reading.finished, self._site.store, FINISHED, wanted, _moment(request)
        )
        return self._text([_finished_row(game) for game in games], browser)


def _moment(request: Request) -> int | None:
    text = request.query_params.get("before", "")
    moment = digits(text, 15)
    if text and moment is None:
        raise BadRequest(f"before={quote(text)}: must be milliseconds since 1970")
    return moment


# rows


def _row(table: Table, known: Row | None) -> Row:
    """A table that is being played, or waits for its players; as before if nothing happened."""
    seats = [(seat.record, connection(seat, table, table.now)) for seat in table.seats]
    seen = (len(table.history), table.open, seats)
    if known and known.seen == seen:
        return known
    begun = any(state.turn != CHANCE for state, _ in table.history[:3])
    status = "open" if table.open and not begun else "running"
    shown = [_seat(*one, number) for number, one in enumerate(seats)]
    owners = frozenset(seat.owner for seat in table.seats if seat.owner)
    text = _described(table.record, len(table.history), status, shown, table.history.turns)
    return Row(table.id, status, text, owners, seen)


def _finished_row(game: GameSummary) -> Row:
    seats = [_seat(seat, _AFTERWARDS[seat.kind], n) for n, seat in enumerate(game.seats)]
    owners = frozenset(browser_in(seat.owner) for seat in game.seats if seat.owner)
    return Row(game.id, "finished", _described(game, game.moves, "finished", seats), owners)


def _seat(seat: SeatRecord, connected: str, number: int) -> dict[str, Any]:
    return player(seat, number) | {"connection": connected}


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
    game: GameRecord | GameSummary,
    moves: int,
    status: str,
    seats: list[dict[str, Any]],
    turns: int | None = None,
) -> str:
    """A row's text, up to what depends on who looks."""
    chosen = options(game.options)
    text = encode(
        {
            "id": game.id,
            "game": game.game,
            "solid": chosen.get("depth", 0) > 1,
            "options": chosen,
            "name": given_game_name(game.name),
            "created": game.created,
            "status": status,
            "moves": moves,
            "turns": turns,
            "seats": seats,
            "result": result_shown(game.result),
        }
    )
    return text.removesuffix("}")
