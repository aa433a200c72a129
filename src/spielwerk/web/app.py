"""The web application: its routes, errors as JSON with one sentence, and its administration."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Final

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.errors import SpielwerkError
from spielwerk.games import kits
from spielwerk.store.problems import StoreError
from spielwerk.tables.analysis import Analyst, TooBusy
from spielwerk.tables.arena import Unavailable
from spielwerk.tables.parts import NoFreeSeat, NotNow
from spielwerk.web import exercises
from spielwerk.web.analysis import AnalysisDesk
from spielwerk.web.api import Api, web_part
from spielwerk.web.bodies import BadRequest, Body, BodyTooLarge, TooSlow, read_body
from spielwerk.web.browsers import Guard, Identity, is_operator, not_the_operator, require_operator
from spielwerk.web.checks import CheckDesk
from spielwerk.web.contests import api as contests
from spielwerk.web.exploring import ExploreDesk
from spielwerk.web.hub import Hub
from spielwerk.web.pages import Pages, assets
from spielwerk.web.review import ReviewDesk
from spielwerk.web.seats import Seats
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
    Unavailable: 503,
    TooBusy: 429,
    NoFreeSeat: 409,
    NotNow: 409,
    StoreError: 503,
}


def make_app(site: Site) -> Starlette:
    """The application for this site; its sockets are in `state.hub`."""
    hub, files, analyst = Hub(site), assets(), Analyst(site.arena.engines.thinking)
    analysis = AnalysisDesk(site, analyst)
    pages = Pages(files, {"table": hub.find_id, "contest": hub.contests.find_id})

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101 - that is how it is registered
        if error.status_code == 404 and not request.url.path.startswith(PROGRAMS):
            return pages.answer(request, "missing", 404)
        return JSONResponse(refusal(error.detail), error.status_code, error.headers)

    app = Starlette(
        routes=[
            *Api(site, hub.lobby.may_list).routes(),
            *Seats(site).routes(),
            *analysis.routes(),
            *ReviewDesk(site, analyst).routes(),
            *ExploreDesk(site, analysis).routes(),
            *exercises.routes(),
            *Administration(site).routes(),
            *CheckDesk(site).routes(),
            *contests.routes(hub.contests, hub.lobby.may_list),
            *_games_own(site),
            *pages.routes(),
            *files.routes(),
            *hub.routes(),
        ],
        middleware=[
            Middleware(Guard, hosts=site.settings.hosts),
            Middleware(Identity, browsers=site.browsers),
        ],
        exception_handlers={
            **dict.fromkeys(_STATUS, _explain),
            HTTPException: http_error,
            ClientDisconnect: _disconnected,
            Exception: _internal,
        },
    )
    app.state.hub, app.state.settings = hub, site.settings
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
        return _error(status, "the database is not responding as it should; try again later")
    answer = _error(status, str(error))
    if isinstance(error, TooSlow):
        answer.headers["Connection"] = "close"
    return answer


async def _disconnected(_request: Request, _error: Exception) -> Response:
    return Response(status_code=400)


async def _internal(_request: Request, _failure: Exception) -> Response:
    return _error(500, "internal error; see the server's log")


def _error(status: int, sentence: str) -> Response:
    return JSONResponse(refusal(sentence), status)


# for those who run the server


class Token(Body):
    """What the operator shows."""

    token: str = ""


class PortChange(Body):
    """Where a service is to listen."""

    port: int | None = None


class Administration:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[Route]:
        """The addresses of all this."""
        operator = "/api/v1/operator"
        return [
            Route("/healthz", self.health),
            Route("/metrics", self.metrics),
            Route(operator, self.ask, methods=["GET"]),
            Route(operator, self.sign_in, methods=["POST"]),
            Route(operator, self.sign_out, methods=["DELETE"]),
            Route("/api/v1/services", self.services, methods=["GET"]),
            Route("/api/v1/services/{name}", self.move, methods=["PUT"]),
        ]

    async def health(self, _request: Request) -> Response:
        """Whether the server works as it should."""
        problems = await self._site.problems()
        if problems:
            return JSONResponse({"status": "failing", "problems": problems}, 503)
        return JSONResponse({"status": "ok"})

    async def metrics(self, _request: Request) -> Response:
        """What is counted, for Prometheus."""
        return Response(self._site.metrics(), media_type=CONTENT_TYPE_LATEST)

    async def ask(self, request: Request) -> Response:
        """Whether this browser is the operator's."""
        return JSONResponse({"operator": is_operator(request)})

    async def sign_in(self, request: Request) -> Response:
        """Let the browser that shows the token be the operator's."""
        token = (await read_body(request, Token)).token
        if not self._site.browsers.check(request.scope, token):
            raise not_the_operator(request)
        answer = JSONResponse({"operator": True})
        self._site.browsers.admit(request.scope, answer)
        return answer

    async def sign_out(self, request: Request) -> Response:
        """Let this browser be the operator's no more."""
        answer = JSONResponse({"operator": False})
        self._site.browsers.dismiss(request.scope, answer)
        return answer

    async def services(self, _request: Request) -> Response:
        """Where each service listens."""
        return JSONResponse({"services": self._site.services.addresses})

    async def move(self, request: Request) -> Response:
        """Have a service listen on another port."""
        name, services = request.path_params["name"], self._site.services
        require_operator(request)
        if name not in services.addresses:
            raise HTTPException(404, "there is no such service")
        port = (await read_body(request, PortChange)).port
        if port is None or not 0 <= port <= 65535:
            raise BadRequest(f"port = {port}: must be a number from 0 (any free one) to 65535")
        try:
            await services.change_port(name, port)
        except OSError as error:
            # Not strerror: asyncio puts the address in there, which is no sentence to translate.
            why = os.strerror(error.errno) if error.errno else str(error)
            raise HTTPException(409, f"port {port}: {why}") from None
        return JSONResponse({"services": services.addresses})
