"""Reviews of finished games: one for all readers, kept in the store, and deeper on request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.engines.review import DEEPEST, review_of
from spielwerk.games import find_game
from spielwerk.store import reading
from spielwerk.store.contests import pairing_of_game
from spielwerk.web.analysis import require_engine
from spielwerk.web.api import course, find
from spielwerk.web.browsers import creator_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.engines.review import Review
    from spielwerk.store.records import Reviewed
    from spielwerk.tables.analysis import Analyst
    from spielwerk.web.api import FoundGame
    from spielwerk.web.site import Site

LARGEST: Final = 20_000_000  # fields times positions


class ReviewDesk:
    """The answers, one method each."""

    def __init__(self, site: Site, analyst: Analyst) -> None:
        self._site = site
        self._analyst = analyst
        self._keeping = asyncio.Lock()  # what is finished is written once

    def routes(self) -> list[Route]:
        """The addresses of a review."""
        path = "/api/v1/matches/{id}/review"
        return [
            Route(path, self.review, methods=["GET"]),
            Route(path, self.deepen, methods=["POST"]),
        ]

    async def review(self, request: Request) -> Response:
        """A finished game's review as far as it is known; asking makes it go on."""
        played = await self._finished(request)
        owner = creator_of(request).address
        kept, under_way = await self._kept(played.record.id, owner)
        if kept is None and under_way is None:
            under_way = await self._begin(played, 0, owner)
        return JSONResponse(_told(kept, under_way))

    async def deepen(self, request: Request) -> Response:
        """Begin the next deeper review, unless the present one leaves nothing open."""
        played = await self._finished(request)
        owner = creator_of(request).address
        kept, under_way = await self._kept(played.record.id, owner)
        if under_way is None and (kept is None or _can_deepen(kept)):
            under_way = await self._begin(played, kept.effort + 1 if kept else 0, owner)
        return JSONResponse(_told(kept, under_way))

    async def _finished(self, request: Request) -> FoundGame:
        played = await find(self._site, request)
        if played.record.result is None:
            raise HTTPException(409, "a game is reviewed when it is over")
        return played

    async def _kept(self, game_id: str, owner: str) -> tuple[Reviewed | None, Review | None]:
        """The deepest review there is, kept before it is told; and the one that is under way."""
        async with self._keeping:
            kept = await asyncio.to_thread(reading.review, self._site.store, game_id)
            review = self._analyst.review(game_id, owner)
            if review is None or (kept and kept.effort >= review.effort):
                return kept, None
            if review.failed:
                raise HTTPException(409, "this game could not be reviewed")
            if not review.done:
                return kept, review
            arena = self._site.arena
            return await arena.keep_review(game_id, review.effort, review.told()), None

    async def _begin(self, played: FoundGame, effort: int, owner: str) -> Review:
        game = played.record
        rules = find_game(game.game).from_text(game.options)
        if getattr(rules, "size", 64) * len(game.moves) > LARGEST:  # not even replayed
            raise HTTPException(409, "this game is too large to be reviewed")
        await require_engine(rules)
        reached = await course(played)
        pairing = await asyncio.to_thread(pairing_of_game, self._site.store, game.id)
        opening = len(pairing.opening) if pairing else 0
        states, moves = [state for state, _ in reached], [move for _, move in reached[1:]]
        known = self._analyst.review(game.id, owner)  # begun while the game was replayed
        if known and known.effort >= effort:
            return known
        review = review_of(game.game)(states, moves, effort, opening)
        return self._analyst.begin_review(game.id, review, owner)


def _can_deepen(kept: Reviewed) -> bool:
    """Whether more effort could find more."""
    open_points = any(point and not point["exact"] for point in kept.found["points"])
    return kept.effort < DEEPEST and open_points


def _told(kept: Reviewed | None, under_way: Review | None) -> dict[str, Any]:
    progress = under_way and {
        "effort": under_way.effort,
        "looked": under_way.looked,
        "total": under_way.total,
    }
    found = kept.found if kept else under_way.told() if under_way else {}
    return {
        "effort": kept.effort if kept else None,
        "deeper": bool(kept and _can_deepen(kept)),
        "progress": progress,
        **found,
    }
