"""A page as a browser loads it the first time: with everything that it refers to."""

from __future__ import annotations

import gzip
import re
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Final
from urllib.parse import urljoin

ADDRESSES: Final = re.compile(
    r"""(?:href|src)="(/static/[^"]+)"|(?:from|import)\s*\(?\s*"(\.[^"]+)"|url\("([^"]+)"\)"""
)


@dataclass
class Loaded:
    """What came, and how long it took over one connection, one after the other."""

    bytes: int = 0
    seconds: float = 0.0
    known: set[str] = field(default_factory=set)


def load(port: int, path: str, more: tuple[str, ...] = ()) -> Loaded:
    """Load a page; `more` are files under its version that its scripts will ask for."""
    loaded, started = Loaded(), time.perf_counter()
    connection = HTTPConnection("127.0.0.1", port)
    page = _get(connection, loaded, path)
    version = re.findall(r"/static/\w+/", page)[0]
    _follow(connection, loaded, path, page)
    for file in more:
        _follow(connection, loaded, version, f'src="{version}{file}"')
    connection.close()
    loaded.seconds = time.perf_counter() - started
    return loaded


def _follow(connection: HTTPConnection, loaded: Loaded, base: str, text: str) -> None:
    """Load what a text refers to, and what that refers to."""
    for groups in ADDRESSES.findall(text):
        address = urljoin(base, "".join(groups))
        if address not in loaded.known:
            _follow(connection, loaded, address, _get(connection, loaded, address))


def _get(connection: HTTPConnection, loaded: Loaded, path: str) -> str:
    loaded.known.add(path)
    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{path}: {answer.status} {content[:80]!r}")
    loaded.bytes += len(content) + len(str(answer.headers))
    plain = gzip.decompress(content) if answer.headers["content-encoding"] else content
    return plain.decode()
