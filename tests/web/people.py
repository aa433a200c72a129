"""Browsers that keep their cookies, for tests of who may do what."""

from __future__ import annotations

import json
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from tests.servers.live import Answer
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from tests.servers.live import Live


class Browser:
    """Somebody's browser."""

    def __init__(self, server: Live) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}
        self.set_cookies: list[str] = []  # as they came, of the last answer

    def ask(self, method: str, path: str, value: Any = None, **headers: str) -> Answer:
        named = {name.replace("_", "-"): text for name, text in headers.items()}
        if self.cookies:
            named["Cookie"] = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        body = None if value is None else json.dumps(value).encode()
        url = f"{self.server.url}{path}"
        request = Request(url, body, named, method=method)  # noqa: S310
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


HERE = {"type": "HUMAN", "here": True}
FREE = {"type": "HUMAN"}
ENGINE = {"type": "ENGINE", "engine": "random"}
