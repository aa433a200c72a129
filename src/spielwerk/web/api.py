"""The API: creating games, listing them, looking at one, and at what was said in it.

A game's folder may have a `web.py` with any of these:

routes(site)               addresses of its own
set_up(site, new, offer)   makes the table, where that takes more than asking the arena
check_rematch(record)      raises NotNow where the same game cannot simply be played again
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.engines.analysis import judge_of
from spielwerk.engines.players import REMOTE
from spielwerk.games import find_game, kits
from spielwerk.web.bodies import read_body, whole_number
from spielwerk.web.browsers import browser_of, is_operator, require_operator
from spielwerk.web.guard import address_of, is_local
from spielwerk.web.matches import Wish, summary, whole, wire
from spielwerk.wire.mnm.words import GAME_ID
from spielwerk.wire.options import options_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from types import ModuleType

    from starlette.requests import Request

    from spielwerk.games import Option
    from spielwerk.games.kit import Kit
    from spielwerk.store.records import GameRecord, SeatRecord
    from spielwerk.tables.arena import NewTable
    from spielwerk.tables.table import Table
    from spielwerk.web.matches import OfferWish
    from spielwerk.web.site import RequestLimits, Site

LISTED: Final = 50
MOST_LISTED: Final = 1000
LEVELS: Final = 10


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
        wish = await read_body(request, limits, Wish)
        new = wish.table(limits, lambda: browser_of(request))
        check_remotes(self._site, request, new.seats)
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
        listing = self._site.limits.listing
        if listing == "nobody" or (listing == "local" and not is_local(request.scope)):
            raise HTTPException(403, "games are listed only as the setting web.listing allows")
        limit = whole_number(request, "limit", LISTED, MOST_LISTED, least=1)
        games = await asyncio.to_thread(self._site.archive.games, limit)
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


# setting up


def limit_creation(site: Site, request: Request) -> None:
    """Only the operator may set up any number of games."""
    if not site.creations.count(address_of(request.scope)) and not is_operator(request):
        raise HTTPException(429, "too many new games from there; wait a little")


def check_remotes(site: Site, request: Request, seats: Collection[SeatRecord]) -> None:
    """Remote players at any address are for the operator; others may name those of the setting."""
    remotes = [seat.player for seat in seats if seat.player.startswith(REMOTE)]
    if remotes and not is_operator(request):
        for player in remotes:
            site.limits.allow_remote(player)


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


# the games that can be set up


def offered_games(limits: RequestLimits) -> list[dict[str, Any]]:
    """What the form for a new game needs to know of each."""
    return [_offered(kit, limits) for kit in kits().values()]


def _offered(kit: Kit, limits: RequestLimits) -> dict[str, Any]:
    game, usual = kit.game.from_text(()), limits.options_for(kit.name)
    return {
        "name": game.name,
        "title": game.title,
        "sides": list(game.sides),
        "options": [_option(option, usual) for option in game.options()],
        "time": limits.time_for(game.name),
        "strategies": kit.strategies or None,
        "levels": LEVELS,
        "tcp": None if kit.remote else kit.service or None,  # remote players do not come to us
        "wire": options_of(game.name),
    }


def _option(option: Option, usual: Mapping[str, int]) -> dict[str, Any]:
    known = asdict(option) | {"default": usual.get(option.name, option.default)}
    return {name: known[name] for name in ("name", "default", "low", "high")}
