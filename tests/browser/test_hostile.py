"""What comes from outside is text and nothing else, and nobody can do what is another's."""

from __future__ import annotations

import re
import socket
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.browser.oware import DE, LONG, PLAY
from tests.servers.live import ask, client
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import BrowserContext, Page

    from tests.browser.arena import Arena

MARKUP: Final = '<img src=x onerror="hit=1">'
SHOWN: Final = {
    "markup": MARKUP,
    "quotes": "'\"></b><script>hit=1</script>&lt;&#60;\\u003c",
    "places": "{name} {count} {turn} $& $1 ${hit=1} %s",
    "emoji": "🦊🎲🇩🇪 ÄÖÜ à̖̗̘́ ﷽",
    "right to left": "שלום עולם مرحبا",
    "wide": "\uff37" * 80,
    "one word": "W" * 80,
}
REFUSED: Final = (
    "\u202egnp.exe",  # right-to-left override
    "\u2067abc",  # isolate
    "a\u200bb",  # zero width
    "a\ufeffbc",  # byte order mark
    "a\u00a0b",  # no-break blank
    "\x1b[31m",  # escape
)
FOREIGN: Final = "http://evil.example"


def assert_clean(page: Page, *names: str) -> None:
    """Nothing of the names has become markup, and nothing sticks out of the page."""
    assert page.evaluate("window.hit") is None
    assert page.locator("img, script:not([src]), main b > script").count() == 0
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = page.locator("body").inner_text()
    for name in names:
        assert name in text


def new(page: Page, served: Arena, kind: str, *players: dict[str, Any], **general: Any) -> str:
    wish = {"type": kind, "players": players, "gameGeneric": {"timeout": 0, **general}}
    answer = page.request.post(f"{served.url}/api/v1/matches", data=wish)
    assert answer.status == 201, answer.text()
    return str(answer.json()["id"])


@pytest.mark.usefixtures("errors")
@pytest.mark.parametrize("name", SHOWN.values(), ids=SHOWN)
def test_names_are_shown_as_they_are_everywhere(page: Page, served: Arena, name: str) -> None:
    people = [{"type": "HUMAN", "name": name, "here": True} for _ in range(2)]
    game = new(page, served, "connect4", *people, name=name)
    page.goto(served.url)
    expect(page.locator(f'[data-id="{game}"]')).to_contain_text(name, timeout=LONG)
    assert_clean(page, name)
    page.get_by_label(DE["lobby.search"]).fill(name)
    expect(page.locator(".trow").first).to_contain_text(name, timeout=LONG)
    page.evaluate(PLAY, [game, ["0", "1"], [0, 1]])
    page.goto(f"{served.url}/t/{game}")
    heads = page.locator(".moves th", has_text=name)
    expect(heads).to_have_count(2, timeout=LONG)
    expect(page.locator("h1")).to_contain_text(name)
    expect(page.locator("[data-turn] p")).to_contain_text(
        DE["connect4.told.dropped"].replace("{name}", name).replace("{field}", "1")
    )
    assert_clean(page, name)
    page.get_by_role("button", name=DE["table.mySeat"]).first.click()
    expect(page.get_by_role("dialog").get_by_role("heading")).to_contain_text(name)
    page.get_by_role("dialog").get_by_role("button", name=DE["table.resign"]).click()
    expect(page.get_by_role("dialog")).to_contain_text(name)
    assert_clean(page, name)
    page.get_by_role("dialog").get_by_role("button", name=DE["table.resign"]).click()
    won = DE["table.end.wins"].replace("{turn}", "2").replace("{name}", name)
    expect(page.locator("[data-turn] h2")).to_have_text(won, timeout=LONG)
    resigned = DE["table.end.resignation"].replace("{name}", name)
    expect(page.locator("[data-turn] p")).to_contain_text(resigned)
    assert_clean(page, name)
    assert name in page.title()


def test_characters_that_nobody_sees_are_refused_in_the_reader_s_language(
    page: Page, served: Arena
) -> None:
    page.goto(f"{served.url}/new?game=oware")
    field = page.locator("[data-seat-name]").first
    told = DE["common.error.control"].replace("{field}", DE["new.name"])
    for name in REFUSED:
        field.fill("Ada")
        field.press("Tab")
        expect(page.get_by_role("alert").filter(has_text=told)).to_have_count(0, timeout=LONG)
        field.fill(name)
        page.get_by_role("button", name=DE["new.create"]).click()
        expect(page.get_by_role("alert").filter(has_text=told)).to_be_visible(timeout=LONG)
    game = served.new("oware", "HUMAN", "HUMAN")
    page.goto(f"{served.url}/t/{game}")
    page.get_by_role("button", name=DE["table.take"]).first.click()
    dialog = page.get_by_role("dialog")
    for name in REFUSED:
        dialog.get_by_label(DE["table.yourName"]).fill(name)
        with page.expect_response("**/take") as answer:
            dialog.get_by_role("button", name=DE["table.take"]).click()
        assert answer.value.status == 400
        expect(dialog.get_by_role("alert")).to_contain_text("Steuerzeichen", timeout=LONG)
    assert served.record(game)["seats"][0]["name"] == "Player 1"


@pytest.mark.usefixtures("errors")
def test_what_a_client_says_is_shown_and_is_no_markup(page: Page, served: Arena) -> None:
    seats = [{"type": "COMPUTER", "name": name} for name in (MARKUP, SHOWN["one word"])]
    game = new(page, served, "quarto", *seats, name=MARKUP)
    page.goto(f"{served.url}/t/{game}")
    wire = page.locator(".panel--wire")
    with client(served.addresses["mnm"]) as one:
        one.join(game)
        one.say("<script>hit=1</script>\u202e\u200b\0\x1b[31m\ufffd".encode() + b"\xff\n")
        line = wire.locator("li.c").last
        expect(line).to_contain_text("<script>hit=1</script>", timeout=LONG)
        odd = ["\\u202e", "\\u200b", "\\0", "\\x1b", "\\xff"]
        expect(line.locator(".odd")).to_have_text(odd)
    expect(wire.get_by_role("button", name=MARKUP)).to_be_visible()
    assert_clean(page, MARKUP)


@pytest.mark.usefixtures("errors")
def test_an_opponent_of_another_program_has_a_name_that_is_only_text(
    page: Page, served: Arena
) -> None:
    """Connect Four: the name comes over the wire, and not with invisible characters."""
    page.goto(f"{served.url}/new?game=connect4")
    second = page.get_by_role("group", name=DE["connect4.seat.1"], exact=True)
    second.get_by_role("button", name=DE["new.kind.client"]).click()
    page.get_by_label(DE["new.name.table"]).fill("Haus")
    page.get_by_role("group", name=DE["new.begins"]).get_by_role("button").last.click()
    page.get_by_role("button", name=DE["new.create"]).click()
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=LONG)
    offered = page.locator("[data-turn] p")
    expect(offered).to_contain_text("Haus", timeout=LONG)
    port = int(re.findall(r"Port (\d+)", offered.inner_text())[-1])
    assert joining(port, f"{MARKUP}\u202eabc")[0].startswith("join_game_failed")
    said, opponent = joining(port, MARKUP)
    with opponent:
        assert said.startswith("join_game_success")
        seat = page.locator(".seat:has(.emblem--p1)")
        expect(seat.locator(".name")).to_have_text(MARKUP, timeout=LONG)
        expect(page.locator("[data-turn] h2")).to_contain_text(MARKUP)
        assert_clean(page, MARKUP)


def joining(port: int, name: str) -> tuple[str, socket.socket]:
    """Join the game under this name; what is answered."""
    opponent = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    opponent.sendall(f"join_game;{name};Haus;V2\n".encode())
    said = opponent.recv(1000).decode()
    if said.startswith("join_game_failed"):
        opponent.close()
    return said, opponent


@pytest.mark.usefixtures("errors")
def test_offers_at_the_index_are_only_text(page: Page, served: Arena) -> None:
    with socket.create_connection(served.addresses["index"], timeout=PATIENCE) as stranger:
        stranger.sendall(f"register_game;{MARKUP};{MARKUP}2;7;6;0;127.0.0.1;9\n".encode())
        assert stranger.recv(100).startswith(b"register_success")
        page.goto(served.url)
        page.get_by_role("button", name=DE["connect4.index.open"]).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text(f"{MARKUP}2", timeout=LONG)
        assert_clean(page, MARKUP)


# what the server tells the browser to be careful about

PAGES: Final = ("/", "/new", "/settings", "/help", "/t/{}", "/nothing", "/api/v1/games")
INLINE: Final = re.compile(
    r"<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|=.?javascript:", re.IGNORECASE
)


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_a_policy_and_nothing_inline(served: Arena, path: str) -> None:
    answer = served.get(path.format(served.new("oware", "HUMAN", "HUMAN")))
    headers = {name.lower(): value for name, value in answer.headers.items()}
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in str(policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert not INLINE.search(answer.body.decode()), path


def test_the_policy_works(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/help")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hit = 1";
          document.head.append(script);
          document.body.insertAdjacentHTML("beforeend", `<img src=x onerror="hit = 1">`);
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.hit") is None


def test_pages_elsewhere_can_neither_listen_nor_act(page: Page, served: Arena) -> None:
    address = served.url.replace("http", "ws") + "/live"
    with connect(address, origin=Origin(served.url)) as own:
        assert own.recv(PATIENCE)
    with pytest.raises(InvalidStatus, match="403"), connect(address, origin=Origin(FOREIGN)):
        pass
    page.goto("about:blank")
    listen = """(address) => new Promise((done) => {
      const socket = new WebSocket(address);
      socket.onopen = () => done("open");
      socket.onclose = () => done("closed");
    })"""
    assert page.evaluate(listen, address) == "closed"
    before = served.get("/api/v1/lobby").json["counts"]
    post = """(url) => fetch(url, { method: "POST", mode: "no-cors", body: '{"type":"quarto"}' })
      .then(({ type }) => type, () => "refused")"""
    page.evaluate(post, f"{served.url}/api/v1/matches")
    assert served.get("/api/v1/lobby").json["counts"] == before
    refused = ask(f"{served.url}/api/v1/matches", b'{"type":"quarto"}', Origin=FOREIGN)
    assert refused.status == 403


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(page: Page, served: Arena) -> None:
    page.goto(served.url)
    cookies = [one for one in page.context.cookies() if one.get("name", "").startswith("browser")]
    (cookie,) = cookies
    assert cookie.get("httpOnly")
    assert cookie.get("sameSite") == "Lax"
    assert cookie.get("path") == "/"
    assert page.evaluate("document.cookie") == ""
    page.context.clear_cookies()
    forged = "0" * 32 + "." + "0" * 64
    page.context.add_cookies([{"name": cookie["name"], "value": forged, "url": served.url}])
    page.reload()
    assert forged not in [one.get("value") for one in page.context.cookies()]


# what is somebody's own


@pytest.fixture
def game(page: Page, served: Arena) -> str:
    """A game of two persons at this browser, one move old."""
    people = [{"type": "HUMAN", "name": f"P{n}", "here": True} for n in range(2)]
    page.goto(f"{served.url}/help")
    table = new(page, served, "oware", *people)
    page.evaluate(PLAY, [table, "2", [0, 1]])
    return table


ASKED: Final = {
    "link": ("GET", "seats/1/link", None),
    "leave": ("POST", "seats/1/leave", {}),
    "take": ("POST", "seats/1/take", {"name": "Mallory"}),
    "transfer": ("POST", "seats/1/transfer", {"key": "0" * 64}),
    "resign": ("POST", "resign", {"seat": 1}),
    "hint": ("POST", "hint", {"seat": 1, "player": "strategy=0,depth=1"}),
    "rematch": ("POST", "rematch", {}),
    "delete": ("DELETE", "", None),
}


def test_another_browser_cannot_use_what_belongs_to_a_seat(
    served: Arena, game: str, new_context: Callable[[], BrowserContext]
) -> None:
    other = new_context()
    other.request.get(served.url)  # it has a cookie of its own
    for what, (method, path, body) in ASKED.items():
        url = f"{served.url}/api/v1/matches/{game}/{path}".rstrip("/")
        answer = other.request.fetch(url, method=method, data=body)
        assert answer.status in (403, 409), (what, answer.text())
        assert "key" not in answer.text()
        record = served.record(game)
        assert record["result"] is None, what
        assert [seat["name"] for seat in record["seats"]] == ["P0", "P1"], what


def test_another_browser_cannot_move(
    served: Arena, game: str, new_context: Callable[[], BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(f"{served.url}/help")
    with pytest.raises(Exception, match="this seat is not yours"):
        page.evaluate(PLAY, [game, "23", [0, 1]])
    assert len(served.record(game)["moves"]) == 1


def test_a_seat_moves_with_its_secret_link_and_only_once(
    page: Page, served: Arena, game: str, new_context: Callable[[], BrowserContext]
) -> None:
    page.goto(f"{served.url}/t/{game}")
    page.locator(".seat:has(.emblem--p1)").get_by_role("button", name=DE["table.mySeat"]).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=DE["table.showSeatLink"]).click()
    link = dialog.get_by_label(DE["table.seatLink"]).input_value()
    assert "key=" in link.partition("#")[2]  # which no server and no log ever gets
    friend = new_context().new_page()
    friend.goto(link)
    mine = friend.locator(".seat.is-mine")
    expect(mine).to_have_count(1, timeout=LONG)
    assert "key" not in friend.url
    expect(friend.locator("[data-turn] h2")).to_have_text(DE["table.yourTurn"])
    expect(page.locator(".seat.is-mine")).to_have_count(1, timeout=LONG)
    thief = new_context().new_page()
    thief.goto(link)
    refusal = DE["rules.this link is not valid, or not any more"]
    expect(thief.locator("[data-turn]")).to_contain_text(refusal, ignore_case=True, timeout=LONG)
    expect(thief.locator(".seat.is-mine")).to_have_count(0)


def test_only_the_operator_changes_the_server(
    served: Arena, game: str, new_context: Callable[[], BrowserContext]
) -> None:
    other = new_context()
    url = f"{served.url}/api/v1/services/oware"
    assert other.request.put(url, data={"port": 0}).status == 403
    for token in ("wrong", "", served.token[:-1]):
        shown = other.request.post(f"{served.url}/api/v1/operator", data={"token": token})
        assert shown.status == 403
    deleted = f"{served.url}/api/v1/matches/{game}"
    assert other.request.delete(deleted).status == 403
    right = {"Authorization": f"Bearer {served.token}"}
    assert other.request.delete(deleted, headers=right).status == 200
    assert served.get(f"/t/{game}").status == 404
