"""Clients that lie, hurry or do not listen, and a database that fails: what was broken once."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import ConnectionClosed

from spielwerk.store import reading
from spielwerk.store.problems import StoreError
from spielwerk.web import analysis
from tests.servers.live import live, settings_for
from tests.waiting import PATIENCE, wait_until
from tests.web.people import HERE
from tests.web.people import Browser as Person
from tests.web.sockets import Browser, look

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.live import Live

UNLIMITED = {"timeout": 0}


@pytest.mark.parametrize("move", ["A1;B1", "A1:A2;B1;C1", ";".join(["A1"] * 12)])
def test_a_stale_turn_longer_than_what_was_played_is_refused(server: Live, move: str) -> None:
    browser = Browser(server)
    game = browser.new("morris", HERE, HERE, gameGeneric=UNLIMITED)
    with browser.look(game) as page:
        assert page.play(0, 0, "A1")["type"] == "ack"
        assert page.play(0, 0, move, "two")["stale"]
        assert page.play(0, 0, "A1", "three")["type"] == "ack"


def test_a_rematch_that_was_deleted_is_none(server: Live) -> None:
    person, operator = Person(server), Person(server)
    operator.get("/")
    assert operator.post("/api/v1/operator", {"token": server.server.token}).status == 200
    game = person.new(HERE, HERE, gameGeneric=UNLIMITED)
    again = f"/api/v1/matches/{game}/rematch"
    assert person.post(f"/api/v1/matches/{game}/resign", {"seat": 0}).status == 200
    ended = server.server.arena.find(game)
    assert ended
    wait_until(lambda: ended.over)
    first = person.post(again).json["id"]
    assert operator.ask("DELETE", f"/api/v1/matches/{first}").status == 200
    assert ended.rematch is None
    second = person.post(again).json["id"]
    assert second != first
    assert person.get(f"/t/{second}").status == 200


@pytest.mark.parametrize("table", [None, "AAAAAAAAAAA"])
def test_a_socket_hears_that_the_database_fails(
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    table: str | None,
) -> None:
    def fails(*_: Any) -> None:
        raise StoreError("here", "disk I/O error")

    with live(settings_for(tmp_path)) as server:
        for name in ("game", "finished"):
            monkeypatch.setattr(reading, name, fails)
        with look(server, table) as page, pytest.raises(ConnectionClosed) as closed:
            page.hear()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 1011
    assert "Exception in ASGI" not in caplog.text
    assert "disk I/O error" in caplog.text


def test_one_who_does_not_read_an_answer_is_dropped(impatient: Live) -> None:
    person = Person(impatient)
    options = {"width": 32, "height": 32, "depth": 32}
    game = person.new(HERE, HERE, type="connect4", gameSpecific=options, gameGeneric=UNLIMITED)
    request = f"GET /api/v1/matches/{game}/views HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        peer.settimeout(PATIENCE)
        peer.connect(impatient.web)
        with pytest.raises(ConnectionError):  # noqa: PT012
            for _ in range(400):  # nothing is read; what we ask for is answered until it is full
                peer.sendall(request)
                time.sleep(0.01)


def test_an_analysis_does_not_hold_up_the_end(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    answers = []
    with live(settings_for(tmp_path)) as server:
        person = Person(server)
        game = person.new(HERE, HERE, type="oware", gameGeneric=UNLIMITED)
        path = f"/api/v1/matches/{game}/analysis"
        assert person.get(path).status == 200  # the engine is ready now

        def ask() -> None:
            answers.append(person.get(f"{path}?effort=2").status)

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(0.5)
    asking.join(PATIENCE)
    assert answers == [503]
    assert "Exception in ASGI" not in caplog.text


def test_a_game_too_large_for_a_curve_is_not_replayed(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Browser(server)
    game = person.new("oware", HERE, HERE, gameGeneric=UNLIMITED)
    with person.look(game) as page:
        assert page.play(0, 0, "0")["type"] == "ack"
        assert person.post(f"/api/v1/matches/{game}/resign", {"seat": 0}).status == 200
        while page.until("state")["state"]["result"] is None:
            pass
    monkeypatch.setattr(analysis, "CURVE", 1)
    monkeypatch.setattr(analysis, "course", None)
    assert person.get(f"/api/v1/matches/{game}/curve").status == 409
