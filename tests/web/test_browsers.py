"""Who asks: cookies that cannot be made up, the operator's token, and limits."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from spielwerk.web.api import offered_games
from spielwerk.web.browsers import Browsers, Guard
from spielwerk.web.site import UsualTable
from tests.servers.live import Live, live, settings_for
from tests.web.people import FREE, HERE, Browser

SECRET = b"s" * 32


def scope(kind: str = "http", peer: str = "192.0.2.1", **headers: str) -> dict[str, Any]:
    named = [(name.encode(), text.encode("latin-1")) for name, text in headers.items()]
    return {"type": kind, "headers": named, "client": (peer, 1), "method": "POST", "path": "/"}


def cookie(browsers: Browsers, browser: str) -> str:
    return f"{browsers.browser_cookie}={browser}.{browsers.sign('browser', browser)}"


# cookies


def test_a_new_browser_gets_a_cookie_and_is_known_by_it() -> None:
    browsers = Browsers(SECRET)
    first = scope()
    name = browsers.browser(first)
    given_cookie = browsers.cookie(first)
    assert given_cookie
    assert re.fullmatch(
        rf"{browsers.browser_cookie}={name}\.[0-9a-f]{{64}}; HttpOnly; Max-Age=31536000; "
        "Path=/; SameSite=lax",
        given_cookie,
    )
    second = scope(cookie=given_cookie.partition(";")[0])
    assert browsers.browser(second) == name
    assert browsers.cookie(second) is None
    assert Browsers(SECRET).browser(scope(cookie=given_cookie.partition(";")[0])) == name


def test_another_servers_cookies_name_no_browser() -> None:
    browsers, other = Browsers(SECRET), Browsers(b"t" * 32)
    assert browsers.browser_cookie != other.browser_cookie
    foreign = cookie(other, "ab").replace(other.browser_cookie, browsers.browser_cookie)
    assert browsers.known(scope(cookie=foreign)) == ""


@given(st.text(st.characters(max_codepoint=255)), st.text(st.characters(max_codepoint=255)))
def test_cookies_that_are_made_up(browser: str, signature: str) -> None:
    browsers = Browsers(SECRET)
    made_up = scope(cookie=f"{browsers.browser_cookie}={browser}.{signature}")
    assert browsers.known(made_up) == ""
    assert not browsers.is_operator(made_up)


def test_signatures_are_for_one_purpose() -> None:
    browsers = Browsers(SECRET)
    signed = browsers.sign("operator", browsers.token, "ab")
    assert browsers.known(scope(cookie=f"{browsers.browser_cookie}=ab.{signed}")) == ""


def test_pages_and_players_get_cookies_and_programs_none(server: Live) -> None:
    page, program, player = Browser(server), Browser(server), Browser(server)
    page.get("/")
    assert len(page.cookies) == 1
    page.get("/")
    assert page.set_cookies == []
    program.get("/api/v1/matches")
    program.get("/healthz")
    program.new()
    assert program.cookies == {}
    player.new(HERE, FREE)
    assert len(player.cookies) == 1


# the operator


def operator(browsers: Browsers, browser: str) -> str:
    answer = Response()
    browsers.admit(scope(cookie=cookie(browsers, browser)), answer)
    return answer.headers["set-cookie"].partition(";")[0]


def test_the_token_opens_and_a_cookie_stands_for_it() -> None:
    browsers = Browsers(SECRET, "open sesame")
    both = f"{cookie(browsers, 'ab')}; {operator(browsers, 'ab')}"
    assert browsers.is_operator(scope(cookie=both))
    assert browsers.is_operator(scope("websocket", cookie=both))
    assert browsers.is_operator(scope(authorization="Bearer open sesame"))
    assert not browsers.is_operator(scope(cookie=operator(browsers, "ab")))
    stolen = f"{cookie(browsers, 'cd')}; {operator(browsers, 'ab')}"
    assert not browsers.is_operator(scope(cookie=stolen))
    assert not Browsers(SECRET, "another").is_operator(scope(cookie=both))


def test_wrong_tokens_are_counted_and_the_right_one_always_counts() -> None:
    heard: list[None] = []
    browsers = Browsers(SECRET, "right", lambda: heard.append(None))
    for _ in range(50):
        assert not browsers.check(scope(), "wrong")
    assert browsers.mistrusts(scope())
    assert browsers.check(scope(), "right")
    assert len(heard) == 50


def test_wrong_tokens_wait_in_one_queue_and_the_right_one_does_not(tmp_path: Path) -> None:
    path = "/api/v1/operator"
    with live(settings_for(tmp_path, token="correct-horse")) as server:  # noqa: S106
        anna = Browser(server)
        with ThreadPoolExecutor(8) as guessing:
            wrong = [
                guessing.submit(Browser(server).post, path, {"token": f"guess {number}"})
                for number in range(24)
            ]
            began = monotonic()
            assert anna.post(path, {"token": "correct-horse"}).json == {"operator": True}
            took = monotonic() - began
            assert {one.result().status for one in wrong} <= {403, 429}
        assert monotonic() - began > max(2.0, 2 * took)


def test_operators_come_and_go(tmp_path: Path) -> None:
    with live(settings_for(tmp_path, token="correct-horse")) as server:  # noqa: S106
        anna, eve = Browser(server), Browser(server)
        path = "/api/v1/operator"
        assert anna.get(path).json == {"operator": False}
        assert eve.post(path, {"token": "battery"}).status == 403
        assert eve.post(path, {"token": 5}).status == 400
        assert anna.post(path, {"token": "correct-horse"}).json == {"operator": True}
        assert anna.get(path).json == {"operator": True}
        assert all("HttpOnly" in text for text in anna.set_cookies)
        game = eve.new(HERE, FREE)
        assert eve.ask("DELETE", f"/api/v1/matches/{game}").status == 403
        assert anna.ask("DELETE", f"/api/v1/matches/{game}").json == {"id": game}
        assert anna.ask("DELETE", f"/api/v1/matches/{game}").status == 404
        assert eve.get(f"/api/v1/matches/{game}").status == 404
        assert eve.seat(game, 0, "leave").status == 404
        assert anna.ask("DELETE", path).json == {"operator": False}
        assert anna.get(path).json == {"operator": False}
        for _ in range(12):
            status = eve.post(path, {"token": "battery"}).status
        assert status == 429


# limits


def test_games_are_limited_but_not_the_operators(tmp_path: Path) -> None:
    with live(settings_for(tmp_path, creation_burst=3, creation_rate=0.001)) as server:
        anna = Browser(server)
        wish = {"type": "Quarto"}
        statuses = [anna.post("/api/v1/matches", wish).status for _ in range(4)]
        assert statuses == [201, 201, 201, 429]
        bearer = f"Bearer {server.server.token}"
        answer = anna.ask("POST", "/api/v1/matches", wish, Authorization=bearer)
        assert answer.status == 201


# sockets at the door


@pytest.mark.parametrize(
    ("headers", "welcome"),
    [
        ({"host": "localhost:80"}, True),
        ({"host": "localhost:80", "origin": "http://localhost:80"}, True),
        ({"host": "localhost:80", "origin": "http://evil.example"}, False),
        ({"host": "localhost:80", "origin": "http://localhost:81"}, False),
        ({"host": "localhost:80", "origin": "null"}, False),
        ({"host": "localhost:80", "sec-fetch-site": "cross-site"}, False),
        ({"host": "evil.example"}, False),
        ({"host": "x" * 4000}, False),
    ],
)
def test_sockets_of_other_sites_are_not_opened(headers: dict[str, str], welcome: bool) -> None:
    reached, sent = [], []

    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        reached.append(True)

    async def receive() -> Message:
        return {}

    async def send(message: Message) -> None:
        sent.append(message)

    peers = ("127.0.0.1", "192.0.2.7")  # a page may reach us on this machine, or in its network
    for peer in peers:
        one = scope("websocket", peer, **headers)
        del one["method"]
        asyncio.run(Guard(app, frozenset())(one, receive, send))
    assert reached == [True, True] * welcome
    if not welcome:
        closes = [(message["type"], message["code"]) for message in sent]
        assert closes == [("websocket.close", 1008)] * 2
        assert len(sent[0]["reason"].encode()) <= 123


# the games on offer


def test_the_form_for_a_new_game_knows_the_settings() -> None:
    usual = UsualTable(
        move_time=1234, move_times={"dice": 3500}, options={"dice": {"target": 200, "rounds": 80}}
    )
    games = {game["name"]: game for game in offered_games(usual)}
    defaults = {option["name"]: option["default"] for option in games["dice"]["options"]}
    assert defaults == {"target": 200, "rounds": 80, "begins": 0}
    assert (games["dice"]["time"], games["morris"]["time"]) == (3500, 1234)


def test_the_form_for_a_new_game_knows_what_there_is(server: Live) -> None:
    games = {game["name"]: game for game in server.get("/api/v1/games").json}
    assert {*games} == {"quarto", "morris", "oware", "connect4", "dice"}
    assert games["oware"]["strategies"] == ["tuned", "simple"]
    assert games["quarto"]["strategies"] is None
    assert {"name": "n", "default": 4, "low": 2, "high": 16} in games["quarto"]["options"]
    assert [games[name]["tcp"] for name in ("morris", "dice", "oware")] == ["mnm", "dice", None]
    assert games["morris"]["sides"] == ["White", "Black"]
    assert {game["levels"] for game in games.values()} == {10}
