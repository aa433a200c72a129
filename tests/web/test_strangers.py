"""Connect Four with strangers, through the API."""

from __future__ import annotations

import json
import socket
import threading
from pathlib import Path
from typing import Any, Self, cast

import pytest

from spielwerk.servers.host import HostService
from tests.servers.live import Answer, Live, ask
from tests.servers.test_host import program
from tests.waiting import PATIENCE, wait_until
from tests.web.people import COMPUTER, HERE, Browser, Page


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


class Opponent:
    """A stranger's program that joins, as it stands on the wire."""

    def __init__(self, place: dict[str, Any]) -> None:
        self.socket = socket.create_connection((place["address"], place["port"]), PATIENCE)
        self.lines = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.socket.close()

    def say(self, line: str) -> None:
        self.socket.sendall(f"{line}\n".encode())

    def hear(self) -> str:
        return self.lines.readline().decode().rstrip("\n")


def test_a_table_speaks_the_words_and_the_version_that_it_has_chosen(server: Live) -> None:
    for words, version in (("variant", "V2"), ("document", "V1")):
        name = f"words {words}"
        wire = {"spelling": words, "version": version}
        new(server, name, "ENGINE", "COMPUTER", gameGeneric={"name": name, "wire": wire})
        with Opponent(listed(server)[name]) as one:
            one.say(f"join_game;Erna;{name};V2")
            assert one.hear() == f"join_game_success;{version}"
            board = one.hear()
            if board == "start_game":
                one.say("move;0")
                board = one.hear()
            word = "update_game_board" if words == "variant" else "synchronize_game_board"
            assert board.startswith(f"{word};")


def asking(server: Live, game: str) -> str | None:
    (service,) = [s for s in server.server.services.values() if isinstance(s, HostService)]
    assert service.meeting is not None
    offer = service.meeting.described(game) or {}
    return cast("str | None", offer.get("asking"))


def test_the_owner_of_the_hosts_seat_decides_who_may_join(server: Live) -> None:
    anna, eve = Browser(server), Browser(server)
    general = {"name": "asked", "wire": {"ask": "yes"}}
    game = anna.new(HERE, COMPUTER, type="connect4", gameGeneric=general)
    with Opponent(listed(server)["asked"]) as otto, Opponent(listed(server)["asked"]) as erna:
        otto.say("join_game;Otto;asked;V2")
        wait_until(lambda: asking(server, game) == "Otto")
        answer = eve.seat(game, 0, "opponent", {"player": "Otto", "accept": True})
        assert (answer.status, answer.json["error"]) == (403, "this seat is not yours")
        assert eve.seat(game, 1, "opponent", {"player": "Otto", "accept": True}).status == 403
        assert anna.seat(game, 0, "opponent", {"player": "Otto"}).status == 400
        late = anna.seat(game, 0, "opponent", {"player": "Paul", "accept": True})
        assert (late.status, late.json["error"]) == (409, "'Paul' is no longer waiting")
        assert anna.seat(game, 0, "opponent", {"player": "Otto", "accept": False}).status == 200
        assert otto.hear() == "join_game_failed;the initiator does not want to play with you"
        erna.say("join_game;Erna;asked;V2")
        wait_until(lambda: asking(server, game) == "Erna")
        assert listed(server)["asked"]["status"] == "open"
        assert anna.seat(game, 0, "opponent", {"player": "Erna", "accept": True}).status == 200
        assert erna.hear() == "join_game_success;V2"
        wait_until(lambda: listed(server)["asked"]["status"] == "sealed")


def test_pages_hear_who_asks_and_that_the_question_has_gone(server: Live) -> None:
    browser = Browser(server)
    general = {"name": "told", "wire": {"ask": "yes"}}
    seats = (HERE, COMPUTER)
    game = browser.new(*seats, type="connect4", gameGeneric=general)

    def heard(page: Page) -> str | None:
        while (message := page.hear())["type"] != "table":
            pass
        return cast("str | None", message["table"]["offer"]["asking"])

    with browser.look(game) as page:
        assert heard(page) is None
        with Opponent(listed(server)["told"]) as otto:
            otto.say("join_game;Otto;told;V2")
            assert heard(page) == "Otto"
        assert heard(page) is None


def test_games_that_we_cannot_play_are_listed_with_the_reason(server: Live) -> None:
    place = server.server.addresses["index"][0]
    with socket.create_connection(place, PATIENCE) as line:
        line.sendall(b"register_game;x;huge;40;40;0;127.0.0.1;9\n")
        assert line.recv(99).startswith(b"register_success;")
    assert listed(server)["huge"]["problem"] == "width is 40: must be from 1 to 32"
    answer = post(server, "/api/v1/connect4/join", game="huge", name="We")
    assert answer.status == 400
    assert "'huge' cannot be joined: width is 40" in answer.json["error"]


@pytest.mark.parametrize(
    ("seats", "more", "problem"),
    [
        (("COMPUTER", "ENGINE"), {}, "second seat"),
        (("COMPUTER", "COMPUTER"), {}, "first seat"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "192.0.2.1:9090"}}, "tables.remote_hosts"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "127.0.0.1:1"}}, "cannot be reached"),
        (("ENGINE", "COMPUTER"), {"offer": {"index": "a:b:c"}}, "is no port"),
        (("ENGINE", "COMPUTER"), {"offer": 3}, "offer"),
        (("ENGINE", "COMPUTER"), {"gameGeneric": {"wire": {"ask": "yes"}}}, "only a person"),
        (("ENGINE", "COMPUTER"), {"gameGeneric": {"wire": {"only": "a;b"}}}, "semicolons"),
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
        ({"game": "x", "player": COMPUTER}, "not another TCP client"),
        ({"game": "x", "player": {"type": "ENGINE", "engine": "level=99"}}, "level"),
        ({"game": 3}, "must be a text"),
    ],
)
def test_what_cannot_be_joined(server: Live, wish: dict[str, Any], problem: str) -> None:
    answer = post(server, "/api/v1/connect4/join", **wish)
    assert answer.status == 400
    assert problem in answer.json["error"]


def test_what_a_local_service_says_is_not_told(server: Live) -> None:
    """A visitor could otherwise read what listens on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = "{}:{}".format(*listening.getsockname())

        def greet() -> None:
            for _ in range(2):
                line, _ = listening.accept()
                with line:
                    line.sendall(b"SSH-2.0-OpenSSH_9.2 secret\n")

        greeting = threading.Thread(target=greet, daemon=True)
        greeting.start()
        asked = server.get(f"/api/v1/connect4/games?index={place}")
        joined = post(server, "/api/v1/connect4/join", game="x", index=place, name="We")
        greeting.join(PATIENCE)
    for answer in (asked, joined):
        assert answer.status == 400
        assert answer.json["error"] == f"what answers at {place} is no index server"
