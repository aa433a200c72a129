"""Browsers that keep their cookies, and the sockets of their pages, which say and hear JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from websockets.sync.client import ClientConnection, connect

from tests.servers.live import Answer, Live, patiently
from tests.waiting import PATIENCE

HERE = {"type": "HUMAN", "here": True}
FREE = {"type": "HUMAN"}
COMPUTER = {"type": "COMPUTER"}
ENGINE = {"type": "ENGINE", "engine": "random"}
NO_LIMIT = {"gameGeneric": {"timeout": 0}}


class Browser:
    """A person's browser."""

    def __init__(self, server: Live) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}
        self.set_cookies: list[str] = []  # as they came, of the last answer

    @property
    def cookie(self) -> str:
        """What is sent with every request."""
        return "; ".join(f"{name}={text}" for name, text in self.cookies.items())

    def ask(self, method: str, path: str, value: Any = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        if self.cookies:
            named["Cookie"] = self.cookie
        body = None if value is None else json.dumps(value).encode()
        request = Request(self.server.url + path, body, named, method=method)  # noqa: S310
        return patiently(lambda: self._send(request))

    def _send(self, request: Request) -> Answer:
        try:
            with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
                return self._keep(answer.status, answer)
        except HTTPError as error:
            with error:
                return self._keep(error.code, error)

    def _keep(self, status: int, answer: Any) -> Answer:
        self.set_cookies = answer.headers.get_all("set-cookie") or []
        for text in self.set_cookies:
            for name, morsel in SimpleCookie(text).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0":
                    del self.cookies[name]
        return Answer(status, dict(answer.headers), answer.read())

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, value: Any = None) -> Answer:
        return self.ask("POST", path, {} if value is None else value)

    def new(self, *players: dict[str, Any], **wish: Any) -> str:
        """Set up a game, Quarto if it is not said."""
        answer = self.post("/api/v1/matches", {"type": "Quarto", "players": players, **wish})
        assert answer.status == 201, answer.body
        return str(answer.json["id"])

    def seat(self, game: str, number: int, what: str, value: Any = None) -> Answer:
        """Do something with a seat."""
        path = f"/api/v1/matches/{game}/seats/{number}/{what}"
        return self.get(path) if what == "link" else self.post(path, value)

    def key(self, game: str, number: int) -> str:
        """The secret in a seat's link."""
        return str(self.seat(game, number, "link").json["path"].rpartition("key=")[2])

    @contextmanager
    def look(self, table: str | None = None, seen: int = 0) -> Iterator[Page]:
        """Open a page's socket."""
        if not self.cookies:
            self.get("/help")
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


@contextmanager
def look(
    server: Live, table: str | None = None, seen: int = 0, cookie: str = "", **options: Any
) -> Iterator[Page]:
    """Open a socket, as a page without a browser or with these cookies."""
    host, port = server.web
    query = "" if table is None else f"?table={table}&seen={seen}"
    headers = {"Cookie": cookie} if cookie else {}
    where = f"ws://{host}:{port}/live{query}"
    with connect(where, additional_headers=headers, proxy=None, **options) as socket:
        yield Page(socket)
