"""A page's socket for tests: says and hears JSON, keeps the cookie of its browser."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from websockets.sync.client import connect

from tests.servers.live import ask
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from websockets.sync.client import ClientConnection

    from tests.servers.live import Answer, Live


class Browser:
    """A browser: a cookie, and what it asks for."""

    def __init__(self, server: Live) -> None:
        self.server = server
        answer = server.get("/help")
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def get(self, path: str, **headers: str) -> Answer:
        return ask(self.server.url + path, None, Cookie=self.cookie, **headers)

    def post(self, path: str, body: dict[str, Any]) -> Answer:
        return ask(self.server.url + path, json.dumps(body).encode(), Cookie=self.cookie)

    def new(self, kind: str, *players: dict[str, Any], **wish: Any) -> str:
        """A new game, set up by this browser."""
        answer = self.post("/api/v1/matches", {"type": kind, "players": players, **wish})
        assert answer.status == 201, answer.body
        return str(answer.json["id"])

    @contextmanager
    def look(self, table: str | None = None, seen: int = 0) -> Iterator[Page]:
        with look(self.server, table, seen, self.cookie) as page:
            yield page


class Page:
    """What a page hears and says."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, kind: str, **parts: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **parts}))

    def hear(self, patience: float = PATIENCE) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(patience))
        return heard

    def until(self, kind: str, **parts: Any) -> dict[str, Any]:
        """The next message of this type that says this."""
        while True:
            message = self.hear()
            if message["type"] == kind and all(message[k] == v for k, v in parts.items()):
                return message

    def play(self, seat: int, ply: int, move: str, name: str = "one") -> dict[str, Any]:
        """Play, and hear what came of it."""
        self.say("move", id=name, seat=seat, ply=ply, move=move)
        while True:
            message = self.hear()
            if message["type"] in ("ack", "refused") and message["id"] == name:
                return message


def address(server: Live, table: str | None = None, seen: int = 0) -> str:
    host, port = server.web
    query = "" if table is None else f"?table={table}&seen={seen}"
    return f"ws://{host}:{port}/live{query}"


@contextmanager
def look(
    server: Live, table: str | None = None, seen: int = 0, cookie: str = "", **options: Any
) -> Iterator[Page]:
    """Open a page's socket."""
    headers = {"Cookie": cookie} if cookie else {}
    where = address(server, table, seen)
    with connect(where, additional_headers=headers, proxy=None, **options) as socket:
        yield Page(socket)
