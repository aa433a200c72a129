"""Trying moves: the page that explores holds no rules, so it asks here what follows from them.

    POST /api/v1/explore
    {"game": "NAME", "options": {}, "start": "...", "moves": ["A1", "B3"], "answer": "level=5"}

Nothing is kept: a request says where it starts and what is played there. It starts at a position
(the usual one if `start` is missing), or with `id` at a game of this server after `ply` decisions;
without moves it then gets the game around that place. `answer` lets an engine go on. The answer has
the position, and every decision with its view, its position's text and the end if it is one.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.engines.analysis import judge_of
from spielwerk.games import find_game
from spielwerk.games.record import Record
from spielwerk.messages import coded
from spielwerk.net.rates import Rates
from spielwerk.tables.analysis import DEEPEST
from spielwerk.tables.parts import FairDice, NotNow, draw, ending_in
from spielwerk.tables.wishes import parsed_start
from spielwerk.web.api import LARGE, VIEWS, course, find_named
from spielwerk.web.bodies import BadRequest, Body, read_body
from spielwerk.web.browsers import address_of, browser_of
from spielwerk.web.views import options, result_shown, tried_ply, view, withheld

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.games import Game, State
    from spielwerk.web.analysis import AnalysisDesk
    from spielwerk.web.api import FoundGame
    from spielwerk.web.site import Site

BURST: Final = 300  # requests of one address at once
RATE: Final = 30.0  # and then a second
PLAYING: Final = "moves can be tried by those who watch; you play this game, so wait for its end"


class Exploration(Body):
    """Where it starts, what is played there, and what is asked for."""

    game: str = ""
    options: dict[str, int] = Field(default_factory=dict)
    start: str = ""
    id: str = ""  # a game of this server, in place of these
    ply: int | None = None
    moves: list[str] = Field(default_factory=list)
    answer: str = ""  # the player who goes on, like level=5
    effort: int = 0  # of the analysis


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a game, the position in it that was asked for, and the plies before it."""

    record: Record
    at: int
    before: int = 0


class ExploreDesk:
    """The answers, one method each."""

    def __init__(self, site: Site, analysis: AnalysisDesk) -> None:
        self._site = site
        self._analysis = analysis
        self._rates = Rates(BURST, RATE)
        self._dice = FairDice()

    def routes(self) -> list[Route]:
        """The addresses of what is tried."""
        return [
            Route("/api/v1/explore", self.explore, methods=["POST"]),
            Route("/api/v1/explore/analysis", self.analyse, methods=["POST"]),
        ]

    async def explore(self, request: Request) -> Response:
        """The line that was asked for, perhaps with an engine's answer, and chance's after it."""
        wish, line = await self._asked(request)
        record = line.record
        if wish.answer:
            if record.state.turn < 0:
                raise NotNow("no player has a move there")
            text = await self._analysis.suggest(request, wish.answer, record.state)
            record = await asyncio.to_thread(_played, record, [text])
        draws = draw(record.state, self._dice) if line.at == len(line.record.moves) else ()
        for move, _ in draws:
            record = record.play(move)
        at = len(record.moves) if record is not line.record else line.at
        return JSONResponse(await asyncio.to_thread(_told, Stretch(record, at, line.before)))

    async def analyse(self, request: Request) -> Response:
        """What every move is worth there; `effort` asks for a deeper look, 0 to 2."""
        wish, line = await self._asked(request)
        if not 0 <= wish.effort <= DEEPEST:
            raise BadRequest(f"effort = {wish.effort}: must be a number from 0 to {DEEPEST}")
        state = line.record.states[line.at]
        if state.turn < 0:
            raise NotNow("no player has a move there")
        return JSONResponse(await self._analysis.judge(request, state, wish.effort))

    async def _asked(self, request: Request) -> tuple[Exploration, Stretch]:
        if not self._rates.count(address_of(request.scope)):
            raise HTTPException(429, "too many positions asked for from there; wait a little")
        wish = await read_body(request, Exploration)
        if wish.id:
            return wish, await self._from_game(request, wish)
        if not wish.game:
            raise BadRequest("game is missing: its name; or id, the Game-ID of a game")
        chosen = {**self._site.usual.options_for(wish.game), **wish.options}
        game = find_game(wish.game).from_text(f"{name}={value}" for name, value in chosen.items())
        judge_of(game.name).prepare(game)
        return wish, await asyncio.to_thread(_from_start, game, wish)

    async def _from_game(self, request: Request, wish: Exploration) -> Stretch:
        """The game around the ply that was asked for, or up to it and then other moves."""
        found = await find_named(self._site, wish.id)
        _refuse_players(found, browser_of(request))
        reached = await course(found)
        plies = len(reached) - 1
        at = plies if wish.ply is None else wish.ply
        if not 0 <= at <= plies:
            raise BadRequest(f"ply = {at}: the game has 0 to {plies}")
        judge_of(found.record.game).prepare(reached[0][0].game)
        half = _most(reached[0][0].game) // 2
        first, last = max(0, at - half), at if wish.moves else min(plies, at + half)
        states = tuple(state for state, _ in reached[first : last + 1])
        record = Record(states, tuple(move for _, move in reached[first + 1 : last + 1]))
        if wish.moves:
            record = await asyncio.to_thread(_played, record, wish.moves)
        return Stretch(record, len(record.moves) if wish.moves else at - first, first)


def _refuse_players(found: FoundGame, browser: str) -> None:
    """Keep those from an engine's help who play the game; a tournament's game is secret to all."""
    game, seats = found.record, found.table.seats if found.table else ()
    if game.result is not None:
        return
    if game.tournament:
        raise HTTPException(403, withheld(game))
    if not game.training and any(seat.owner == browser for seat in seats):
        raise HTTPException(403, PLAYING)


def _from_start(game: Game[Any], wish: Exploration) -> Stretch:
    record = _played(Record((parsed_start(game, wish.start.strip()),)), wish.moves)
    return Stretch(record, len(record.moves))


def _most(game: Game[Any]) -> int:
    """How many positions are shown at once."""
    return VIEWS if getattr(game, "size", 0) <= LARGE else VIEWS // 10


def _played(record: Record, turns: list[str]) -> Record:
    """The record after these turns, or what is wrong with one of them."""
    most = _most(record.game)
    if len(turns) > most:
        raise BadRequest(f"{len(turns)} moves: at most {most} can be played at once")
    for text in turns:
        turn = record.game.parse_turn(text)
        record.state.play_turn(turn)
        for move in turn:
            record = record.play(move)
    return record


# as JSON


def _told(line: Stretch) -> dict[str, Any]:
    record, game = line.record, line.record.game
    return {
        "game": game.name,
        "options": options(game.assignments()),
        "sides": list(game.sides),
        "solid": getattr(game, "layers", 1) > 1,
        "at": line.at,
        "before": line.before,
        "start": {"view": view(record.states[0]), **_position(record.states[0])},
        "plies": [_ply(record, number) for number in range(len(record.moves))],
    }


def _ply(record: Record, number: int) -> dict[str, Any]:
    before, after = record.states[number : number + 2]
    return tried_ply(number, before, record.moves[number]) | _position(after)


def _position(state: State[Any]) -> dict[str, Any]:
    """The position as text, and how the game has ended there, if it has."""
    result = result_shown(ending_in(state, 0))
    if result:
        result["said"] = coded(result["detail"])
    return {"position": str(state), "result": result}
