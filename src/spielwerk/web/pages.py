"""The pages: a frame rendered here, filled by the page's own script; and the files they need.

Files have addresses with a version in them, so that a browser may keep them for ever: another
content is another address. Scripts import each other by relative addresses and so stay together.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from spielwerk.games import kits
from spielwerk.web.rules import rules
from spielwerk.web.texts import COOKIE, LANGUAGES, catalogue, catalogue_file, language_of
from spielwerk.wire.mnm.words import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

    from spielwerk.wire.mnm.words import Dialect

YEAR: Final = 365 * 24 * 3600
SHORT_ID: Final = "mqKgzIfxb5Y"
LONG_ID: Final = "k3v9x0q2m7a1z"
TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}

PAGES: Final = {
    "/": "lobby",
    "/contests": "contests",
    "/contests/{id}": "contest",
    "/check": "check",
    "/new": "new",
    "/rules": "rules",
    "/rules/{id}": "rules",
    "/exercises/{id}": "exercises",
    "/wall": "wall",
    "/t/{id}": "table",
    "/explore": "explore",
    "/settings": "settings",
    "/help": "help",
}
# What a game's folder brings to a page.
PARTS: Final = {"rules": "rules.en.md", "exercises": "exercises.txt", "help": "help.html"}


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


def _games_on(page: str) -> list[str]:
    """The games that have a part of this page in their folder."""
    return [kit.name for kit in kits().values() if kit.page.joinpath(PARTS[page]).is_file()]


def _chapters() -> PrefixLoader:
    """The games' chapters of the help page, at `games/NAME/help.html`."""
    folders = {game: PackageLoader(kits()[game].package, "page") for game in _games_on("help")}
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
                    "rules": kit.name in _games_on("rules"),
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
            found = None if named is None else await self._found(name, named)
            if named is not None and found is None:
                raise HTTPException(404)
            if found != named:  # by the ID that clients of the oldest dialect know
                return RedirectResponse(request.url.replace(path=f"/t/{found}"), 307)
            return self.answer(request, name)

        return page

    async def _found(self, name: str, named: str) -> str | None:
        if name in PARTS:
            return named if named in _games_on(name) else None
        return await self._find[name](named)

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
        texts, place = catalogue(language), f"/{name}/"
        return self._templates.get_template(f"{name}.html").render(
            page=name,
            path=path,
            language=language,
            languages=LANGUAGES,
            asset=self._assets.url,
            t=lambda key: texts[key],
            service_name=lambda name: (
                texts.get(f"{name}.service") or texts[f"common.service.{name}"]
            ),
            games=self._games,
            ports=_ports(),
            games_on=_games_on,
            game=path.removeprefix(place) if path.startswith(place) else None,
            rules=rules,
            game_name=lambda name: texts.get(f"{name}.name") or kits()[name].game.title,
            dialects=DIALECTS.values(),
            greetings=lambda dialect: tuple(f"+ {text}" for text in dialect.greetings),
            example_id=example_id,
            in_dialect=in_dialect,
        )


# the game server's words on the help page, in each of its dialects


def example_id(dialect: Dialect) -> str:
    """A Game-ID as the dialect has them."""
    return SHORT_ID if dialect.id_length == len(SHORT_ID) else LONG_ID


def in_dialect(session: str, dialect: Dialect) -> str:
    """A session of the documents' dialect as it goes in another; segments begin with `S:`."""
    if dialect.names_winner:
        return session
    lines = session.replace("VERSION 1.", f"VERSION {dialect.major}.").splitlines()
    end = next(number for number, line in enumerate(lines) if "+ GAMEOVER" in line)
    greetings = [f"S: + {text}" for text in (dialect.banner, *dialect.greetings)]
    course = [line.replace(SHORT_ID, example_id(dialect)) for line in lines[1:end]]
    return "\n".join([*greetings, *course, *_end(lines[end:])])


def _end(lines: list[str]) -> Iterator[str]:
    winner = lines[0].split(" ")[3]
    position = [line[3:] for line in lines[1:-1] if line[3:] != "+ CAPTURE 0"]
    won = [f"+ PLAYER{player}WON {'Yes' if player == winner else 'No'}" for player in "01"]
    yield "S: + GAMEOVER"
    yield f"S: {position[0]}"
    yield from (f"   {line}" for line in [*position[1:], *won, "+ QUIT"])


# files


class Assets:
    """All files, by their path under the version."""

    def __init__(self) -> None:
        self._files = dict(_contents())
        self._packed = {
            path: gzip.compress(content, 9, mtime=0) for path, content in self._files.items()
        }
        digest = hashlib.sha256()
        for path in sorted(self._files):
            digest.update(path.encode() + b"\0" + self._files[path])
        self.version = digest.hexdigest()[:12]

    def url(self, path: str) -> str:
        """The address of a file; KeyError for one that does not exist."""
        self._files[path]
        return f"/static/{self.version}/{path}"

    def routes(self) -> list[Route]:
        """Where the files are found; the version before the last one gets the newest files."""
        return [Route("/static/{version}/{path:path}", self._send)]

    async def _send(self, request: Request) -> Response:
        path = request.path_params["path"]
        if path not in self._files:
            raise HTTPException(404, "there is no such file")
        current = request.path_params["version"] == self.version
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if current else "no-cache",
            "Vary": "Accept-Encoding",
            "Content-Type": TYPES[path.rpartition(".")[2]],
        }
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(self._packed[path] if packed else self._files[path], headers=headers)


@cache
def assets() -> Assets:
    """The files, read once in the life of the program."""
    return Assets()


def _contents() -> Iterator[tuple[str, bytes]]:
    yield from _walk(files("spielwerk.web").joinpath("static"), "")
    for kit in kits().values():
        if kit.has_page:
            yield from _walk(kit.page, f"games/{kit.name}/")
    for language in LANGUAGES:
        yield f"texts/{language}.json", catalogue_file(language)


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in TYPES:
            yield prefix + entry.name, entry.read_bytes()
