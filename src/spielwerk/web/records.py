"""Games from their first to their last position, played or kept: views of any ply, and exports."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from spielwerk.errors import SpielwerkError
from spielwerk.games import Game, kits
from spielwerk.net.connection import Direction, unpack
from spielwerk.web.bodies import whole_number
from spielwerk.web.matches import visible, whole
from spielwerk.web.positions import view, walk
from spielwerk.wire.mnm.words import GAME_ID

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starlette.requests import Request

    from spielwerk.games import State
    from spielwerk.store.records import GameRecord, WireRecord
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site

VIEWS: Final = 200  # at once
LARGE: Final = 1000  # fields; of boards with more only a tenth as many views are given at once

FORMAT: Final = "Spielwerk game"
VERSION: Final = 1


@dataclass(frozen=True)
class RecordedGame:
    """A game as it stood when it was asked for, and the table if it is there."""

    record: GameRecord
    table: Table | None = None
    reached: Sequence[tuple[State[Any], Any]] = ()  # what the table has in its memory

    def positions(self) -> Iterator[tuple[State[Any], Any]]:
        """All positions, each with the move that led to it; a game that is kept is replayed."""
        return iter(self.reached) if self.reached else walk(self.record)


async def find(site: Site, request: Request) -> RecordedGame:
    """The game that the request names, or HTTPException 404."""
    game_id = request.path_params["id"]
    known = GAME_ID.fullmatch(game_id)
    table = site.arena.find_short(game_id) if known else None
    if table:
        return _at(table)
    record = await asyncio.to_thread(site.archive.game, game_id) if known else None
    if record is None:
        raise HTTPException(404, "there is no such game")
    return RecordedGame(record)


def _at(table: Table) -> RecordedGame:
    seats = tuple(seat.record for seat in table.seats)
    record = replace(table.record, seats=seats, moves=tuple(table.moves()), result=table.result)
    reached = [*(state for state, _ in table.history), table.state]
    moves = [None, *(move for _, move in table.history)]
    return RecordedGame(record, table, list(zip(reached, moves, strict=True)))


def routes(site: Site) -> list[Route]:
    """The addresses of what is told about a game's course."""
    records = Records(site)
    return [
        Route("/api/v1/matches/{id}/views", records.views, methods=["GET"]),
        Route("/api/v1/matches/{id}/record.json", records.json, methods=["GET"]),
        Route("/api/v1/matches/{id}/record.txt", records.text, methods=["GET"]),
    ]


class Records:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def views(self, request: Request) -> Response:
        """The views after the plies `from` to `to`, 0 being the start; at most 200 at once."""
        played = await find(self._site, request)
        plies = len(played.record.moves)
        first = whole_number(request, "from", 0, plies)
        last = whole_number(request, "to", plies, 10**9)
        shown = await _replayed(_views, played, first, min(last, plies))
        return JSONResponse({"from": first, "views": shown})

    async def json(self, request: Request) -> Response:
        """All that is kept of the game, for programs."""
        game = (await find(self._site, request)).record
        told = {"format": FORMAT, "version": VERSION, **await asyncio.to_thread(whole, game, None)}
        return _download(JSONResponse(told), game, "json")

    async def text(self, request: Request) -> Response:
        """The game as its document writes it."""
        played = await find(self._site, request)
        game = played.record
        if game.game in kits() and kits()[game.game].record_is_session:
            still_open = list(self._site.open_wires(game.id))
            ended = await asyncio.to_thread(self._site.archive.wires, game.id)
            lines = session(_once([*ended, *still_open])) or _written(game)
        else:
            lines = _written(game)
        return _download(PlainTextResponse("".join(f"{line}\n" for line in lines)), game, "txt")


async def _replayed(work: Any, *arguments: Any) -> Any:
    """Work in a thread; a game that these rules cannot play is the server's conflict, not ours."""
    try:
        return await asyncio.to_thread(work, *arguments)
    except SpielwerkError as error:
        raise HTTPException(409, f"these rules cannot replay the game: {error}") from None


async def position(played: RecordedGame, ply: int) -> State[Any]:
    """The position after so many decisions."""
    if played.reached:
        return played.reached[ply][0]
    state: State[Any] = await _replayed(lambda: next(islice(walk(played.record), ply, None))[0])
    return state


async def course(played: RecordedGame) -> list[tuple[State[Any], Any]]:
    """All positions, each with the move that led to it."""
    reached: list[tuple[State[Any], Any]] = await _replayed(lambda: list(played.positions()))
    return reached


def _views(played: RecordedGame, first: int, last: int) -> list[dict[str, Any]]:
    game = next(played.positions())[0].game
    most = VIEWS if getattr(game, "size", 0) <= LARGE else VIEWS // 10
    end = max(first, min(last + 1, first + most))
    return [view(state, move) for state, move in islice(played.positions(), first, end)]


def _download(answer: Response, game: GameRecord, kind: str) -> Response:
    """The answer, to be saved under a name of its own."""
    name = f'attachment; filename="{game.game}-{game.id}.{kind}"'
    answer.headers["Content-Disposition"] = name
    return answer


def _written(game: GameRecord) -> list[str]:
    """The moves as the game's document writes them."""
    rules = kits()[game.game].game if game.game in kits() else Game
    return rules.written((move.seat, move.move) for move in game.moves)


def _once(wires: Sequence[WireRecord]) -> list[WireRecord]:
    """Each connection only once: one that ends just now may be in both lists."""
    return list({(wire.peer, wire.opened): wire for wire in wires}.values())


def session(wires: Sequence[WireRecord]) -> list[str]:
    """What was said by and to all seats, in order, as a course's sheet writes it: `0> TURN`."""
    arrows = {Direction.RECEIVED: "<", Direction.SENT: ">"}
    pieces = [
        (wire.opened + at, wire.seat, arrows[direction], data)
        for wire in wires
        if wire.seat is not None
        for at, direction, data in unpack(wire.traffic)
        if direction in arrows
    ]
    return [
        f"{seat}{arrow} {visible(line)}"
        for _, seat, arrow, data in sorted(pieces, key=lambda piece: piece[0])
        for line in data.removesuffix(b"\n").split(b"\n")
    ]
