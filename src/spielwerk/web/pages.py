"""The pages: a frame rendered here, filled by the page's own script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from spielwerk import __version__
from spielwerk.web.texts import COOKIE, LANGUAGES, catalogue, language_of

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.assets import Assets

YEAR: Final = 365 * 24 * 3600

PAGES: Final = {
    "/": "lobby",
    "/new": "new",
    "/t/{id}": "table",
    "/settings": "settings",
    "/help": "help",
}


class Pages:
    """The pages in every language."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._templates = Environment(
            loader=PackageLoader("spielwerk.web"), autoescape=True, undefined=StrictUndefined
        )

    def routes(self) -> list[Route]:
        """Where the pages are found."""
        return [Route(path, self._page(name), name=name) for path, name in PAGES.items()]

    def _page(self, name: str) -> Any:
        async def page(request: Request) -> Response:
            language = language_of(request)
            answer = HTMLResponse(self.render(name, language, request.url.path))
            if request.query_params.get("lang") in LANGUAGES:
                answer.set_cookie(COOKIE, language, YEAR, samesite="lax")
            return answer

        return page

    def render(self, name: str, language: str, path: str) -> str:
        """The page's HTML."""
        texts = catalogue(language)
        return self._templates.get_template(f"{name}.html").render(
            page=name,
            path=path,
            language=language,
            languages=LANGUAGES,
            version=__version__,
            asset=self._assets.url,
            t=lambda key: texts[key],
        )
