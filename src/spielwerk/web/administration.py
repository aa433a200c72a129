"""For those who run the server: its health, the operator's token, and where services listen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.web.bodies import BadRequest, Body, read_body
from spielwerk.web.browsers import is_operator, refusal, require_operator

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.site import Site


class Token(Body):
    """What the operator shows."""

    token: str = ""


class PortChange(Body):
    """Where a service is to listen."""

    port: int | None = None


def routes(site: Site) -> list[Route]:
    """The addresses of all this."""
    answers = Administration(site)
    return [
        Route("/healthz", answers.health),
        Route("/metrics", answers.metrics),
        Route("/api/v1/operator", answers.ask, methods=["GET"]),
        Route("/api/v1/operator", answers.sign_in, methods=["POST"]),
        Route("/api/v1/operator", answers.sign_out, methods=["DELETE"]),
        Route("/api/v1/services", answers.services, methods=["GET"]),
        Route("/api/v1/services/{name}", answers.move, methods=["PUT"]),
    ]


class Administration:
    """The answers, one method each."""

    def __init__(self, site: Site) -> None:
        self._site = site

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
        token = (await read_body(request, self._site.limits, Token)).token
        if not self._site.browsers.check(request.scope, token):
            raise refusal(request)
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
        port = (await read_body(request, self._site.limits, PortChange)).port
        if port is None or not 0 <= port <= 65535:
            raise BadRequest(f"port = {port}: must be a number from 0 (any free one) to 65535")
        try:
            await services.change_port(name, port)
        except OSError as error:
            # Not strerror: asyncio puts the address in there, which is no sentence to translate.
            why = os.strerror(error.errno) if error.errno else str(error)
            raise HTTPException(409, f"port {port}: {why}") from None
        return JSONResponse({"services": services.addresses})
