"""The API: creating games, listing them, looking at one, and at what was said in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.errors import quote
from spielwerk.web.bodies import BadRequest, part, read_body, read_object
from spielwerk.web.browsers import browser_of, require_operator
from spielwerk.web.creation import check_remotes, limit_creation, set_up
from spielwerk.web.guard import is_local
from spielwerk.web.matches import read_wish, summary, whole, wire
from spielwerk.web.offered import offered_games
from spielwerk.wire.mnm.words import GAME_ID

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.store.records import GameRecord
    from spielwerk.web.site import Site

LISTED: Final = 50
MOST_LISTED: Final = 1000


def routes(site: Site) -> list[Route]:
    """The API's addresses."""
    api = Api(site)
    return [
        Route("/api/v1/games", api.offered, methods=["GET"]),
        Route("/api/v1/matches", api.create, methods=["POST"]),
        Route("/api/v1/matches", api.listed, methods=["GET"]),
        Route("/api/v1/matches/{id}", api.show, methods=["GET"]),
        Route("/api/v1/matches/{id}", api.remove, methods=["DELETE"]),
        Route("/api/v1/matches/{id}/wire", api.wire, methods=["GET"]),
    ]


class Api:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def offered(self, _request: Request) -> Response:
        """The games that can be set up."""
        return JSONResponse(await asyncio.to_thread(offered_games, self._site.limits))

    async def create(self, request: Request) -> Response:
        """Set up a game; the answer holds its ID and nothing that could be taken for one."""
        limits = self._site.limits
        body = read_object(await read_body(request, limits))
        wish = read_wish(body, limits, lambda: browser_of(request))
        check_remotes(self._site, request, wish.seats)
        limit_creation(self._site, request)
        table = await set_up(self._site, wish, part(body, "offer", dict, {}))
        return JSONResponse({"id": table.id}, 201)

    async def remove(self, request: Request) -> Response:
        """End a game and forget it."""
        require_operator(request)
        game = await find_record(self._site, request)
        await self._site.arena.remove(game.id)
        return JSONResponse({"id": game.id})

    async def listed(self, request: Request) -> Response:
        """The newest games."""
        listing = self._site.limits.listing
        if listing == "nobody" or (listing == "local" and not is_local(request.scope)):
            raise HTTPException(403, "games are listed only as the setting web.listing allows")
        games = await asyncio.to_thread(self._site.archive.games, _limit(request))
        return JSONResponse({"matches": [summary(game) for game in games]})

    async def show(self, request: Request) -> Response:
        """One game with everything that happened in it."""
        game = await find_record(self._site, request)
        # In a thread: the rules play the game once more.
        return JSONResponse(await asyncio.to_thread(whole, game, self._site.arena.find(game.id)))

    async def wire(self, request: Request) -> Response:
        """What was said in a game, on connections that have ended and on those still open."""
        game = await find_record(self._site, request)
        # First those that are open: one that ends meanwhile comes twice, but is not missed.
        still_open = list(self._site.open_wires(game.id))
        ended = await asyncio.to_thread(self._site.archive.wires, game.id)
        known = {(record.peer, record.opened) for record in ended}
        shown = [wire(record, still_open=False) for record in ended]
        shown += [
            wire(record, still_open=True)
            for record in still_open
            if (record.peer, record.opened) not in known
        ]
        return JSONResponse({"connections": sorted(shown, key=lambda one: one["opened"])})


async def find_record(site: Site, request: Request) -> GameRecord:
    """The game whose ID is in the address, as it is kept."""
    game_id = request.path_params["id"]
    known = GAME_ID.fullmatch(game_id)
    game = await asyncio.to_thread(site.archive.game, game_id) if known else None
    if game is None:
        raise HTTPException(404, "there is no such game")
    return game


def _limit(request: Request) -> int:
    text = request.query_params.get("limit", str(LISTED))
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if not 1 <= number <= MOST_LISTED:
        raise BadRequest(f"limit={quote(text)}: must be a number from 1 to {MOST_LISTED}")
    return number
