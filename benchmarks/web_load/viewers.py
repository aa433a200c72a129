"""Pages that look at the tables which are being played, by turns one more at each of them.

What is measured is the time from when the server got a move until the last viewer of its table has
it. Nobody may miss a move.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from benchmarks.web_load.sockets import Socket, ask, said

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

EVERY: Final = 2.5  # seconds between two pings of a page
PING: Final = said(type="ping", t=1)
MOVED: Final = b'{"type":"moved"'


class News:
    """Moves that are told to all viewers of a table."""

    __slots__ = ("at", "known", "left", "version")

    def __init__(self, text: bytes, viewers: int) -> None:
        message: dict[str, Any] = json.loads(text)
        self.known: int = message["from"]
        self.version: int = message["v"]
        self.at: int = message["plies"][0]["at"]  # milliseconds since 1970, of the oldest
        self.left = viewers


class Audience:
    """The viewers of a table, and what not all of them have heard yet."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self.viewers = 0
        self._news: dict[bytes, News] = {}

    def heard(self, text: bytes) -> News:
        """One of them has heard this."""
        news = self._news.get(text)
        if news is None:
            news = self._news[text] = News(text, self.viewers)
            self._load.outstanding += 1
        news.left -= 1
        if not news.left:
            del self._news[text]
            self._load.outstanding -= 1
            if self._load.measuring:
                self._load.latencies.append(time.time() - news.at / 1000)
        return news


class Viewer(Socket):
    """A page that looks at a table."""

    audience: Audience
    _version = 0

    def heard(self, text: bytes) -> None:
        """Something has happened at the table, or this is how it stands."""
        if text.startswith(MOVED):
            news = self.audience.heard(text)
            if news.known != self._version:
                self.load.fail(f"a viewer at {self._version} was told {text[:60]!r}")
            self._version = news.version
        elif not self.ready.done():
            self._version = json.loads(text)["v"]
            super().heard(text)
        self.load.counts["deliveries"] += self.load.measuring

    def ping(self) -> None:
        """Ping, now and for ever."""
        self.transport.write(PING)
        self.load.loop.call_later(EVERY, self.ping)


async def begin(load: Load, orders: Orders) -> None:
    """Open all pages."""
    found, _ = await ask(orders.port, "GET", f"/api/v1/matches?limit={orders.watched}")
    tables = [(match["id"], Audience(load)) for match in found["matches"]]
    for number in range(orders.groups):
        game_id, audience = tables[number % len(tables)]
        viewer = Viewer(load, f"/live?table={game_id}&seen=0")
        viewer.audience = audience
        audience.viewers += 1
        await viewer.connect(orders.port)
        load.loop.call_later(EVERY * load.rng.random(), viewer.ping)
