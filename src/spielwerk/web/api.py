"""The API of games: set up, listed, looked at, replayed, exported, and what was said in them.

A game's folder may have a `web.py` with any of these:

routes(site)               addresses of its own
set_up(site, new, offer)   makes the table, where that takes more than asking the arena
check_rematch(record)      raises NotNow where the same game cannot simply be played again
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import segno
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from spielwerk.engines.analysis import judge_of
from spielwerk.engines.players import REMOTE
from spielwerk.errors import SpielwerkError, quote
from spielwerk.games import Game, find_game, kits
from spielwerk.store import reading
from spielwerk.tables.parts import History
from spielwerk.web.bodies import BadRequest, download, read_body, whole_number
from spielwerk.web.browsers import (
    address_of,
    browser_of,
    creator_of,
    is_operator,
    require_operator,
)
from spielwerk.web.matches import Wish, session, summary, whole, wire
from spielwerk.web.views import ahead, view
from spielwerk.wire import options_of
from spielwerk.wire.mnm.words import GAME_ID, game_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import ModuleType

    from starlette.requests import Request
    from starlette.types import Scope

    from spielwerk.games import Kit, Option, State
    from spielwerk.store.records import GameRecord, SeatRecord, WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.tables.wishes import NewTable
    from spielwerk.web.matches import OfferWish
    from spielwerk.web.site import Site, UsualTable

LISTED: Final = 50
MOST_LISTED: Final = 1000
LEVELS: Final = 10
VIEWS: Final = 200  # at once
LARGE: Final = 1000  # fields; of boards with more only a tenth as many views are given at once
FORMAT: Final = "Spielwerk game"
VERSION: Final = 1
SCHEMES: Final = ("http", "https")


class Api:
    """The answers, one method each; `may_list` says who may see the games of others."""

    def __init__(self, site: Site, may_list: Callable[[Scope], bool]) -> None:
        self._site = site
        self._may_list = may_list

    def routes(self) -> list[Route]:
        """The API's addresses."""
        game = "/api/v1/matches/{id}"
        return [
            Route("/api/v1/games", self.offered, methods=["GET"]),
            Route("/api/v1/matches", self.create, methods=["POST"]),
            Route("/api/v1/matches", self.listed, methods=["GET"]),
            Route(game, self.show, methods=["GET"]),
            Route(game, self.remove, methods=["DELETE"]),
            Route(f"{game}/wire", self.wire, methods=["GET"]),
            Route(f"{game}/views", self.views, methods=["GET"]),
            Route(f"{game}/ahead", self.ahead, methods=["GET"]),
            Route(f"{game}/record.json", self.json, methods=["GET"]),
            Route(f"{game}/record.txt", self.text, methods=["GET"]),
            Route(f"{game}/qr.svg", self.code, methods=["GET"]),
        ]

    async def offered(self, _request: Request) -> Response:
        """The games that can be set up."""
        return JSONResponse(await asyncio.to_thread(offered_games, self._site.usual))

    async def create(self, request: Request) -> Response:
        """Set up a game; the answer holds its ID and nothing that could be taken for one."""
        wish = await read_body(request, Wish)
        new = wish.table(self._site.usual, lambda: browser_of(request))
        seats = await pin_remotes(self._site, request, new.seats)
        new = replace(new, seats=seats, creator=creator_of(request))
        limit_creation(self._site, request)
        table = await set_up(self._site, new, wish.offer)
        return JSONResponse({"id": table.id}, 201)

    async def remove(self, request: Request) -> Response:
        """End a game and forget it."""
        require_operator(request)
        game = await find_record(self._site, request)
        await self._site.arena.remove(game.id)
        return JSONResponse({"id": game.id})

    async def listed(self, request: Request) -> Response:
        """The newest games."""
        if not self._may_list(request.scope):
            raise HTTPException(403, "the setting web.listing does not allow listing these games")
        limit = whole_number(request, "limit", LISTED, MOST_LISTED, least=1)
        games = await asyncio.to_thread(reading.games, self._site.store, limit)
        return JSONResponse({"matches": [summary(game) for game in games]})

    async def show(self, request: Request) -> Response:
        """One game with everything that happened in it."""
        game = await find_record(self._site, request)
        # In a thread: the rules play the game once more.
        return JSONResponse(await asyncio.to_thread(whole, game, self._site.arena.find(game.id)))

    async def wire(self, request: Request) -> Response:
        """What was said in a game, on connections that have ended and on those still open."""
        game = await find_record(self._site, request)
        wires = await self._wires(game.id)
        shown = [wire(record, still_open=still_open) for record, still_open in wires]
        return JSONResponse({"connections": sorted(shown, key=lambda one: one["opened"])})

    async def _wires(self, game_id: str) -> Sequence[tuple[WireRecord, bool]]:
        """The game's connections, and whether they are still open."""
        # First those that are open: one that ends meanwhile comes twice, but is not missed.
        still_open = list(self._site.open_wires(game_id))
        ended = await asyncio.to_thread(reading.wires, self._site.store, game_id)
        known = {(one.peer, one.opened): (one, True) for one in still_open}
        known |= {(one.peer, one.opened): (one, False) for one in ended}
        return list(known.values())

    async def views(self, request: Request) -> Response:
        """The views after the plies `from` to `to`, 0 being the start; at most 200 at once."""
        played = await find(self._site, request)
        plies = len(played.record.moves)
        first = whole_number(request, "from", 0, plies)
        last = whole_number(request, "to", plies, 10**9)
        steps = await course(played)
        most = VIEWS if getattr(steps[0][0].game, "size", 0) <= LARGE else VIEWS // 10
        wanted = steps[first : max(first, min(last + 1, first + most))]
        shown = await asyncio.to_thread(lambda: [view(state, move) for state, move in wanted])
        return JSONResponse({"from": first, "views": shown})

    async def ahead(self, request: Request) -> Response:
        """What the next player may be able to play, for players who choose in advance."""
        played = await find(self._site, request)
        state, _ = (await course(played))[-1]
        moves = await asyncio.to_thread(ahead, state)
        return JSONResponse({"ply": len(played.record.moves), "moves": moves})

    async def json(self, request: Request) -> Response:
        """All that is kept of the game, for programs."""
        game = (await find(self._site, request)).record
        told = {"format": FORMAT, "version": VERSION, **await asyncio.to_thread(whole, game, None)}
        return download(JSONResponse(told), f"{game.game}-{game.id}.json")

    async def text(self, request: Request) -> Response:
        """The game as its document writes it."""
        game = (await find(self._site, request)).record
        kit = kits().get(game.game)
        lines: list[str] = []
        if kit and kit.record_is_session:
            lines = session([record for record, _ in await self._wires(game.id)])
        rules = kit.game if kit else Game
        lines = lines or rules.written((move.seat, move.move) for move in game.moves)
        lines = [f"start: {game.start}", *lines] if game.start else lines
        text = "".join(f"{line}\n" for line in (*_helped(game), *lines))
        return download(PlainTextResponse(text), f"{game.game}-{game.id}.txt")

    async def code(self, request: Request) -> Response:
        """The table's address as a QR code; `scheme` is the one by which the page was reached."""
        game = (await find(self._site, request)).record
        scheme = request.query_params.get("scheme", "http")
        if scheme not in SCHEMES:
            raise BadRequest(f"scheme={quote(scheme)}: must be {' or '.join(SCHEMES)}")
        address = f"{scheme}://{request.headers.get('host', '')}/t/{game.id}"
        drawn = BytesIO()
        try:
            segno.make(address, micro=False).save(drawn, "svg", light="white", omitsize=True)
        except segno.DataOverflowError:
            raise BadRequest("the host's name is too long for a code") from None
        return Response(drawn.getvalue(), media_type="image/svg+xml")


def _helped(game: GameRecord) -> Iterator[str]:
    """How many hints each player took, as lines that are not part of the notation."""
    for seat in range(len(game.seats)):
        if hints := sum(move.hints for move in game.moves if move.seat == seat):
            yield f"# hints taken at seat {seat}: {hints}"


# finding


class FoundGame(NamedTuple):
    """A game as it stood when it was asked for, and the table if it is there."""

    record: GameRecord
    table: Table | None


async def find(site: Site, request: Request) -> FoundGame:
    """The game that the request names, as it stands at its table, or HTTPException 404."""
    return await find_named(site, request.path_params["id"])


async def find_named(site: Site, game_id: str) -> FoundGame:
    """The game with this ID, as it stands at its table, or HTTPException 404."""
    table = site.arena.find_short(game_id)
    if table is None:
        return FoundGame(await _kept(site, game_id), None)
    seats = tuple(seat.record for seat in table.seats)
    moves = tuple(table.history.records())
    record = replace(table.record, seats=seats, moves=moves, result=table.result)
    return FoundGame(record, table)


async def find_record(site: Site, request: Request) -> GameRecord:
    """The game that the request names, as it is kept, or HTTPException 404."""
    return await _kept(site, request.path_params["id"])


async def _kept(site: Site, game_id: str) -> GameRecord:
    known = GAME_ID.fullmatch(game_id)
    game = await asyncio.to_thread(reading.game, site.store, game_id) if known else None
    if game is None:
        raise HTTPException(404, "there is no such game")
    return game


async def course(played: FoundGame) -> list[tuple[State[Any], Any]]:
    """All positions, each with the move that led to it; a game that is kept is replayed."""
    try:
        table = played.table
        history = table.history if table else await asyncio.to_thread(History.of, played.record)
    except SpielwerkError as error:
        raise HTTPException(409, f"the game cannot be replayed with these rules: {error}") from None
    states = [*(state for state, _ in history), history.state]
    return list(zip(states, (None, *(move for _, move in history)), strict=True))


# setting up


def limit_creation(site: Site, request: Request) -> None:
    """Only the operator may set up any number of games."""
    if not site.creations.count(address_of(request.scope)) and not is_operator(request):
        raise HTTPException(429, "too many new games from your address; wait a moment")


async def pin_remotes(
    site: Site, request: Request, seats: Iterable[SeatRecord]
) -> tuple[SeatRecord, ...]:
    """The seats; remote players at any address are for the operator, others name listed ones."""
    if is_operator(request):
        return tuple(seats)
    pinned = [
        replace(seat, player=await site.pin_remote(seat.player))
        if seat.player.startswith(REMOTE)
        else seat
        for seat in seats
    ]
    return tuple(pinned)


def web_part(game: str) -> ModuleType | None:
    """What the game's folder has for the web."""
    kit = kits().get(game)
    return kit.part("web") if kit else None


async def set_up(site: Site, new: NewTable, offer: OfferWish) -> Table:
    """The new table, made in the game's own way if it has one."""
    judge_of(new.game).prepare(find_game(new.game).from_text(new.options))
    own = getattr(web_part(new.game), "set_up", None)
    table: Table = await (own(site, new, offer) if own else site.arena.create(new))
    return table


def offered_games(usual: UsualTable) -> list[dict[str, Any]]:
    """What the form for a new game needs to know of each game."""
    return [_offered(kit, usual) for kit in kits().values()]


def _offered(kit: Kit, usual: UsualTable) -> dict[str, Any]:
    game, chosen = kit.game.from_text(()), usual.options_for(kit.name)
    return {
        "name": game.name,
        "title": game.title,
        "sides": list(game.sides),
        "options": [_option(option, chosen) for option in game.options()],
        "time": usual.time_for(game.name),
        "clock": game.name in game_kinds(),  # whether clients are told how much of it is left
        "strategies": kit.strategies or None,
        "levels": LEVELS,
        "tcp": None if kit.remote else kit.service or None,  # remote players do not come to us
        "wire": options_of(game.name),
    }


def _option(option: Option, chosen: Mapping[str, int]) -> dict[str, Any]:
    known = asdict(option) | {"default": chosen.get(option.name, option.default)}
    return {name: known[name] for name in ("name", "default", "low", "high")}
