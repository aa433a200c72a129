"""The files that pages are made of: scripts, styles, texts, pictures; kept in memory, compressed.

Those of a game lie in its folder under `page/` and are found at `games/NAME/`.

They stand under an address with a version in it, so that a browser may keep them for ever: another
content is another address. Scripts import each other by relative addresses and so stay together.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from spielwerk.games import kits
from spielwerk.web.texts import LANGUAGES, catalogue_file

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from starlette.requests import Request

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, as it is sent."""

    content: bytes
    packed: bytes
    type: str


class Assets:
    """All files, by their path under the version."""

    def __init__(self) -> None:
        self._files = {path: _asset(path, content) for path, content in _contents()}
        digest = hashlib.sha256()
        for path in sorted(self._files):
            digest.update(path.encode() + b"\0" + self._files[path].content)
        self.version = digest.hexdigest()[:12]

    def url(self, path: str) -> str:
        """The address of a file; KeyError for one that does not exist."""
        self._files[path]
        return f"/static/{self.version}/{path}"

    def routes(self) -> list[Route]:
        """Where the files are found; the version before the last one gets the newest files."""
        return [Route("/static/{version}/{path:path}", self._send)]

    async def _send(self, request: Request) -> Response:
        asset = self._files.get(request.path_params["path"])
        if asset is None:
            raise HTTPException(404, "there is no such file")
        current = request.path_params["version"] == self.version
        packed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if current else "no-cache",
            "Vary": "Accept-Encoding",
            "Content-Type": asset.type,
        }
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(asset.packed if packed else asset.content, headers=headers)


@cache
def assets() -> Assets:
    """The files, read once in the life of the program."""
    return Assets()


def _asset(path: str, content: bytes) -> Asset:
    kind = TYPES[path.rpartition(".")[2]]
    return Asset(content, gzip.compress(content, 9, mtime=0), kind)


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
