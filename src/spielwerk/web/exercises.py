"""Find the move: the exercises that games bring along, as pages and programs get them.

A game's `page/` may have `exercises.txt`, as `spielwerk exercises NAME` writes it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.engines.exercises import from_text
from spielwerk.games import kits
from spielwerk.web.views import options, tried_ply, view

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

    from spielwerk.engines.exercises import Exercise
    from spielwerk.games import Kit


def routes() -> list[Route]:
    """Where they are found."""
    return [Route("/api/v1/exercises/{game}", exercises, methods=["GET"])]


async def exercises(request: Request) -> Response:
    """All exercises of a game, the easiest first, with their solutions."""
    kit = kits().get(request.path_params["game"])
    if kit is None or not _file(kit).is_file():
        raise HTTPException(404, "this game has no exercises")
    return JSONResponse(await run_in_threadpool(_told, kit.name))


def _file(kit: Kit) -> Traversable:
    return kit.page.joinpath("exercises.txt")


@cache
def _told(game: str) -> dict[str, Any]:
    found = from_text(_file(kits()[game]).read_text("utf-8"))
    rules = found[0].state.game
    return {
        "game": game,
        "options": options(rules.assignments()),
        "solid": getattr(rules, "layers", 1) > 1,
        "exercises": [_exercise(one) for one in found],
    }


def _exercise(one: Exercise) -> dict[str, Any]:
    """The position with its view, and the last ply of the solution with the view after it."""
    told = {"depth": one.depth, "keeps": one.keeps, "position": str(one.state), "move": one.move}
    state, last = one.state, {}
    for number, move in enumerate(state.game.parse_turn(one.move)):
        last, state = tried_ply(number, state, move), state.play(move)
    return {**told, "view": view(one.state), "solved": last}
