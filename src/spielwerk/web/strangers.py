"""Connect Four with strangers: tables offered at an index server, and games joined from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.store.records import SeatKind
from spielwerk.web.bodies import BadRequest, part, read_body, read_object
from spielwerk.web.browsers import browser_of
from spielwerk.web.creation import limit_creation, strangers_of
from spielwerk.web.matches import read_seat

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from starlette.requests import Request

    from spielwerk.store.records import SeatRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site
    from spielwerk.wire.connect4.messages import ListedGame


class Strangers(Protocol):
    """Those who play with us through index servers; an empty index is our own."""

    def check(
        self,
        game: ConnectFour,
        seats: Collection[SeatRecord],
        index: str,
        wire_options: Collection[str] = (),
    ) -> None:
        """Raise what is wrong with a table that is to be offered."""

    async def offer(self, table: Table, index: str) -> None:
        """Have the table listed, or raise why it cannot be."""

    async def games(self, index: str) -> Sequence[ListedGame]:
        """What is listed; a game that we cannot play says why."""

    def answer(self, game_id: str, player: str, *, accept: bool) -> None:
        """Let the player who waits join a table of ours, or not; NotNow if nobody waits."""

    async def join(self, index: str, name: str, seat: SeatRecord) -> Table:
        """The table of another's game, as soon as it has begun."""


def routes(site: Site) -> list[Route]:
    """The addresses of others' games."""

    async def listed(request: Request) -> Response:
        games = await strangers_of(site).games(request.query_params.get("index", ""))
        return JSONResponse({"games": [_shown(game) for game in games]})

    async def joined(request: Request) -> Response:
        wish = read_object(await read_body(request, site.limits))
        name = part(wish, "game", str, "")
        seat = _own_seat(wish, request)
        if seat.player:
            await site.arena.engines.check(ConnectFour(), seat.player)
        limit_creation(site, request)
        table = await strangers_of(site).join(part(wish, "index", str, ""), name, seat)
        return JSONResponse({"id": table.id}, 201)

    return [
        Route("/api/v1/connect4/games", listed, methods=["GET"]),
        Route("/api/v1/connect4/join", joined, methods=["POST"]),
    ]


def _own_seat(wish: dict[str, Any], request: Request) -> SeatRecord:
    """Our side of a game that we join: this browser's person, or an engine."""
    player = {"name": part(wish, "name", str, ""), **part(wish, "player", dict, {})}
    person = part(player, "type", str, "HUMAN") == "HUMAN"
    player |= {"type": "HUMAN", "here": True} if person else {}
    seat = read_seat(player, lambda: browser_of(request))
    if seat.kind is SeatKind.CLIENT:
        raise BadRequest("who joins is a person here or an engine, not another TCP client")
    return seat


def _shown(game: ListedGame) -> dict[str, Any]:
    return {
        "name": game.name,
        "player": game.player,
        "width": game.width,
        "height": game.height,
        "depth": game.depth,
        "address": game.address,
        "port": game.port,
        "status": str(game.status).lower(),
        "problem": game.problem,
    }
