"""What the engines say about positions: every move's score, and hints."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.errors import quote
from spielwerk.games import find_kit
from spielwerk.messages import coded, english
from spielwerk.tables.analysis import DEEPEST, TooBusy
from spielwerk.tables.arena import Unavailable
from spielwerk.web.api import course, find
from spielwerk.web.bodies import BadRequest, Body, read_body, whole_number
from spielwerk.web.browsers import browser_of, creator_of
from spielwerk.web.views import withheld

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.engines.analysis import Analysis, Judged
    from spielwerk.engines.interface import Score
    from spielwerk.games import Game, State
    from spielwerk.store.records import GameRecord
    from spielwerk.tables.analysis import Analyst
    from spielwerk.tables.table import Table
    from spielwerk.web.site import Site

LISTED: Final = 300  # moves; boards with more are not looked at move by move

_PLAYER: Final = re.compile(r"level=([1-9]|10)|depth=[1-9]|strategy=[0-9](,depth=[1-9])?")


class HintWish(Body):
    """Which seat wants a hint, and from whom."""

    seat: int = -1
    player: str = ""


class AnalysisDesk:
    """The answers, one method each."""

    def __init__(self, site: Site, analyst: Analyst) -> None:
        self._site = site
        self._analyst = analyst

    def routes(self) -> list[Route]:
        """The addresses of the analysis."""
        game = "/api/v1/matches/{id}"
        return [
            Route(f"{game}/analysis", self.analysis, methods=["GET"]),
            Route(f"{game}/hint", self.hint, methods=["POST"]),
        ]

    async def analysis(self, request: Request) -> Response:
        """What every move is worth in a position; `effort` asks for a deeper look, 0 to 2."""
        played = await find(self._site, request)
        _refuse_running(played.record)
        plies = len(played.record.moves)
        ply = whole_number(request, "ply", plies, plies)
        effort = whole_number(request, "effort", 0, DEEPEST)
        state, _ = (await course(played))[ply]
        return JSONResponse({"ply": ply} | await self.judge(request, state, effort))

    async def judge(self, request: Request, state: State[Any], effort: int) -> dict[str, Any]:
        """What every move is worth in this position, while the request is waited for."""
        await require_engine(state.game)
        gone, owner = partial(self._gone, request), creator_of(request).address
        found = await self._analyst.analyse(state, effort, gone, owner)
        perspective = find_kit(state.game.name).perspective
        perspective = max(state.turn, 0) if perspective is None else perspective
        sign = 1 if perspective == state.turn else -1
        return {"turn": state.turn, "perspective": perspective} | _analysis(found, sign)

    async def hint(self, request: Request) -> Response:
        """A move for the person whose turn it is; it counts."""
        wish = await read_body(request, HintWish)
        seat = wish.seat
        table = (await find(self._site, request)).table
        if table is None or table.over:
            raise HTTPException(409, "the game is over")
        _refuse_foreigners(table, seat, browser_of(request))
        if table.record.tournament:
            raise HTTPException(403, withheld(table.record))
        if table.turn != seat:
            raise HTTPException(409, "only the player to move can ask for a hint")
        moment = table.history.moment
        move = await self.suggest(request, wish.player, table.state)
        if moment == table.history.moment:
            table.hints[seat] += 1
        return JSONResponse({"move": move})

    async def suggest(self, request: Request, player: str, state: State[Any]) -> str:
        """The turn that a player would play there, the game's usual adviser if none is named."""
        chosen = _player(player, state.game.name)
        await require_engine(state.game)
        gone, owner = partial(self._gone, request), creator_of(request).address
        return await self._analyst.hint(chosen, state, gone, owner)

    async def _gone(self, request: Request) -> bool:
        """Whether the caller has gone; when the server stops no caller needs to wait."""
        if self._site.arena.closing:
            raise Unavailable("the server is shutting down and analyses nothing more")
        return await request.is_disconnected()


async def require_engine(game: Game[Any]) -> None:
    """Raise TooBusy while the game's engine is being compiled: the page says so and asks again."""
    from spielwerk.engines.warm import prepare  # brings the compiler along

    if preparation := await asyncio.to_thread(prepare, game):
        raise TooBusy(english("engine-being-prepared", percent=preparation.percent))


def _refuse_running(game: GameRecord) -> None:
    if game.result is None and (why := withheld(game)):
        raise HTTPException(403, why)


def _refuse_foreigners(table: Table, seat: int, browser: str) -> None:
    owner = table.seats[seat].owner if 0 <= seat < len(table.seats) else ""
    if not browser or owner != browser:
        raise HTTPException(403, "this seat is not yours")


def _player(text: str, game: str) -> str:
    """The player who gives the hint: the one asked for, or the game's usual one."""
    chosen = text or find_kit(game).hint_player
    if not _PLAYER.fullmatch(chosen):
        problem = "expected level=1 to level=10, or a strategy and a depth from 1 to 9"
        raise BadRequest(f"player = {quote(chosen)}: {problem}")
    return chosen


# as JSON


def _analysis(found: Analysis, sign: int) -> dict[str, Any]:
    told = {
        "unit": found.unit,
        "moves": [_judged(judged, sign) for judged in found.moves[:LISTED]],
        "count": len(found.moves),
        "proven": found.proven,
        "variation": found.variation,
        "depth": found.depth,
        "nodes": found.nodes,
        "time": round(found.time, 3),
        "remarks": found.remarks,
        "said": [coded(remark) for remark in found.remarks],
        **found.facts,
    }
    chances = [judged.chances for judged in found.moves if judged.chances]
    return told | ({"chances": chances} if chances else {})


def _judged(judged: Judged, sign: int) -> dict[str, Any]:
    told = {"move": judged.move, **_score(judged.score, sign), "share": sign * judged.share}
    return told if judged.gain is None else {**told, "gain": judged.gain}


def _score(score: Score, sign: int = 1) -> dict[str, Any]:
    return {
        "value": sign * score.value,
        "exact": score.exact,
        "result": None if score.result is None else sign * score.result,
        "plies": score.plies,
    }
