"""Setting up tables: how many, and those that strangers may join."""

from __future__ import annotations

from dataclasses import replace
from secrets import token_hex
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException

from spielwerk.engines.analysis import judge_of
from spielwerk.engines.players import REMOTE
from spielwerk.games import find_game
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.store.records import SeatKind
from spielwerk.web.bodies import BadRequest, part
from spielwerk.web.browsers import is_operator
from spielwerk.web.guard import address_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.requests import Request

    from spielwerk.store.records import SeatRecord
    from spielwerk.tables.arena import NewTable
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site
    from spielwerk.web.strangers import Strangers


def limit_creation(site: Site, request: Request) -> None:
    """Nobody but the operator may set up as many games as they like."""
    if not site.creations.count(address_of(request.scope)) and not is_operator(request):
        raise HTTPException(429, "too many new games from there; wait a little")


def check_remotes(site: Site, request: Request, seats: Collection[SeatRecord]) -> None:
    """Remote players at any address are for the operator; others may name those of the setting."""
    remotes = [seat.player for seat in seats if seat.player.startswith(REMOTE)]
    if remotes and not is_operator(request):
        for player in remotes:
            site.limits.allow_remote(player)


async def set_up(site: Site, wish: NewTable, offer: dict[str, Any]) -> Table:
    """The table; one of Connect Four that waits for a TCP client is offered at an index server."""
    judge_of(wish.game).prepare(find_game(wish.game).from_text(wish.options))
    waiting = any(seat.kind is SeatKind.CLIENT for seat in wish.seats)
    if wish.game != ConnectFour.name or not waiting:
        return await site.arena.create(wish)
    name = wish.name.strip() or f"{ConnectFour.title} {token_hex(3)}"  # an index takes none twice
    wish = replace(wish, name=name)
    strangers, index = strangers_of(site), part(offer, "index", str, "")
    strangers.check(ConnectFour.from_text(wish.options), wish.seats, index, wish.wire_options)
    table = await site.arena.create(wish)
    await strangers.offer(table, index)
    return table


def strangers_of(site: Site) -> Strangers:
    """Those we meet, or BadRequest if this server meets nobody."""
    strangers = site.services.strangers()
    if strangers is None:
        raise BadRequest("this server does not run the service host, which meets strangers")
    return strangers
