"""Persons at their seats: taking one, leaving, handing it on, resigning, offers, once more."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.errors import quote
from spielwerk.games import find_game
from spielwerk.store.records import SeatKind
from spielwerk.tables.offers import What
from spielwerk.tables.parts import NotNow, browser_in
from spielwerk.tables.wishes import NewTable, checked_name
from spielwerk.web.api import find, find_record, limit_creation, pin_remotes, web_part
from spielwerk.web.bodies import BadRequest, Body, read_body
from spielwerk.web.browsers import browser_of, creator_of, is_operator, same

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from spielwerk.store.records import GameRecord, SeatRecord
    from spielwerk.tables.parts import Creator, Seat
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site


KEEPING: Final = 1.0  # seconds for an end to be written


class SeatWish(Body):
    """What requests about a seat may say."""

    name: str = ""  # of who sits down
    key: str = ""  # that moves a seat to another browser
    seat: int | None = None  # that resigns, offers or answers
    what: str = ""  # is offered
    accept: bool = True  # what was offered


class Seats:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._making: dict[str, asyncio.Task[str]] = {}  # rematches by the game they follow

    def routes(self) -> list[Route]:
        """The addresses of seats."""
        game, seat = "/api/v1/matches/{id}", "/api/v1/matches/{id}/seats/{seat}"
        return [
            Route(f"{seat}/take", self.take, methods=["POST"]),
            Route(f"{seat}/leave", self.leave, methods=["POST"]),
            Route(f"{seat}/link", self.link, methods=["GET"]),
            Route(f"{seat}/transfer", self.transfer, methods=["POST"]),
            Route(f"{game}/resign", self.resign, methods=["POST"]),
            Route(f"{game}/offer", self.offer, methods=["POST"]),
            Route(f"{game}/answer", self.answer, methods=["POST"]),
            Route(f"{game}/rematch", self.rematch, methods=["POST"]),
        ]

    async def take(self, request: Request) -> Response:
        """Sit down; a browser that sits there already may say so again."""
        wish = await self._body(request)
        table, seat = await find_seat(self._site, request, request.path_params["seat"])
        browser = browser_of(request)
        if seat.owner != browser:
            name = checked_name(wish.name)
            await _kept(table.owners.take, seat, browser, name)
        return JSONResponse({"seat": seat.number})

    async def leave(self, request: Request) -> Response:
        """Stand up again."""
        table, seat = await own_seat(self._site, request, request.path_params["seat"])
        await _kept(table.owners.give_back, seat)
        return JSONResponse({"seat": seat.number})

    async def link(self, request: Request) -> Response:
        """The secret that moves the seat to another browser, as long as it has not moved."""
        table, seat = await own_seat(self._site, request, request.path_params["seat"])
        path = f"/t/{table.id}#seat={seat.number}&key={self._key(table, seat)}"
        return JSONResponse({"path": path}, headers={"Cache-Control": "no-store"})

    async def transfer(self, request: Request) -> Response:
        """Move a seat to the browser that shows its secret."""
        key = (await self._body(request)).key
        table, seat = await find_seat(self._site, request, request.path_params["seat"])
        browser = browser_of(request)
        if seat.owner != browser:
            right = self._key(table, seat) if seat.owner else ""
            if not right or not same(key, right):
                raise HTTPException(403, "this link is not valid, or no longer valid")
            await _kept(table.owners.transfer, seat, browser)
        return JSONResponse({"seat": seat.number})

    async def resign(self, request: Request) -> Response:
        """Give the game up."""
        table, seat, _ = await self._named(request)
        table.resign(seat)
        await _ended(table)
        return JSONResponse({"seat": seat.number})

    async def offer(self, request: Request) -> Response:
        """Offer to take moves back, or a draw; what needs no agreement is done then."""
        table, seat, wish = await self._named(request)
        await _kept(partial(table.offers.make, seat, _what(wish)))
        return JSONResponse({"seat": seat.number})

    async def answer(self, request: Request) -> Response:
        """Accept or decline what the other player has offered."""
        table, seat, wish = await self._named(request)
        await _kept(partial(table.offers.answer, seat, _what(wish), accept=wish.accept))
        if wish.accept and _what(wish) is What.DRAW:
            await _ended(table)
        return JSONResponse({"seat": seat.number})

    async def rematch(self, request: Request) -> Response:
        """The same once more, when all who played want it; or decline it.

        There is one such game, however often it is asked for.
        """
        accept = (await self._body(request)).accept
        record = (await find(self._site, request)).record
        played = await self._check_rematch(request, record)
        rematches, browser = self._site.arena.rematches, browser_of(request)
        following = rematches.of(record.id).game
        if not accept:
            rematches.decline(record, browser)
        elif following is None and (not played or rematches.wish(record, browser)):
            following = await self._rematch(request, record)
        return JSONResponse({"id": following})

    # behind them

    def _key(self, table: Table, seat: Seat) -> str:
        return self._site.browsers.sign("seat", table.id, seat.number, seat.record.owner)

    async def _named(self, request: Request) -> tuple[Table, Seat, SeatWish]:
        """The seat that the body names, if it is this browser's, and what the body says."""
        wish = await self._body(request)
        if wish.seat is None:
            raise BadRequest("seat is missing: the number of your seat")
        return *await own_seat(self._site, request, str(wish.seat)), wish

    async def _body(self, request: Request) -> SeatWish:
        return await read_body(request, SeatWish, optional=True)

    async def _check_rematch(self, request: Request, record: GameRecord) -> bool:
        """Whether this browser has played; HTTPException or NotNow if it may not ask."""
        persons = [seat for seat in record.seats if seat.kind is SeatKind.PERSON]
        owners = {browser_in(seat.owner) for seat in persons}
        if persons and browser_of(request) not in owners and not is_operator(request):
            raise HTTPException(403, "only the players of this game can ask for a rematch")
        if not persons:  # those who played may go on with the address that was allowed for them
            await pin_remotes(self._site, request, record.seats)
        if record.result is None:
            raise NotNow("the game is not over yet")
        if own := getattr(web_part(record.game), "check_rematch", None):
            own(record)
        return browser_of(request) in owners

    async def _rematch(self, request: Request, record: GameRecord) -> str:
        making = self._making.get(record.id)
        if making is None:
            limit_creation(self._site, request)
            making = asyncio.create_task(self._make(record, creator_of(request)))
            self._making[record.id] = making
            making.add_done_callback(lambda _: self._making.pop(record.id))
        return await asyncio.shield(making)

    async def _make(self, record: GameRecord, creator: Creator) -> str:
        table = await self._site.arena.create(replace(again(record), creator=creator))
        self._site.arena.rematches.follow(record.id, table.id)
        return table.id


def _what(wish: SeatWish) -> What:
    try:
        return What(wish.what)
    except ValueError:
        known = ", ".join(What)
        raise BadRequest(f"what = {quote(wish.what)}: must be one of {known}") from None


async def own_seat(site: Site, request: Request, number: str) -> tuple[Table, Seat]:
    """The seat that the request names; HTTPException 403 if another browser has it."""
    table, seat = await find_seat(site, request, number)
    if seat.owner != browser_of(request):
        raise HTTPException(403, "this seat is not yours")
    return table, seat


async def find_seat(site: Site, request: Request, number: str) -> tuple[Table, Seat]:
    """The seat that the request names, at a table whose game is not over."""
    table = site.arena.find_short(request.path_params["id"])
    if table is None:
        await find_record(site, request)
    if table is None or table.over:
        raise NotNow("the game is over")
    for seat in table.seats:
        if str(seat.number) == number:
            return table, seat
    raise HTTPException(404, f"there is no such seat; there are 0 to {len(table.seats) - 1}")


def again(record: GameRecord) -> NewTable:
    """The same game, begun by the next player."""
    options, seats = _turned(record)
    return NewTable(
        game=record.game,
        options=options,
        name=record.name,
        seats=tuple(replace(seat, owner=browser_in(seat.owner)) for seat in seats),
        move_time=record.move_time,
        game_time=record.game_time,
        increment=record.increment,
        tournament=record.tournament,
        pause=record.pause,
        wire_options=record.wire_options,
        start=record.start,
        training=record.training,
        rematch=True,
    )


def _turned(record: GameRecord) -> tuple[tuple[str, ...], tuple[SeatRecord, ...]]:
    """Options and seats with the next player to begin; where that cannot be told, seats change."""
    kind = find_game(record.game)
    if record.start or not any(option.name == "begins" for option in kind.options()):
        return record.options, (*record.seats[1:], record.seats[0])
    begins = next(text for text in record.options if text.startswith("begins="))
    following = (int(begins.partition("=")[2]) + 1) % len(record.seats)
    rest = tuple(text for text in record.options if text != begins)
    return (*rest, f"begins={following}"), record.seats


async def _kept(change: Callable[..., None], *values: object) -> None:
    """Make a change, and wait until it is in the journal."""
    kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done(error: BaseException | None) -> None:
        if not kept.done():
            kept.set_result(None) if error is None else kept.set_exception(error)

    change(*values, done)
    await kept


async def _ended(table: Table) -> None:
    """Wait until the end is kept, but not for a client that may still finish its move."""
    over = asyncio.Event()

    def look(table: Table) -> None:
        if table.over:
            over.set()

    table.watchers.append(look)
    look(table)
    with suppress(TimeoutError):
        async with asyncio.timeout(KEEPING):
            await over.wait()
    table.watchers.remove(look)
