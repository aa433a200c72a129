"""For those who watch over the server: is it well, and how does it do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.site import Site


def routes(site: Site) -> list[Route]:
    """/healthz and /metrics."""

    async def health(_request: Request) -> Response:
        problems = await site.problems()
        if problems:
            return JSONResponse({"status": "failing", "problems": problems}, 503)
        return JSONResponse({"status": "ok"})

    async def metrics(_request: Request) -> Response:
        return Response(site.metrics(), media_type=CONTENT_TYPE_LATEST)

    return [Route("/healthz", health), Route("/metrics", metrics)]
