"""Sockets of pages over real connections: news, resuming, moves, and what hostile pages get."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from spielwerk.store import reading
from spielwerk.store.problems import StoreError
from spielwerk.web.hub import Hub
from tests.servers.live import Live, client, live, settings_for
from tests.waiting import PATIENCE
from tests.web.people import COMPUTER, ENGINE, FREE, HERE, NO_LIMIT, Browser, Page, look


def closed(page: Page) -> int:
    """Wait until the server closes; the code."""
    try:
        while True:
            page.hear()
    except ConnectionClosed as error:
        assert error.rcvd is not None
        return int(error.rcvd.code)


# looking at a table


def test_a_page_hears_everything_at_first_and_then_what_is_new(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, FREE, type="oware", **NO_LIMIT)
    with me.look(game) as page:
        first = page.until("table")
        assert (first["v"], first["from"], first["plies"]) == (0, 0, [])
        assert first["table"]["id"] == game
        assert first["table"]["game"] == "oware"
        assert first["start"] == first["view"]
        assert first["view"]["legal"] == ["0", "1", "2", "3", "4", "5"]
        assert first["state"]["open"]
        assert first["state"]["seats"][1]["free"]
        assert page.until("you")["seats"] == [0]


def test_the_seat_of_a_person_is_connected_while_a_page_looks(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, ENGINE, type="oware", **NO_LIMIT)
    with look(server, game) as other:
        assert other.until("table")["state"]["seats"][0]["connection"] == "away"
        with me.look(game) as page:
            page.until("table")
            assert other.until("state")["state"]["seats"][0]["connection"] == "connected"
        assert other.until("state")["state"]["seats"][0]["connection"] == "away"


def test_an_unknown_game_is_closed_with_its_own_code(server: Live) -> None:
    for name in ("AAAAAAAAAAA", "../../etc", "", "%00", "x" * 5000):
        with look(server, name) as page:
            assert closed(page) == 4404


def test_clients_are_shown_as_they_come_and_go(server: Live) -> None:
    game = server.new(players=[COMPUTER, COMPUTER])
    with look(server, game) as page:
        first = page.until("table")
        address, game = first["table"]["address"], first["table"]["id"]
        assert address["port"] == server.mnm[1]
        assert address["doors"] == [{"port": server.mnm[1], "dialect": 1, "id": game[:11]}]
        assert [s["connection"] for s in first["state"]["seats"]] == ["waiting", "waiting"]
        with client(server.mnm) as one:
            one.join(game)
            seat = page.until("state")["state"]["seats"][0]
            assert (seat["connection"], seat["service"]) == ("connected", "mnm")
            assert seat["peer"].startswith("127.0.0.1:")
        seat = page.until("state")["state"]["seats"][0]
        assert (seat["connection"], seat["peer"]) == ("lost", None)
        assert 0 < seat["reserved"] <= 5000
        while seat["connection"] == "lost":
            seat = page.until("state")["state"]["seats"][0]
        assert seat["connection"] == "waiting"


# moves


def test_a_move_is_acknowledged_and_everybody_sees_it(server: Live) -> None:
    me, you = Browser(server), Browser(server)
    game = me.new(HERE, FREE, type="oware", **NO_LIMIT)
    with me.look(game) as mine, you.look(game) as yours:
        mine.until("you", seats=[0])
        assert you.post(f"/api/v1/matches/{game}/seats/1/take", {"name": "You"}).status == 200
        yours.until("you", seats=[1])
        assert mine.play(0, 0, "2") == {"type": "ack", "id": "one", "v": 1}
        moved = yours.until("moved")
        assert (moved["v"], moved["from"], moved["plies"][0]["move"]) == (1, 0, "2")
        assert moved["plies"][0]["view"]["turn"] == 1
        assert moved["plies"][0]["steps"][0][0] == "choose"
        assert moved["state"]["turn"] == 1
        assert yours.play(1, 1, "0")["v"] == 2
        assert mine.until("moved", v=2)["plies"][0]["seat"] == 1


def test_no_browser_moves_for_another(server: Live) -> None:
    me, you = Browser(server), Browser(server)
    game = me.new(HERE, FREE, type="oware", **NO_LIMIT)
    with you.look(game) as yours, look(server, game) as unknown:
        for page in (yours, unknown):
            for seat in (0, 1, -1, 2, 99):
                refused = page.play(seat, 0, "2")
                assert (refused["type"], refused["error"]) == ("refused", "this seat is not yours")
    assert server.get(f"/api/v1/matches/{game}").json["moves"] == []


def test_a_move_sent_again_is_not_played_again(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, ENGINE, type="oware", **NO_LIMIT)
    with me.look(game) as page:
        page.until("you", seats=[0])
        assert page.play(0, 0, "2")["type"] == "ack"
        page.until("moved", v=2)
    with me.look(game, seen=1) as page:
        again = page.until("table")
        assert (again["from"], len(again["plies"])) == (1, 1)
        assert "start" not in again
        assert page.play(0, 0, "2")["type"] == "ack"
        other = page.play(0, 0, "3")
        assert (other["type"], other["stale"]) == ("refused", True)
        assert page.play(0, 17, "3")["stale"]
    moves = server.get(f"/api/v1/matches/{game}").json["moves"]
    assert [move["move"] for move in moves if move["seat"] == 0] == ["2"]


def test_the_same_move_twice_at_once_is_kept_once(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, ENGINE, type="oware", **NO_LIMIT)
    with me.look(game) as page, me.look(game) as other:
        for one in (page, other):
            one.until("you", seats=[0])
        for name in "abc":
            page.say("move", id=name, seat=0, ply=0, move="2")
            other.say("move", id=name, seat=0, ply=0, move="2")
        for one in (page, other):
            answers = [one.until("ack")["id"] for _ in range(3)]
            assert answers == ["a", "b", "c"]
    moves = server.get(f"/api/v1/matches/{game}").json["moves"]
    assert [move["move"] for move in moves if move["seat"] == 0] == ["2"]


def test_an_illegal_move_is_refused_with_the_rule(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, ENGINE, type="morris", **NO_LIMIT)
    with me.look(game) as page:
        page.until("you", seats=[0])
        assert page.play(0, 0, "A0")["type"] == "ack"
        ply = page.until("moved", v=2)["v"]
        refused = page.play(0, ply, "A0")
        assert refused["type"] == "refused"
        assert refused["rule"] == "Destination is already occupied"
        assert not refused["stale"]
        page.say("why", id="w", move="A0")
        assert page.until("why")["rule"] == "Destination is already occupied"
        page.say("why", id="x", move="ZZ")
        assert page.until("why")["rule"]
        taken = {move["move"] for move in server.get(f"/api/v1/matches/{game}").json["moves"]}
        free = next(field for field in ("A1", "A2", "A3") if field not in taken)
        page.say("why", id="y", move=free)
        assert page.until("why", id="y")["rule"] is None


def test_a_move_out_of_turn_is_stale(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, HERE, type="oware", **NO_LIMIT)
    with me.look(game) as page:
        page.until("you", seats=[0, 1])
        refused = page.play(1, 0, "2")
        assert (refused["type"], refused["stale"]) == ("refused", True)


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"id": "i"},
        {"id": "i", "seat": "0", "ply": 0, "move": "2"},
        {"id": "i", "seat": 0, "ply": None, "move": "2"},
        {"id": "i", "seat": True, "ply": False, "move": "2"},
        {"id": "i", "seat": 0, "ply": 0, "move": ["2"]},
        {"id": "i", "seat": 0, "ply": 0, "move": "2" * 65},
        {"id": {}, "seat": 0, "ply": 0, "move": "2"},
        {"id": "i", "seat": 0, "ply": 10**30, "move": "\ud800"},
        {"id": "i", "seat": 0, "ply": 0, "move": "\0\n<script>"},
    ],
)
def test_moves_that_are_none(server: Live, parts: dict[str, Any]) -> None:
    me = Browser(server)
    game = me.new(HERE, ENGINE, type="oware", **NO_LIMIT)
    with me.look(game) as page:
        page.until("you")
        page.say("move", **parts)
        assert page.until("refused")["error"]
        page.say("why", **parts)
        page.until("why")


# coming back


def test_a_page_that_comes_back_gets_only_what_it_has_missed(server: Live) -> None:
    game = server.new(players=[ENGINE, ENGINE])
    with look(server, game) as page:
        news = [page.until("table")]
        while not news[-1]["state"]["result"]:
            news.append(page.hear())
            if "state" not in news[-1]:
                news.pop()
        plies = [ply for message in news for ply in message.get("plies", [])]
    assert [ply["n"] for ply in plies] == list(range(len(plies)))
    with look(server, game, seen=3) as page:
        again = page.until("table")
        assert again["from"] == 3
        assert [ply["n"] for ply in again["plies"]] == list(range(3, len(plies)))
        assert again["v"] == len(plies) + 1
    for much in (len(plies) + 1, 10**8):
        with look(server, game, seen=much) as page:
            assert page.until("table")["from"] == 0


def test_a_finished_game_is_shown_from_the_archive(tmp_path: Path) -> None:
    with live(settings_for(tmp_path)) as server:
        game = server.new(players=[ENGINE, ENGINE])
        with look(server, game) as page:
            while not (message := page.hear()).get("state", {}).get("result"):
                pass
        server.server.arena._tables.clear()  # as if swept
        hub(server)._channels.clear()
        with look(server, game) as page:
            shown = page.until("table")
    assert shown["v"] == message["v"]
    assert shown["state"]["result"]["reason"] in ("rule win", "rule draw")
    assert {seat["connection"] for seat in shown["state"]["seats"]} == {"builtin"}


# the wire


def test_the_wire_is_told_as_it_happens(server: Live) -> None:
    game = server.new(players=[COMPUTER, COMPUTER])
    with look(server, game) as page, client(server.mnm) as one:
        page.until("table")
        page.say("wire", on=True)
        assert page.until("wire")["connections"] == []
        one.hear()
        one.say(b"VERSION 1.0\n")
        one.hear()
        one.say(f"ID {game}\n".encode())
        (told,) = page.until("wire")["connections"]
        assert (told["seat"], told["service"], told["open"], told["from"]) == (None, "mnm", True, 0)
        assert [piece[1] for piece in told["pieces"][:3]] == ["out", "in", "out"]
        assert told["pieces"][1][2] == "VERSION 1.0\\n"
        started = time.monotonic()
        one.say(b"PLAYER \r\n")
        (more,) = page.until("wire")["connections"]
        assert time.monotonic() - started < 1
        assert more["key"] == told["key"]
        assert more["from"] == len(told["pieces"]) or more["pieces"]
        assert "PLAYER \\r\\n" in [piece[2] for piece in more["pieces"]]
        one.close()
        while (last := page.until("wire")["connections"][0])["open"]:
            pass
        with look(server, game) as late:
            late.say("wire", on=True)
            (whole,) = late.until("wire")["connections"]
        assert whole["key"] == last["key"]
        assert not whole["open"]
        assert whole["pieces"][: len(told["pieces"])] == told["pieces"]


def test_a_late_follower_hears_all_connections_or_the_newest_that_fit(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = server.new(players=[COMPUTER, COMPUTER])
    with client(server.mnm) as one, client(server.mnm) as two:
        one.join(game)
        two.join(game)
        for most, seats in ((700_000, [0, 1]), (10, [1])):
            monkeypatch.setattr("spielwerk.web.feed.CHARACTERS", most)
            with look(server, game) as page:
                page.say("wire", on=True)
                assert [told["seat"] for told in page.until("wire")["connections"]] == seats


# hostile pages


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("garbage", 1007),
        ("[]", 1007),
        ("1", 1007),
        ("{}", 1007),
        ('{"type":1}', 1007),
        ('{"type":"ping"' + "[" * 5000, 1007),
        ("[" * 10000, 1007),
        (b"\x00\xff", 1007),
        ("x" * 20_000, 1009),
    ],
)
def test_garbage_closes_the_socket(server: Live, frame: str | bytes, code: int) -> None:
    game = server.new()
    with look(server, game) as page:
        page.socket.send(frame)
        assert closed(page) == code


FRAMES = {  # none of them is what a WebSocket client may send
    "a reserved kind": b"\x8f\x80abcd",
    "no mask": b"\x81\x01x",
    "not UTF-8": b"\x81\x82\0\0\0\0\xff\xfe",
    "an early goodbye": b"\x88\x80abcd",
    "HTTP": b"GET / HTTP/1.1\r\n\r\n",
}
UPGRADE = (
    b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_what_is_not_websocket_is_worth_no_more_than_a_line(
    server: Live, caplog: pytest.LogCaptureFixture, frame: bytes, early: bool
) -> None:
    with ExitStack() as stack:  # many, so that the last are heard before they are let in
        peers = [
            stack.enter_context(socket.create_connection(server.web, timeout=PATIENCE))
            for _ in range(50)
        ]
        for peer in peers:
            peer.sendall(UPGRADE)
        for peer in reversed(peers):
            if not early:
                peer.recv(1)
            peer.sendall(frame)
            peer.shutdown(socket.SHUT_WR)
        for peer in peers:
            with suppress(ConnectionError):
                while peer.recv(4096):
                    pass
    assert [one for one in caplog.records if one.exc_info or one.levelname == "ERROR"] == []


def test_unknown_types_are_ignored(server: Live) -> None:
    with look(server, server.new()) as page:
        page.say("dance", with_whom=[{}])
        page.say("ping", t="<script>")
        assert page.until("pong")["t"] is None


def test_a_flood_closes_the_socket(server: Live) -> None:
    with look(server, server.new()) as page:
        with suppress(ConnectionClosed):
            for number in range(200):
                page.say("ping", t=number)
        assert closed(page) == 1008


def test_a_handshake_that_never_completes_is_given_up(impatient: Live) -> None:
    head = b"GET /live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    with socket.create_connection(impatient.web, timeout=PATIENCE) as slow:
        slow.sendall(head)
        started = time.monotonic()
        assert slow.recv(100) == b""
        assert time.monotonic() - started < 5
    with look(impatient) as page:  # and one that is complete is not
        page.until("lobby")
        time.sleep(0.6)
        page.say("ping", t=1)
        page.until("pong")


def deaf(server: Live, game: str, buffer: int = 0) -> socket.socket:
    """A page that has opened its socket and reads nothing."""
    one = socket.socket()
    if buffer:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.settimeout(PATIENCE)
    one.connect(server.web)
    one.sendall(
        f"GET /live?table={game} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return one


def test_one_who_does_not_read_is_dropped_and_no_player_waits(server: Live) -> None:
    me = Browser(server)
    game = me.new(HERE, HERE, type="oware", **NO_LIMIT)
    with deaf(server, game, 4096) as slow, me.look(game) as page:
        page.until("viewers", count=1)
        for _ in range(500):
            server.call(_shout(server, game))
            if len(hub(server)._channels[game].viewers) == 1:
                break
        page.until("viewers", count=0)
        assert page.play(0, 0, "2")["type"] == "ack"
        assert gone(slow)


def test_one_who_says_nothing_is_dropped_after_a_while(server: Live) -> None:
    with look(server, server.new()) as page:
        page.until("table")
        for viewer in hub(server)._viewers:
            viewer.heard -= 1000
        assert closed(page) == 1013


def gone(one: socket.socket) -> bool:
    """Whether the server ends the connection, however much there is to read first."""
    with suppress(ConnectionResetError):
        while one.recv(65536):
            pass
    return True


def hub(server: Live) -> Hub:
    app = server.server.services["web"]._server.config.app  # type: ignore[attr-defined]
    found: Hub = app.state.hub
    return found


async def _shout(server: Live, game: str) -> None:
    """Something long for those who only look."""
    for viewer in hub(server)._channels[game].viewers:
        if not viewer.seats:
            viewer.offer(json.dumps({"type": "noise", "text": "x" * 60_000}))
    await asyncio.sleep(0)


# crowds and floods


FLOODS = {
    "pings": b"\x89\x80\0\0\0\0" * 100_000,
    "messages": b"\x81\x82\0\0\0\0{}" * 100_000,
    "fragments": b"\x01\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 100_000,
    "long messages": (b"\x81\xfe\x3e\x80\0\0\0\0" + b"[" * 16_000) * 100,
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_of_frames_is_cut_off_and_others_are_answered(server: Live, flood: bytes) -> None:
    with look(server, server.new()) as page, deaf(server, server.new()) as hostile:
        page.until("table")
        with suppress(ConnectionError):
            hostile.sendall(flood)
        started = time.monotonic()
        page.say("ping", t=7)
        page.until("pong", t=7)
        assert time.monotonic() - started < 1
        assert gone(hostile)


def test_the_worst_readers_are_dropped_if_all_together_wait_for_too_much(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spielwerk.web.hub.UNSENT", 1000)
    game = server.new()
    with look(server, game) as page, deaf(server, game, 4096) as slow:
        page.until("viewers", count=2)
        server.call(_tell(slow, server))
        page.until("viewers", count=1)
        assert gone(slow)


async def _tell(slow: socket.socket, server: Live) -> None:
    """Say something long to the page at the other end of this socket."""
    for one in hub(server)._viewers:
        if one._transport.get_extra_info("peername") == slow.getsockname():
            one.offer("x" * 400_000)


def test_large_positions_are_told_only_a_few_at_once(
    server: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spielwerk.web.channel.LONGEST", 1000)
    me = Browser(server)
    game = me.new(HERE, HERE, type="oware", **NO_LIMIT)
    with me.look(game) as page:
        for ply in range(6):
            assert page.play(ply % 2, ply, str(ply // 2))["type"] == "ack"
        page.until("moved", v=6)
    with me.look(game) as page:
        plies = page.until("table")["plies"]
    viewed = ["view" in ply for ply in plies]
    assert len(plies) == 6
    assert viewed == sorted(viewed)
    assert 0 < sum(viewed) < 6


# what was broken once


@pytest.mark.parametrize("move", ["A1;B1", "A1:A2;B1;C1", ";".join(["A1"] * 12)])
def test_a_stale_turn_longer_than_what_was_played_is_refused(server: Live, move: str) -> None:
    browser = Browser(server)
    game = browser.new(HERE, HERE, **NO_LIMIT, type="morris")
    with browser.look(game) as page:
        assert page.play(0, 0, "A1")["type"] == "ack"
        assert page.play(0, 0, move, "two")["stale"]
        assert page.play(0, 0, "A1", "three")["type"] == "ack"


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
