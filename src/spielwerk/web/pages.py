"""The pages: a frame rendered here, filled by the page's own script."""

from __future__ import annotations

import json
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from spielwerk import __version__
from spielwerk.games import kits
from spielwerk.web.help import example_id, in_dialect
from spielwerk.web.texts import COOKIE, LANGUAGES, catalogue, language_of
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.requests import Request

    from spielwerk.games.kit import Kit
    from spielwerk.web.assets import Assets

YEAR: Final = 365 * 24 * 3600

PAGES: Final = {
    "/": "lobby",
    "/contests": "contests",
    "/contests/{id}": "contest",
    "/new": "new",
    "/t/{id}": "table",
    "/settings": "settings",
    "/help": "help",
}


@cache
def _ports() -> str:
    """The usual ports of the services for clients, for pages to name while one is not running."""
    names = dict.fromkeys(name for kit in kits().values() for name in kit.servers)
    sections = {name: import_module(f"spielwerk.servers.{name}").SETTINGS for name in names}
    return json.dumps(
        {
            name: int(section.model_fields["ports"].default[0].partition(":")[0])
            for name, section in sections.items()
        }
    )


def _has_chapter(kit: Kit) -> bool:
    return kit.page.joinpath("help.html").is_file()


def _chapters() -> PrefixLoader:
    """The games' chapters of the help page, at `games/NAME/help.html`."""
    found = [kit for kit in kits().values() if _has_chapter(kit)]
    folders = {kit.name: PackageLoader(kit.package, "page") for kit in found}
    return PrefixLoader({"games": PrefixLoader(folders)})


class Pages:
    """The pages in every language; `find` says by page what the ID names, or None."""

    def __init__(
        self, assets: Assets, find: Mapping[str, Callable[[str], Awaitable[str | None]]]
    ) -> None:
        self._assets = assets
        self._find = find
        self._templates = Environment(
            loader=ChoiceLoader([PackageLoader("spielwerk.web"), _chapters()]),
            autoescape=True,
            undefined=StrictUndefined,
        )
        self._games = json.dumps(
            [
                {
                    "name": kit.name,
                    "title": kit.game.title,
                    "services": kit.servers,
                    "page": kit.has_page,
                }
                for kit in kits().values()
            ]
        )

    def routes(self) -> list[Route]:
        """Where the pages are found."""
        return [Route(path, self._page(name), name=name) for path, name in PAGES.items()]

    def _page(self, name: str) -> Any:
        async def page(request: Request) -> Response:
            named = request.path_params.get("id")
            found = None if named is None else await self._find[name](named)
            if named is not None and found is None:
                raise HTTPException(404)
            if found != named:  # by the ID that clients of the oldest dialect know
                return RedirectResponse(request.url.replace(path=f"/t/{found}"), 307)
            return self.answer(request, name)

        return page

    def answer(self, request: Request, name: str, status: int = 200) -> Response:
        """The page for this browser, in its language."""
        language = language_of(request)
        answer = HTMLResponse(self.render(name, language, request.url.path), status)
        answer.headers["Cache-Control"] = "no-cache"
        answer.headers["Vary"] = "Accept-Language, Cookie"
        if request.query_params.get("lang") in LANGUAGES:
            answer.set_cookie(COOKIE, language, YEAR, samesite="lax")
        return answer

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
            service_name=lambda name: (
                texts.get(f"{name}.service") or texts[f"common.service.{name}"]
            ),
            games=self._games,
            ports=_ports(),
            chapters=[kit.name for kit in kits().values() if _has_chapter(kit)],
            dialects=DIALECTS.values(),
            greetings=lambda dialect: tuple(f"+ {text}" for text in dialect.greetings),
            example_id=example_id,
            in_dialect=in_dialect,
        )
