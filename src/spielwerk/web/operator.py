"""The operator: a browser that shows the token may change what others may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from spielwerk.web.bodies import part, read_body, read_object
from spielwerk.web.browsers import is_operator, refusal

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.site import Site


def routes(site: Site) -> list[Route]:
    """Coming, going and asking."""

    async def asked(request: Request) -> Response:
        return JSONResponse({"operator": is_operator(request)})

    async def came(request: Request) -> Response:
        token = part(read_object(await read_body(request, site.limits)), "token", str, "")
        if not site.browsers.check(request.scope, token):
            raise refusal(request)
        answer = JSONResponse({"operator": True})
        site.browsers.admit(request.scope, answer)
        return answer

    async def went(request: Request) -> Response:
        answer = JSONResponse({"operator": False})
        site.browsers.dismiss(request.scope, answer)
        return answer

    return [
        Route("/api/v1/operator", asked, methods=["GET"]),
        Route("/api/v1/operator", came, methods=["POST"]),
        Route("/api/v1/operator", went, methods=["DELETE"]),
    ]
