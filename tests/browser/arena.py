"""A server as `make run` starts it, for browsers to visit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from spielwerk.app.settings import SERVICES
from spielwerk.games import State, find_game
from tests.servers.live import FREE, Answer, Process, ask, process

Seat = str | dict[str, Any]


class Arena:
    """All services in a process of their own."""

    def __init__(self, process: Process) -> None:
        self.process = process
        *listening, token = process.lines(len(SERVICES) + 1)
        self.token = token.split()[-1]
        self.addresses = {}
        for line in listening:
            name, address = line.split()[:2]
            host, _, port = address.removeprefix("http://").rstrip("/").rpartition(":")
            self.addresses[name] = (host, int(port))
        self.url = "http://{}:{}".format(*self.addresses["web"])

    def new(self, kind: str, *seats: Seat, page: Page | None = None, **general: Any) -> str:
        """Set up a table; a HUMAN sits at this page, if one is given; `options` are the game's.

        Seats are HUMAN, OPEN (a person's, and free), COMPUTER, the text of an engine, or the whole
        wish for a player.
        """
        wish = {
            "type": kind,
            "players": [_player(seat, here=page is not None) for seat in seats],
            "gameSpecific": general.pop("options", {}),
            "gameGeneric": {"timeout": 0, **general},
        }
        path = f"{self.url}/api/v1/matches"
        if page:
            made = page.request.post(path, data=wish)
            assert made.status == 201, made.text()
            return str(made.json()["id"])
        answer = ask(path, json.dumps(wish).encode())
        assert answer.status == 201, answer.body
        return str(answer.json["id"])

    def sit_down(self, page: Page, kind: str, *seats: Seat, **general: Any) -> str:
        """Set up a table, as `new` does, with people at this page, and go there."""
        game = self.new(kind, *seats, page=page, **general)
        page.goto(f"{self.url}/t/{game}")
        return game

    def get(self, path: str) -> Answer:
        """Ask for something."""
        return ask(self.url + path)

    def record(self, table: str) -> dict[str, Any]:
        """A game as it is kept."""
        found: dict[str, Any] = self.get(f"/api/v1/matches/{table}").json
        return found

    def state(self, table: str) -> State[Any]:
        """Where a game stands, by the rules themselves."""
        record = self.record(table)
        game = find_game(record["game"]).from_text(record["options"])
        return game.parse_state(record["position"])

    def address(self, service: str) -> str:
        """Where a service listens, as HOST:PORT."""
        return "{}:{}".format(*self.addresses[service])


def _player(seat: Seat, *, here: bool) -> dict[str, Any]:
    if isinstance(seat, dict):
        return seat
    if seat in ("HUMAN", "OPEN"):
        return {"type": "HUMAN", "here": here and seat == "HUMAN"}
    if seat == "COMPUTER":
        return {"type": seat}
    return {"type": "ENGINE", "engine": seat, "name": seat.partition(":")[0]}


@contextmanager
def arena(folder: Path, *arguments: str) -> Iterator[Arena]:
    """Run a server; nothing is left of it afterwards."""
    with process(folder, *(arguments or FREE)) as serving:
        yield Arena(serving)
