"""Every page in both languages, at three widths, light and dark, by keyboard, for everybody."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from spielwerk.web.texts import LANGUAGES
from tests.browser.arena import Arena, arena
from tests.browser.oware import LONG, MAJORITY, PLAY
from tests.browser.soundness import (
    LOCALES,
    assert_reachable,
    assert_sound,
    assert_told,
    violations,
)
from tests.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

PLAIN: Final = ("lobby", "contests", "new", "settings", "help", "missing")
TABLES: Final = ("quarto", "morris", "dice", "oware", "connect4", "solid")
ADDRESSES: Final = {
    "lobby": "/",
    "contests": "/contests",
    "new": "/new?game=connect4",
    "settings": "/settings",
    "help": "/help",
    "missing": "/no/such/page",
}
CODE: Final = re.compile(r"\+|^spielwerk ")  # the same in every language

STILL: Final = """{
  localStorage.spielwerk ??= JSON.stringify({ step: 0, display: 0, name: "Ada" });
}"""


def table(page: Page, served: Arena, kind: str) -> str:
    """A table of that kind, each in another state, whose persons are at this browser."""
    ada, ben = ({"type": "HUMAN", "name": name, "here": True} for name in ("Ada", "Ben"))
    one, two = ({"type": "ENGINE", "engine": "level=1", "name": f"Stufe {n}"} for n in (1, 2))
    client = {"type": "COMPUTER", "name": "Klient"}
    seats: dict[str, list[dict[str, Any]]] = {"quarto": [client, ada], "dice": [ada, one, two]}
    size = {"width": 4, "height": 4, "depth": 4} if kind == "solid" else {}
    first = {"begins": 0} if kind in ("quarto", "dice", "connect4", "solid") else {}
    wish = {
        "type": "connect4" if kind == "solid" else kind,
        "players": seats.get(kind, [ada, ben]),
        "gameGeneric": {"timeout": 600_000, "name": "Probe"},
        "gameSpecific": size | first,
    }
    made = page.request.post(f"{served.url}/api/v1/matches", data=wish)
    assert made.status == 201, made.text()
    game = str(made.json()["id"])
    moves = {"oware": MAJORITY, "morris": ["A0", "B0", "A1", "B2"], "connect4": ["3", "2"]}
    moves["dice"] = ["ROLL"]
    page.goto(f"{served.url}/help")
    if kind in moves:
        page.evaluate(PLAY, [game, moves[kind], [0, 1]])
    return f"/t/{game}"


def visit(page: Page, served: Arena, name: str) -> None:
    """Go to the page and wait until it has filled itself."""
    address = ADDRESSES.get(name) or table(page, served, name)
    page.goto(served.url + address)
    expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    if name in TABLES:
        expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
        told = page.locator(".panel--analysis").locator(".eval, .matrix, .note").first
        expect(told).to_be_visible(timeout=LONG)
    else:
        page.wait_for_load_state("networkidle")


@pytest.fixture
def somebody(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Pages of new browsers."""
    pages: list[Page] = []

    def come(language: str = "de", **more: Any) -> Page:
        size = {"width": 1280, "height": 800}
        context = browser.new_context(locale=LOCALES[language], viewport=size, **more)  # type: ignore[arg-type]
        context.add_init_script(STILL)
        pages.append(context.new_page())
        return pages[-1]

    yield come
    for page in pages:
        page.context.close()


@pytest.mark.parametrize("name", PLAIN + TABLES)
def test_a_page_is_sound(
    somebody: Callable[..., Page],
    served: Arena,
    picture: Callable[[Page, str], None],
    name: str,
) -> None:
    """No complaints, nothing that sticks out, all texts there, and nothing the check objects to."""
    page = somebody()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    visit(page, served, name)
    assert_sound(page, picture, name)
    missing = "Failed to load resource: the server responded with a status of 404 (Not Found)"
    assert faults == ([missing] if name == "missing" else [])


def test_an_old_analysis_can_be_read_while_the_new_one_is_on_its_way(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody()
    visit(page, served, "connect4")
    found = page.locator(".panel--analysis .eval [data-move]").first
    stale = page.locator(".panel--analysis .is-stale .eval [data-move]").first
    expect(found).to_be_visible(timeout=LONG)
    page.route("**/analysis?*", lambda _route: None)  # the server thinks, and thinks
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(stale).to_be_visible(timeout=LONG)
    assert violations(page) == []
    page.unroute_all(behavior="ignoreErrors")


def test_the_texts_of_the_two_languages_differ(
    somebody: Callable[..., Page], served: Arena
) -> None:
    """Nothing is forgotten: hardly a sentence of one language is on a page of the other."""
    for name in PLAIN:
        told = []
        for language in LANGUAGES:
            page = somebody(language)
            visit(page, served, name)
            expect(page.locator("html")).to_have_attribute("lang", language)
            assert_told(page)
            lines = page.locator("main").inner_text().splitlines()
            told.append({one for one in lines if len(one.split()) >= 4 and not CODE.search(one)})
        same = [line for line in told[0] & told[1] if not re.search(r"[:;<>{}\\0-9…]", line)]
        assert same == [], name


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """A server where nothing happens by itself: one table waits, one is played at, one is over."""
    with arena(tmp_path_factory.mktemp("calm")) as one:
        one.new("quarto", "COMPUTER", "COMPUTER")
        one.new("quarto", "HUMAN", "random", options={"begins": 0})
        over = one.new("connect4", "random", "random", pause=0)
        wait_until(lambda: one.record(over)["result"])
        yield one


@pytest.mark.parametrize("name", ["lobby", "new", "settings", "help", "oware", "quarto"])
def test_the_keyboard_alone_reaches_every_control_and_shows_where_it_is(
    somebody: Callable[..., Page], calm: Arena, name: str
) -> None:
    page = somebody()
    visit(page, calm, name)
    assert_reachable(page)


def test_the_focus_stays_in_the_lobby_when_tables_come(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody()
    visit(page, served, "lobby")
    told = page.locator("[data-filters] :nth-child(2)")
    before = told.inner_text()
    told.focus()
    served.new("quarto", "HUMAN", "HUMAN")
    expect(told).not_to_have_text(before, timeout=LONG, use_inner_text=True)
    expect(told).to_be_focused()


@pytest.mark.parametrize("name", ["lobby", "oware"])
def test_the_language_is_switched_here_and_stays(
    somebody: Callable[..., Page], served: Arena, name: str
) -> None:
    page = somebody("de")
    visit(page, served, name)
    where = page.url
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page).to_have_url(where)
    for path in ("/settings", "/new"):
        page.goto(served.url + path)
        expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto(f"{served.url}/settings")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_light_and_dark_are_switched_at_once_everywhere_and_stay(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody(color_scheme="light")
    visit(page, served, "help")
    other = page.context.new_page()
    other.goto(f"{served.url}/settings")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    switch = page.locator("[data-theme-switch]")
    switch.click()
    switch.click()  # system, light, dark
    for one in (page, other):
        expect(one.locator("html")).to_have_attribute("data-theme", "dark", timeout=LONG)
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    page.locator("[data-theme-switch]").click()
    assert page.evaluate("JSON.parse(localStorage.spielwerk).theme") == "system"
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark


def test_pages_work_where_nothing_can_be_kept(somebody: Callable[..., Page], served: Arena) -> None:
    """A browser that forbids storage loses the settings, not the pages."""
    page = somebody()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    for name in ("lobby", "new", "settings", "oware"):
        address = ADDRESSES.get(name) or f"/t/{served.new('oware', 'HUMAN', 'HUMAN')}"
        page.goto(served.url + address)
        expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    assert [fault for fault in faults if fault != "no"] == []
    assert json.dumps(faults) == "[]"
