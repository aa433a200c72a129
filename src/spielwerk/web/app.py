"""The web application: its routes, and errors as JSON with one sentence."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response

from spielwerk.errors import SpielwerkError
from spielwerk.games import kits
from spielwerk.store.problems import StoreError
from spielwerk.tables.analysis import CallerGone, TooBusy
from spielwerk.tables.arena import Closing, Unwritten
from spielwerk.tables.table import NoFreeSeat, NotNow
from spielwerk.web import administration, analysis, api, records, seats
from spielwerk.web.api import web_part
from spielwerk.web.assets import assets
from spielwerk.web.bodies import BodyTooLarge, TooSlow
from spielwerk.web.browsers import Identity
from spielwerk.web.contests import api as contests
from spielwerk.web.guard import Guard
from spielwerk.web.live.hub import Hub
from spielwerk.web.pages import Pages
from spielwerk.web.texts import refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from spielwerk.web.site import Site

log = logging.getLogger(__name__)

PROGRAMS: Final = ("/api/", "/static/")  # what is asked for there is not read by people

_STATUS: Final[dict[type[Exception], int]] = {
    SpielwerkError: 400,
    BodyTooLarge: 413,
    Closing: 503,
    CallerGone: 400,
    TooBusy: 429,
    NoFreeSeat: 409,
    NotNow: 409,
    Unwritten: 503,
    StoreError: 503,
}


def make_app(site: Site) -> Starlette:
    """The application for this site; its sockets are in `state.hub`."""
    hub, files = Hub(site), assets()
    pages = Pages(files, {"table": hub.find_id, "contest": hub.contests.find_id})

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - that is how it is registered
        if error.status_code == 404 and not request.url.path.startswith(PROGRAMS):
            return pages.answer(request, "missing", 404)
        return JSONResponse(refusal(error.detail), error.status_code, error.headers)

    app = Starlette(
        routes=[
            *api.routes(site),
            *seats.routes(site),
            *records.routes(site),
            *analysis.routes(site),
            *administration.routes(site),
            *contests.routes(hub.contests, site.limits, hub.lobby.may_list),
            *_games_own(site),
            *pages.routes(),
            *files.routes(),
            *hub.routes(),
        ],
        middleware=[
            Middleware(Guard, hosts=site.limits.hosts),
            Middleware(Identity, browsers=site.browsers),
        ],
        exception_handlers={
            **dict.fromkeys(_STATUS, _explain),
            HTTPException: http_error,
            ClientDisconnect: _nobody_there,
            Exception: _internal,
        },
    )
    app.state.hub = hub
    return app


def _games_own(site: Site) -> Iterator[BaseRoute]:
    """The addresses that only one game has."""
    for game in kits():
        own = getattr(web_part(game), "routes", None)
        yield from own(site) if own else ()


async def _explain(_request: Request, error: Exception) -> Response:
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    if isinstance(error, StoreError):
        log.error("web cannot use the store error=%r", str(error))
        return _error(status, "the database does not answer as it should; try again later")
    answer = _error(status, str(error))
    if isinstance(error, TooSlow):
        answer.headers["Connection"] = "close"
    return answer


async def _nobody_there(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


async def _internal(_request: Request, _failure: Exception) -> Response:
    return _error(500, "internal error; the server's log says more")


def _error(status: int, sentence: str) -> Response:
    return JSONResponse(refusal(sentence), status)
