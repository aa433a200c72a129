"""Connect Four with strangers: tables offered at an index server, and games joined from there."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.messages import coded
from spielwerk.store.records import SeatKind
from spielwerk.tables.parts import NotNow
from spielwerk.web.api import limit_creation
from spielwerk.web.bodies import BadRequest, Body, read_body
from spielwerk.web.browsers import browser_of, creator_of
from spielwerk.web.matches import PlayerWish
from spielwerk.web.seats import own_seat

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.clients.connect4.server_games import ServerGames
    from spielwerk.store.records import GameRecord, SeatRecord
    from spielwerk.tables.table import Table
    from spielwerk.tables.wishes import NewTable
    from spielwerk.web.matches import OfferWish
    from spielwerk.web.site import Site
    from spielwerk.wire.connect4.messages import ListedGame


class Joiner(PlayerWish):
    """Our side of a game that we join."""

    type: str = "HUMAN"
    name: str | None = None  # type: ignore[assignment] # the one beside it, if there is none here


class JoinBody(Body):
    """A game of another's that we want to join, and who plays it."""

    game: str = ""
    index: str = ""
    name: str = ""
    player: Joiner = Joiner()


class DecisionBody(Body):
    """Whether a stranger may join."""

    player: str = ""
    accept: bool | None = None


def routes(site: Site) -> list[Route]:
    """The addresses of others' games, and of those who want to join ours."""

    async def listed(request: Request) -> Response:
        games = await _meeting(site).games(request.query_params.get("index", ""))
        return JSONResponse({"games": [_shown(game) for game in games]})

    async def joined(request: Request) -> Response:
        wish = await read_body(request, JoinBody)
        seat = _joining_seat(wish, request)
        if seat.player:
            await site.arena.engines.check(ConnectFour(), seat.player)
        limit_creation(site, request)
        table = await _meeting(site).join(wish.index, wish.game, seat, creator_of(request))
        return JSONResponse({"id": table.id}, 201)

    async def decided(request: Request) -> Response:
        wish = await read_body(request, DecisionBody, optional=True)
        if wish.accept is None:
            raise BadRequest("accept is missing: true or false")
        table, _ = await own_seat(site, request, request.path_params["seat"])
        _meeting(site).answer(table.id, wish.player, accept=wish.accept)
        return JSONResponse({"player": wish.player, "accept": wish.accept})

    return [
        Route("/api/v1/connect4/games", listed, methods=["GET"]),
        Route("/api/v1/connect4/join", joined, methods=["POST"]),
        Route("/api/v1/matches/{id}/seats/{seat}/opponent", decided, methods=["POST"]),
    ]


async def set_up(site: Site, new: NewTable, offer: OfferWish) -> Table:
    """The table; one that waits for a TCP client is offered at an index server."""
    if all(seat.kind is not SeatKind.CLIENT for seat in new.seats):
        return await site.arena.create(new)
    name = new.name.strip() or f"{ConnectFour.title} {token_hex(3)}"  # an index takes none twice
    new, meeting = replace(new, name=name), _meeting(site)
    await meeting.check(
        ConnectFour.from_text(new.options), new.seats, offer.index, new.wire_options
    )
    table = await site.arena.create(new)
    await meeting.offer(table, offer.index)
    return table


def check_rematch(record: GameRecord) -> None:
    """Refuse a game with a stranger."""
    if any(seat.kind is SeatKind.CLIENT for seat in record.seats):
        raise NotNow("a game with a player elsewhere has no rematch: offer or join a new one")


def _meeting(site: Site) -> ServerGames:
    """What the service `host` has, or BadRequest if it does not run here."""
    meeting: ServerGames | None = getattr(site.services.service("host"), "meeting", None)
    if meeting is None:
        raise BadRequest("this server does not run the service host, which opponents connect to")
    return meeting


def _joining_seat(wish: JoinBody, request: Request) -> SeatRecord:
    """Our side of a game that we join: this browser's person, or an engine."""
    player = wish.player
    name = wish.name if player.name is None else player.name
    person = player.type == "HUMAN"
    chosen = player.model_copy(update={"name": name, "here": person or player.here})
    seat = chosen.seat(lambda: browser_of(request))
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
        "said": coded(game.problem),
    }
