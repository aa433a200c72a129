"""The services of this server: where they listen, and moving one to another port."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.web.bodies import BadRequest, part, read_body, read_object
from spielwerk.web.browsers import require_operator

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.site import Site


def routes(site: Site) -> list[Route]:
    """The addresses of services."""

    async def listed(_request: Request) -> Response:
        return JSONResponse({"services": site.services.addresses})

    async def moved(request: Request) -> Response:
        name = request.path_params["name"]
        require_operator(request)
        if name not in site.services.addresses:
            raise HTTPException(404, "there is no such service")
        port = part(read_object(await read_body(request, site.limits)), "port", int, None)
        if port is None or not 0 <= port <= 65535:
            raise BadRequest(f"port = {port}: must be a number from 0 (any free one) to 65535")
        try:
            await site.services.change_port(name, port)
        except OSError as error:
            # Not strerror: asyncio puts the address in there, which is no sentence to translate.
            why = os.strerror(error.errno) if error.errno else str(error)
            raise HTTPException(409, f"port {port}: {why}") from None
        return JSONResponse({"services": site.services.addresses})

    return [
        Route("/api/v1/services", listed, methods=["GET"]),
        Route("/api/v1/services/{name}", moved, methods=["PUT"]),
    ]
