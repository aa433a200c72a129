"""The API over real HTTP: creating games, looking at them, and what hostile requests get."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spielwerk.store import reading
from spielwerk.store.problems import StoreError
from spielwerk.store.records import Entry
from tests.servers.live import Live, client, live, settings_for
from tests.waiting import PATIENCE, wait_until

COURSE_SCRIPT = (
    b'{"type":"Quarto","gameGeneric":{"name":"","timeout":3000},"gameSpecific":{},"players":'
    b'[{"name":"White Player","type":"COMPUTER"},{"name":"Black Player","type":"COMPUTER"}]}'
)


# creating


def test_the_scripts_of_the_courses_get_an_id(server: Live) -> None:
    answer = server.post(COURSE_SCRIPT)
    assert answer.status == 201
    assert list(answer.json) == ["id"]
    game = server.get(f"/api/v1/matches/{answer.json['id']}").json
    assert [seat["name"] for seat in game["seats"]] == ["White Player", "Black Player"]
    assert [seat["kind"] for seat in game["seats"]] == ["client", "client"]
    assert (game["game"], game["timeout"], game["tournament"]) == ("quarto", 3000, False)


def test_a_game_is_found_by_the_id_that_old_clients_know(server: Live) -> None:
    game_id = server.new()
    short = game_id[:11]
    assert server.get(f"/api/v1/matches/{short}").json["id"] == game_id
    assert server.get(f"/api/v1/matches/{short}/wire").status == 200
    page = HTTPConnection(server.url.removeprefix("http://"), timeout=PATIENCE)
    page.request("GET", f"/t/{short}?ply=1")
    assert page.getresponse().headers["location"].endswith(f"/t/{game_id}?ply=1")
    page.close()
    assert server.get(f"/api/v1/matches/{short[:-1]}_").status == 404
    assert server.get(f"/api/v1/matches/{game_id[:-1]}").status == 404


@pytest.mark.parametrize(
    ("wish", "shown"),
    [
        ({"type": "NMMorris"}, {"game": "morris", "live": True}),
        ({"type": "morris"}, {"game": "morris"}),
        ({"type": "oware"}, {"game": "oware"}),
        ({"type": "Quarto", "gameSpecific": {"n": 5, "begins": 1}}, {"position": "5 rows"}),
        ({"type": "Quarto", "gameGeneric": {"name": "  Final  "}}, {"name": "Final"}),
        ({"type": "Quarto", "gameGeneric": {"tournament": True}}, {"tournament": True}),
        ({"type": "Quarto", "gameGeneric": None, "players": None}, {"timeout": 3000}),
        ({"type": "Quarto", "errorMsg": {"x": []}, "other": 1}, {"timeout": 3000}),
    ],
)
def test_missing_parts_get_defaults(
    server: Live, wish: dict[str, Any], shown: dict[str, Any]
) -> None:
    answer = server.post(wish)
    assert answer.status == 201, answer.body
    game = server.get(f"/api/v1/matches/{answer.json['id']}").json
    if "position" in shown:
        assert game["position"].count("/") == 4
        assert "begins=1" in game["options"]
    else:
        assert {key: game[key] for key in shown} == shown


def test_seats_for_engines_and_people(server: Live) -> None:
    players = [{"type": "ENGINE", "engine": "random"}, {"type": "HUMAN", "name": "Uli"}]
    game = server.get(f"/api/v1/matches/{server.new(players=players)}").json
    assert game["seats"] == [
        {"kind": "engine", "name": "Player 1", "engine": "random", "ready": True},
        {"kind": "person", "name": "Uli", "ready": False},
    ]


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({}, "type is missing: Quarto, NMMorris"),
        ({"type": 3}, "type = '3': must be a text"),
        ({"type": "chess"}, "'chess' is no game; there are quarto"),
        ({"type": "Quarto", "gameGeneric": []}, "gameGeneric = '[]': must be an object"),
        ({"type": "Quarto", "gameGeneric": {"name": 1}}, "name = '1': must be a text"),
        ({"type": "Quarto", "gameGeneric": {"name": "a\nb"}}, "control characters"),
        ({"type": "Quarto", "gameGeneric": {"name": "x" * 81}}, "at most 80 characters"),
        ({"type": "Quarto", "gameGeneric": {"timeout": "3"}}, "must be a whole number"),
        ({"type": "Quarto", "gameGeneric": {"timeout": 1.5}}, "must be a whole number"),
        ({"type": "Quarto", "gameGeneric": {"timeout": 9}}, "must be 10 to 86400000"),
        ({"type": "Quarto", "gameGeneric": {"clock": 5}}, "clock = '5': must be an object"),
        ({"type": "Quarto", "gameGeneric": {"clock": {"time": 1e3}}}, "must be a whole number"),
        ({"type": "Quarto", "gameGeneric": {"clock": {"time": -1}}}, "must be 1000 to 86400000"),
        (
            {"type": "Quarto", "gameGeneric": {"clock": {"time": 5000, "increment": 10**30}}},
            "'clock increment=1000000000000000000000000000000': must be 0 to 3600000",
        ),
        ({"type": "dice", "gameGeneric": {"clock": {"time": 5000}}}, "no game clock for dice"),
        ({"type": "Quarto", "gameGeneric": {"tournament": 1}}, "must be true or false"),
        ({"type": "Quarto", "gameSpecific": {"n": 17}}, "'n=17': must be from 2 to 16"),
        ({"type": "Quarto", "gameSpecific": {"n": "4"}}, "must be a whole number"),
        ({"type": "Quarto", "gameSpecific": {"m": 4}}, "quarto has no such option"),
        ({"type": "Quarto", "players": {}}, "players = '{}': must be a list"),
        ({"type": "Quarto", "players": [1, 2]}, "players must be a list of objects"),
        ({"type": "Quarto", "players": [{}]}, "quarto has 2 seats, not 1"),
        ({"type": "Quarto", "players": [{"type": "CAT"}, {}]}, "'CAT' is no type of player"),
        (
            {"type": "Quarto", "players": [{"type": "ENGINE", "engine": "strong"}, {}]},
            "'strong' is no player",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    server: Live, wish: dict[str, Any], sentence: str
) -> None:
    answer = server.post(wish)
    assert answer.status == 400
    assert sentence in answer.json["error"]
    assert "\n" not in answer.json["error"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "no JSON"),
        (b"type=Quarto", "no JSON"),
        (b'{"type": "Quarto"', "no JSON"),
        (b'{"type": "Quarto\xff"}', "not UTF-8"),
        (b"[" * 4000, "nested too deeply"),
        (b'{"a":' * 800, "no JSON"),
        (b'{"type": "Quarto", "gameGeneric": {"timeout": NaN}}', "NaN is no number"),
        (b'{"type": "Quarto", "gameGeneric": {"timeout": -Infinity}}', "-Infinity is no number"),
        (b'{"type": "Quarto", "gameGeneric": {"timeout": 1e999}}', "must be a whole number"),
        (b'{"type": "Quarto", "x": ' + b"9" * 4010 + b"}", ""),
        (b"null", "must be a JSON object"),
        (b'"Quarto"', "must be a JSON object"),
    ],
)
def test_broken_bodies_are_400(server: Live, body: bytes, sentence: str) -> None:
    answer = server.post(body)
    assert answer.status == (400 if sentence else 201)
    assert sentence in answer.json.get("error", "")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["name", "type", "timeout", "engine", "n", "begins", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    wish=st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["Quarto", "NMMorris", "dice"]) | JSON,
            "gameGeneric": JSON,
            "gameSpecific": JSON,
            "players": JSON,
        },
    )
)
def test_no_wish_is_an_internal_error(server: Live, wish: dict[str, Any]) -> None:
    assert server.post(json.dumps(wish).encode()).status in (201, 400)


def test_large_bodies_are_413(server: Live) -> None:
    answer = server.post(b" " * 4097)
    assert answer.status == 413
    assert answer.json["error"] == "the body has more than 4096 bytes"
    assert server.post(COURSE_SCRIPT + b" " * (4096 - len(COURSE_SCRIPT))).status == 201


def _talk(server: Live, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send bytes and hear everything until the server closes, or for a while."""
    with socket.create_connection(server.web, timeout=PATIENCE) as one:
        for piece in pieces:
            one.sendall(piece)
            time.sleep(pause)
        heard = b""
        while data := one.recv(65536):
            heard += data
        return heard


POST = b"POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\n"


def test_bodies_in_chunks_are_limited_too(server: Live) -> None:
    chunks = b"".join(b"400\r\n" + b" " * 1024 + b"\r\n" for _ in range(5))
    heard = _talk(
        server, POST + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks
    )
    assert heard.startswith(b"HTTP/1.1 413 ")


def test_a_body_that_does_not_come_is_400_and_the_connection_closes(impatient: Live) -> None:
    heard = _talk(impatient, POST + b"Content-Length: 100\r\n\r\n", b"{")
    assert heard.startswith(b"HTTP/1.1 400 ")
    assert b"did not arrive within 0.3 s" in heard


def test_a_head_that_does_not_come_is_not_waited_for(impatient: Live) -> None:
    assert _talk(impatient) == b""
    assert _talk(impatient, b"POST /api/v1/matches HTTP/1.1\r\n", b"Host: ") == b""


@pytest.mark.parametrize(
    "start", [b"GET /healthz HTTP/1.1\r\nHost: ", POST + b"Content-Length: 4000\r\n\r\n"]
)
def test_what_trickles_is_cut_off(impatient: Live, start: bytes) -> None:
    with socket.create_connection(impatient.web, timeout=PATIENCE) as one:
        one.sendall(start)
        with suppress(ConnectionError):
            while True:  # a byte now and then, for as long as it takes
                one.sendall(b"x")
                time.sleep(0.05)


# pages in browsers


def test_other_sites_cannot_create_games(server: Live) -> None:
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "[", ""):
        answer = server.post(COURSE_SCRIPT, Origin=origin)
        assert answer.status == 403
        assert "may not do this" in answer.json["error"]
    assert server.post(COURSE_SCRIPT, Sec_Fetch_Site="cross-site").status == 403
    assert server.post(COURSE_SCRIPT, Origin=server.url).status == 201


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *((host, 403) for host in ("evil.example", "evil.example:80", "localhost.evil.example")),
        *((host, 200) for host in ("localhost:8000", "LOCALHOST", "a.localhost", "127.0.0.1")),
        *((host, 200) for host in ("[::1]:8000", "10.0.0.1:9")),
    ],
)
def test_on_loopback_only_names_of_ours_are_taken(server: Live, host: str, status: int) -> None:
    answer = server.get("/healthz", Host=host)
    assert answer.status == status
    assert status == 200 or "web.hosts" in answer.json["error"]


def test_names_in_the_settings_are_ours(tmp_path: Path) -> None:
    with live(settings_for(tmp_path, hosts=("Games.Example",))) as server:
        assert server.get("/healthz", Host="games.example:8000").status == 200


# looking


def test_games_are_listed_newest_first(server: Live) -> None:
    made = [server.new(gameGeneric={"name": f"game {n}"}) for n in range(3)]
    listed = server.get("/api/v1/matches?limit=3").json["matches"]
    assert {game["id"] for game in listed} == {*made}
    assert [game["created"] for game in listed] == sorted(
        (game["created"] for game in listed), reverse=True
    )
    assert len(server.get("/api/v1/matches?limit=1").json["matches"]) == 1
    for limit in ("0", "1001", "x", "-1", "²", "9" * 5000):
        assert server.get(f"/api/v1/matches?limit={limit!a}").status == 400


def test_ids_are_listed_only_to_whom_the_setting_allows(tmp_path: Path) -> None:
    for listing, local, forwarded in (
        ("local", 200, 403),
        ("everybody", 200, 200),
        ("nobody", 403, 403),
    ):
        folder = tmp_path / listing
        folder.mkdir()
        with live(settings_for(folder, listing=listing)) as server:
            assert server.get("/api/v1/matches").status == local
            proxied = server.get("/api/v1/matches", X_Forwarded_For="192.0.2.1")
            assert proxied.status == forwarded


def test_a_game_shows_who_sits_there_and_what_was_played(server: Live) -> None:
    game_id = server.new(gameSpecific={"begins": 0})
    with client(server.mnm) as one:
        one.join(game_id)
        assert one.hear_until("+ ENDFIELD")[-1] == "+ ENDFIELD"
        game = server.get(f"/api/v1/matches/{game_id}").json
        assert [seat["ready"] for seat in game["seats"]] == [True, False]
        stone = 15 if game["moves"][0]["move"] != "15" else 14
        one.say(b"THINKING\n")
        one.say(f"PLAY A1,{stone}\n".encode())
        assert one.hear_until("+ MOVEOK")[-1] == "+ MOVEOK"
        game = server.get(f"/api/v1/matches/{game_id}").json
    drawn, played = game["moves"]
    assert (drawn["seat"], drawn["number"]) == (-1, 0)
    assert (played["seat"], played["number"], played["move"]) == (0, 1, f"A1,{stone}")
    assert game["position"].endswith(f"next {stone}")
    assert game["live"] is True
    assert game["result"] is None


def test_the_wire_shows_every_byte_of_open_and_ended_connections(server: Live) -> None:
    game_id = server.new()
    with client(server.mnm) as one:
        one.hear()
        one.say(b"VERSION 1.0\r\n")
        one.hear()
        one.say(f"ID {game_id}\n".encode())
        one.hear_until(f"+ {server.get(f'/api/v1/matches/{game_id}').json['name']}")
        (wire,) = server.get(f"/api/v1/matches/{game_id}/wire").json["connections"]
        assert (wire["open"], wire["seat"], wire["service"]) == (True, None, "mnm")
        assert wire["traffic"][:2] == [
            {
                "at": wire["traffic"][0]["at"],
                "direction": "sent",
                "text": r"+ MNM Gameserver v1.0 accepting connections\n",
            },
            {"at": wire["traffic"][1]["at"], "direction": "received", "text": r"VERSION 1.0\r\n"},
        ]
        one.say(b"PLAYER \xff\0\x1b[31m\\n\n")
        assert one.hear_until("- ")[-1].startswith("- ")
    ended = _ended_wire(server, game_id)
    assert ended["traffic"][-2]["text"] == r"PLAYER \xff\0\x1b[31m\\n\n"


def _ended_wire(server: Live, game_id: str) -> dict[str, Any]:
    """The game's only connection, as soon as it is stored."""

    def stored() -> dict[str, Any] | None:
        (wire,) = server.get(f"/api/v1/matches/{game_id}/wire").json["connections"]
        return None if wire["open"] else dict(wire)

    return wait_until(stored)


# watching over it


def test_health_and_metrics(server: Live) -> None:
    assert server.get("/healthz").json == {"status": "ok"}
    answer = server.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    assert b'spielwerk_tables{state="waiting"}' in answer.body
    assert b"spielwerk_journal_commit_seconds_count" in answer.body
    assert b"process_resident_memory_bytes" in answer.body


def test_what_goes_wrong_inside_is_503_or_500_and_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(entries: Sequence[Entry]) -> list[StoreError | None]:
        return [StoreError("/secret/place", "the disk is full") for _ in entries]

    with live(settings_for(tmp_path)) as server:
        game_id = server.new()
        with monkeypatch.context() as broken:
            broken.setattr(reading, "game", lambda _store, _id: 1 / 0)
            answer = server.get(f"/api/v1/matches/{game_id}")
        assert answer.status == 500
        assert answer.json["error"] == "internal error; see the server's log"
        assert server.get("/healthz").status == 200
        assert "ZeroDivisionError" in caplog.text
        assert game_id not in caplog.text
        server.server.journal._writer.write = full  # type: ignore[method-assign]
        answer = server.post(COURSE_SCRIPT)
        assert answer.status == 503
        assert "secret" not in answer.json["error"]
        assert server.get("/healthz").status == 503
        server.server.arena.closing = True
        answer = server.post(COURSE_SCRIPT)
        assert (answer.status, "shutting down" in answer.json["error"]) == (503, True)


# a race that is not solved


def test_only_players_that_need_no_tables_play_a_race_that_is_not_solved(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))

    def race(engine: str) -> dict[str, Any]:
        players = [{"type": "ENGINE", "engine": engine} for _ in range(3)]
        return {"type": "dice", "gameSpecific": {"target": 220}, "players": players}

    refused = server.post(race("level=5"))
    unsolved = "the race to 220 has not been solved yet; run: spielwerk solve dice --target 220"
    assert (refused.status, refused.json["error"]) == (400, unsolved)
    path = f"/api/v1/matches/{server.post(race('hold=25')).json['id']}"
    wait_until(lambda: server.get(path).json["result"])
    assert server.get(path).json["result"]["reason"] == "rule win"
    assert server.get(f"{path}/analysis?ply=0").json["moves"] == []
    (view,) = server.get(f"{path}/views?from=0&to=0").json["views"]
    assert view["board"]["chances"] is None
