"""One address with many connections keeps nobody else out, of no service."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from spielwerk.app.settings import Settings, TableSettings
from spielwerk.net.listening import SILENT
from spielwerk.net.rooms import IDLE
from tests.servers.live import Answer, Live, client, live, settings_for
from tests.waiting import PATIENCE

PLACES = 12
CROWD, OTHER = "127.0.0.2", "127.0.0.3"
SERVICES = ("mnm", "dice", "oware", "index", "host", "web")

UPGRADE = (
    "GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
JOIN = b"join_game;somebody;nothing;V1\n"
ASKED = {  # what a newcomer says, and how the answer begins
    "mnm": (b"", b"+ MNM"),
    "dice": (b"", b"HELO"),
    "oware": (b"STATUS?\n", b""),
    "index": (b"request_game_list\n", b"answer_game_list"),
    "host": (JOIN, b"join_game_failed"),
    "web": (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b"HTTP/1.1 200"),
}


def small(folder: Path) -> Settings:
    settings = settings_for(folder)
    sections = {name: settings.section(name).replaced(connections=PLACES) for name in SERVICES}
    # Players here do not answer, and those who are gone do not come back.
    sections["mnm"] = sections["mnm"].replaced(okwait=PATIENCE, reservation=0.0)
    return settings.replaced(**sections, tables=TableSettings(limit=PLACES))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(small(tmp_path_factory.mktemp("crowds"))) as one:
        yield one


def connect(server: Live, service: str, source: str) -> socket.socket:
    address = server.server.addresses[service][0]
    return socket.create_connection(address, PATIENCE, (source, 0))


@contextmanager
def crowd(server: Live, service: str, said: str = "") -> Iterator[None]:
    """More connections of one address than there are places, all of them silent."""
    with ExitStack() as stack:
        for _ in range(PLACES + 5):
            one = stack.enter_context(connect(server, service, CROWD))
            one.sendall(said.encode())
            if said:
                one.recv(1)
        yield


def answer(server: Live, service: str, source: str) -> bytes:
    asked, _ = ASKED[service]
    with connect(server, service, source) as one:
        one.sendall(asked)
        if not ASKED[service][1]:
            one.shutdown(socket.SHUT_WR)
        return one.recv(1000)


@pytest.mark.parametrize("service", SERVICES)
def test_a_crowd_keeps_no_other_address_out(server: Live, service: str) -> None:
    with crowd(server, service):
        heard = answer(server, service, OTHER)
    assert heard.startswith(ASKED[service][1])
    assert heard


GUESS = (
    "DELETE /api/v1/matches/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n"
)


def test_wrong_tokens_that_wait_for_their_answer_keep_nobody_out(server: Live) -> None:
    with ExitStack() as stack:
        for number in range(PLACES):  # two of each address, so that none of them has much
            one = stack.enter_context(connect(server, "web", f"127.0.1.{1 + number // 2}"))
            one.sendall(GUESS.encode())
        time.sleep(IDLE + 0.1)
        assert answer(server, "web", OTHER).startswith(b"HTTP/1.1 200")


def test_a_crowd_of_pages_keeps_out_neither_requests_nor_pages(server: Live) -> None:
    with crowd(server, "web", UPGRADE):
        assert answer(server, "web", OTHER).startswith(b"HTTP/1.1 200")
        with connect(server, "web", OTHER) as page:
            page.sendall(UPGRADE.encode())
            assert page.recv(1000).startswith(b"HTTP/1.1 101")


def test_an_idle_crowd_does_not_keep_out_the_operator_at_the_same_address(server: Live) -> None:
    with crowd(server, "web"):
        time.sleep(SILENT + IDLE + 0.1)
        assert answer(server, "web", CROWD).startswith(b"HTTP/1.1 200")


def test_players_stay_whatever_crowd_comes(server: Live) -> None:
    begins = {"begins": 1}  # the other one, so that this one is told to wait
    game = server.new(players=[{"type": "COMPUTER"}, {"type": "COMPUTER"}], gameSpecific=begins)
    with client(server.mnm, CROWD) as player:
        player.join(game[:11])
        with crowd(server, "mnm"):
            assert answer(server, "mnm", OTHER).startswith(b"+ MNM")
            assert player.hear_until("+ WAIT")[-1] == "+ WAIT"


def test_a_flood_of_tables_keeps_nobody_out_and_is_told_what_became_of_it(server: Live) -> None:
    def new(visitor: str) -> Answer:
        return server.post({"type": "Quarto"}, X_Forwarded_For=visitor)

    flood = [new("192.0.2.1") for _ in range(PLACES + 5)]
    assert new("192.0.2.2").status == 201
    assert server.get(f"/api/v1/matches/{flood[-1].json['id']}").json["result"] is None
    ended = server.get(f"/api/v1/matches/{flood[0].json['id']}").json
    assert "needed for another game" in json.dumps(ended)


def test_who_asks_through_a_proxy_is_counted_apart(server: Live) -> None:
    told = [
        UPGRADE.replace("\r\n\r\n", f"\r\nX-Forwarded-For: 192.0.2.{n}\r\n\r\n") for n in (1, 2)
    ]
    with crowd(server, "web", told[0]), connect(server, "web", CROWD) as page:
        page.sendall(told[1].encode())
        assert page.recv(1000).startswith(b"HTTP/1.1 101")
        assert answer(server, "web", CROWD).startswith(b"HTTP/1.1 200")
