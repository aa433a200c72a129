"""Contests for programs: lists, tables, games, exports, and the operator's hand on them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from spielwerk.contests.exports import FILES, streamed
from spielwerk.errors import quote
from spielwerk.store import contests as reading
from spielwerk.store.records import ENDS
from spielwerk.web.bodies import BadRequest, Body, digits, download, read_body, whole_number
from spielwerk.web.browsers import require_operator
from spielwerk.web.contests import shown
from spielwerk.web.texts import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request
    from starlette.types import Scope

    from spielwerk.store.records import ContestRecord, Pairing, Reason
    from spielwerk.web.contests.contests import Contests
    from spielwerk.web.site import RunningContest

PAGE: Final = 100  # games in an answer
MOST_JOBS: Final = 256  # games at once
LARGEST: Final = 10**8  # number of a game or an entrant


class Jobs(Body):
    """How many games are to be played at once."""

    jobs: int | None = None


def routes(contests: Contests, may_list: Callable[[Scope], bool]) -> list[Route]:
    """The addresses of contests."""
    desk = Desk(contests, may_list)
    one = "/api/v1/contests/{id}"
    return [
        Route("/api/v1/contests", desk.listed, methods=["GET"]),
        Route(one, desk.show, methods=["GET"]),
        Route(f"{one}/games", desk.games, methods=["GET"]),
        Route(f"{one}/games/{{number}}", desk.game, methods=["GET"]),
        Route(f"{one}/export/{{kind}}", desk.export, methods=["GET"]),
        Route(f"{one}/jobs", desk.set_jobs, methods=["PUT"]),
        Route(f"{one}/stop", desk.stop, methods=["POST"]),
    ]


class Desk:
    """The answers, one method each."""

    def __init__(self, contests: Contests, may_list: Callable[[Scope], bool]) -> None:
        self._contests = contests
        self._store = contests.store
        self._may_list = may_list

    async def listed(self, request: Request) -> Response:
        """All contests, the newest first."""
        if not self._may_list(request.scope):
            raise HTTPException(
                403, "the setting web.listing does not allow listing these contests"
            )
        return JSONResponse({"contests": await self._contests.listed()})

    async def show(self, request: Request) -> Response:
        """A contest with its tables, and how far it is."""
        followed = await self._contests.follow(request.path_params["id"])
        if followed is None:
            raise _missing()
        text = f"{{{followed.tables},{followed.progress}}}"
        return Response(text, media_type="application/json")

    async def games(self, request: Request) -> Response:
        """Games of the schedule by number, after a number; of an entrant, against another."""
        record = await self._find(request)
        entrants = {_number(request, name, -1) for name in ("entrant", "against")} - {-1}
        after, end = _number(request, "after", -1), _end(request)
        asked = partial(reading.some_pairings, after=after, entrants=entrants, end=end)
        found = await asyncio.to_thread(asked, self._store, record.id, PAGE + 1)
        told = await self._told(record, found[:PAGE])
        return JSONResponse({"games": told, "more": len(found) > PAGE})

    async def game(self, request: Request) -> Response:
        """A game of the schedule, and what is known of its players."""
        record = await self._find(request)
        text = request.path_params["number"]
        number = -1 if (found := digits(text, 8)) is None else found
        pairing = await asyncio.to_thread(reading.pairing, self._store, record.id, number)
        if pairing is None:
            raise HTTPException(404, f"this contest has no game {quote(text)}")
        reports = await asyncio.to_thread(reading.reports, self._store, record.id, number)
        told = [shown.report(one) for one in reports]
        (game,) = await self._told(record, [pairing])
        return JSONResponse({**game, "reports": told})

    async def _told(
        self, record: ContestRecord, pairings: Sequence[Pairing]
    ) -> list[dict[str, Any]]:
        """Games of the schedule, with the Game-IDs of attempts at them that did not count."""
        earlier = await asyncio.to_thread(reading.earlier, self._store, record.id)
        live = self._is_live(record)
        return [
            {**shown.game(one, live=live), "earlier": earlier.get(one.number, [])}
            for one in pairings
        ]

    async def export(self, request: Request) -> Response:
        """Everything as a file."""
        record = await self._find(request)
        kind = request.path_params["kind"]
        if kind not in FILES:
            raise HTTPException(404, f"{quote(kind)} is no export; there are {', '.join(FILES)}")
        language, live = language_of(request), self._is_live(record)
        content = streamed(self._store, record, kind, language, live=live)
        ending, media = FILES[kind]
        answer = StreamingResponse(content, headers={"Content-Type": media})
        return download(answer, f"{record.id}-{ending}")

    # the operator's

    async def set_jobs(self, request: Request) -> Response:
        """How many games are played at once from now on."""
        running = await self._played(request)
        jobs = (await read_body(request, Jobs)).jobs
        if jobs is None or not 0 <= jobs <= MOST_JOBS:
            raise BadRequest(f"jobs = {jobs}: must be a number from 0 (none) to {MOST_JOBS}")
        running.set_jobs(jobs)
        return JSONResponse({"jobs": running.jobs})

    async def stop(self, request: Request) -> Response:
        """Have the contest stop, as Ctrl-C does."""
        running = await self._played(request)
        running.stop()
        return JSONResponse({"id": running.id})

    async def _played(self, request: Request) -> RunningContest:
        """The contest, if it is played here and the operator asks."""
        require_operator(request)
        record = await self._find(request)
        running = self._contests.running
        if running is None or not self._is_live(record):
            raise HTTPException(409, "this server is not running this contest")
        return running

    def _is_live(self, record: ContestRecord) -> bool:
        running = self._contests.running
        return running is not None and running.id == record.id

    async def _find(self, request: Request) -> ContestRecord:
        record = await self._contests.record(request.path_params["id"])
        if record is None:
            raise _missing()
        return record


def _missing() -> HTTPException:
    return HTTPException(404, "there is no such contest")


def _number(request: Request, name: str, usual: int) -> int:
    asked = name in request.query_params and request.query_params[name] != str(usual)
    return whole_number(request, name, 0, LARGEST) if asked else usual


def _end(request: Request) -> Reason | None:
    text = request.query_params.get("end")
    if text is None:
        return None
    for reason, word in ENDS.items():
        if word == text:
            return reason
    raise BadRequest(f"end={quote(text)}: must be one of {', '.join(ENDS.values())}")
