"""Connect Four with strangers, through the API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.servers.live import Answer, Live, ask
from tests.servers.test_host import program
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from pathlib import Path


def post(server: Live, path: str, **body: Any) -> Answer:
    return ask(server.url + path, json.dumps(body).encode())


def new(server: Live, name: str, *seats: str, **body: Any) -> Answer:
    players = [
        {"type": "ENGINE", "engine": "random"} if s == "ENGINE" else {"type": s} for s in seats
    ]
    general = {"name": name, "timeout": 20_000}
    return server.post({"type": "connect4", "players": players, "gameGeneric": general, **body})


def index(server: Live) -> str:
    return "{}:{}".format(*server.server.addresses["index"][0])


def listed(server: Live) -> dict[str, Any]:
    games = server.get("/api/v1/connect4/games").json["games"]
    return {game["name"]: game for game in games}


def test_a_table_that_waits_for_a_client_is_offered_and_joined(
    server: Live, tmp_path: Path
) -> None:
    game = new(server, "hosted", "ENGINE", "COMPUTER").json["id"]
    shown = listed(server)["hosted"]
    assert (shown["width"], shown["height"], shown["status"]) == (7, 6, "open")
    with program(tmp_path, "join", "hosted", "--index", index(server), "--player", "random") as one:
        assert one.wait(PATIENCE) == 0
    wait_until(lambda: server.get(f"/api/v1/matches/{game}").json["result"])
    wait_until(lambda: "hosted" not in listed(server))


@pytest.mark.parametrize(("kind", "time"), [("connect4", 10_000), ("dice", 2000), ("quarto", 3000)])
def test_a_move_may_take_as_long_as_the_games_document_says(
    server: Live, kind: str, time: int
) -> None:
    host = [{"type": "ENGINE", "engine": "random"}, {"type": "COMPUTER"}]
    game = server.post({"type": kind, "players": host if kind == "connect4" else []})
    assert server.get(f"/api/v1/matches/{game.json['id']}").json["timeout"] == time


def test_joining_a_stranger_with_an_engine(server: Live, tmp_path: Path) -> None:
    hosting = ("host", "--name", "a stranger's", "--index", index(server), "--port", "0")
    with program(tmp_path, *hosting, "--player", "random") as one:
        wait_until(lambda: "a stranger's" in listed(server))
        player = {"type": "ENGINE", "engine": "random"}
        answer = post(
            server, "/api/v1/connect4/join", game="a stranger's", name="We", player=player
        )
        assert answer.status == 201, answer.body
        assert one.wait(PATIENCE) == 0
    shown = server.get(f"/api/v1/matches/{answer.json['id']}").json
    assert [seat["name"] for seat in shown["seats"]] == ["Spielwerk", "We"]


@pytest.mark.parametrize(
    ("seats", "more", "problem"),
    [
        (("COMPUTER", "ENGINE"), {}, "second seat"),
        (("COMPUTER", "COMPUTER"), {}, "first seat"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "192.0.2.1:9090"}}, "tables.remote_hosts"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "127.0.0.1:1"}}, "cannot be reached"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "a:b:c"}}, "is no port"),
        (("ENGINE", "COMPUTER"), {"offer": 3}, "offer"),
        (("ENGINE", "COMPUTER"), {"gameSpecific": {"width": 5, "height": 5}}, "odd"),
    ],
)
def test_what_cannot_be_offered(
    server: Live, seats: tuple[str, ...], more: dict[str, Any], problem: str
) -> None:
    answer = new(server, "no", *seats, **more)
    assert answer.status == 400
    assert problem in answer.json["error"]


@pytest.mark.parametrize(
    ("wish", "problem"),
    [
        ({"game": "unheard of"}, "has no game"),
        ({"game": "x", "index": "192.0.2.1"}, "tables.remote_hosts"),
        ({"game": "x", "player": {"type": "COMPUTER"}}, "not another TCP client"),
        ({"game": "x", "player": {"type": "ENGINE", "engine": "level=99"}}, "level"),
        ({"game": 3}, "must be a text"),
    ],
)
def test_what_cannot_be_joined(server: Live, wish: dict[str, Any], problem: str) -> None:
    answer = post(server, "/api/v1/connect4/join", **wish)
    assert answer.status == 400
    assert problem in answer.json["error"]
