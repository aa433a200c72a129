"""Every page in both languages, at two widths, light and dark, by keyboard, for everyone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena
from tests.browser.oware import LONG, MAJORITY, PLAY
from tests.browser.play import NewPage
from tests.browser.soundness import assert_sound, assert_told, violations

PLAIN: Final = (
    "lobby",
    "contests",
    "new",
    "rules",
    "exercises",
    "settings",
    "help",
    "check",
    "missing",
)
TABLES: Final = ("quarto", "morris", "dice", "oware", "connect4", "solid")
REACHED: Final = (
    "new",
    "settings",
    "help",
    "check",
    "quarto",
    "oware",
)  # each has controls of its own kind
ADDRESSES: Final = {
    "lobby": "/",
    "contests": "/contests",
    "new": "/new?game=connect4",
    "rules": "/rules/connect4",  # flat and solid boards
    "exercises": "/exercises/dice",  # with buttons for its moves
    "settings": "/settings",
    "help": "/help",
    "check": "/check",
    "missing": "/no/such/page",
}
CODE: Final = re.compile(r"\+|^spielwerk ")  # the same in every language
SIGNS: Final = re.compile(r"[:;<>{}\\0-9…]")
DEEPER: Final = re.compile("effort=[12]")


def table(page: Page, served: Arena, kind: str) -> str:
    """A table of that kind, each in another state, whose persons are at this browser."""
    ada, ben = ({"type": "HUMAN", "name": name, "here": True} for name in ("Ada", "Ben"))
    one, two = ({"type": "ENGINE", "engine": "level=1", "name": f"Stufe {n}"} for n in (1, 2))
    client = {"type": "COMPUTER", "name": "Klient"}
    seats: dict[str, list[dict[str, Any]]] = {"quarto": [client, ada], "dice": [ada, one, two]}
    size = {"width": 4, "height": 4, "depth": 4} if kind == "solid" else {}
    first = {"begins": 0} if kind in ("quarto", "dice", "connect4", "solid") else {}
    general = {"timeout": 600_000, "name": "Probe", "training": True, "options": size | first}
    played = "connect4" if kind == "solid" else kind
    game = served.new(played, *seats.get(kind, [ada, ben]), page=page, **general)
    moves = {"oware": MAJORITY, "morris": ["A0", "B0", "A1", "B2"], "connect4": ["3", "2"]}
    moves["dice"] = ["ROLL"]
    page.goto(f"{served.url}/help")
    if kind in moves:
        page.evaluate(PLAY, [game, moves[kind], [0, 1]])
    return f"/t/{game}"


def visit(page: Page, served: Arena, name: str) -> None:
    """Go to the page and wait until it has filled itself."""
    address = ADDRESSES.get(name) or table(page, served, name)
    page.route(DEEPER, lambda _route: None)  # the first look is enough
    page.goto(served.url + address)
    expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    if name in TABLES:
        expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
        told = page.locator(".panel--analysis").locator(".eval, .matrix, .note").first
        expect(told).to_be_visible(timeout=LONG)
    else:
        page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("name", PLAIN + TABLES)
def test_a_page_is_sound(
    visitor: NewPage,
    served: Arena,
    faults: list[str],
    picture: Callable[[Page, str], None],
    name: str,
) -> None:
    """No complaints, nothing that sticks out, all texts there, and nothing the check objects to."""
    page = visitor(analysis=True)
    visit(page, served, name)
    german = sentences(page)
    if name == "oware":  # the list of faults comes with the curve
        expect(page.locator(".panel--curve .proof")).to_be_visible(timeout=LONG)
    assert_sound(page, picture, name, by_keys=name in REACHED)
    if name in PLAIN:
        assert_in_english(page, german)
    missing = "Failed to load resource: the server responded with a status of 404 (Not Found)"
    while name == "missing" and missing in faults:
        faults.remove(missing)


def sentences(page: Page) -> set[str]:
    """What the page says in whole sentences, except what is the same in every language."""
    lines = page.locator("main").inner_text().splitlines()
    return {
        line
        for line in lines
        if len(line.split()) >= 4 and not CODE.search(line) and not SIGNS.search(line)
    }


def assert_in_english(page: Page, german: set[str]) -> None:
    """See that nothing is forgotten: no sentence of one language is on a page of the other."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{page.url}{'&' if '?' in page.url else '?'}lang=en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.wait_for_load_state("networkidle")
    assert_told(page)
    assert sentences(page) & german == set()


def test_an_old_analysis_can_be_read_while_the_new_one_is_on_its_way(
    visitor: NewPage, served: Arena
) -> None:
    page = visitor(analysis=True)
    visit(page, served, "connect4")
    found = page.locator(".panel--analysis .eval [data-move]").first
    stale = page.locator(".panel--analysis .is-stale .eval [data-move]").first
    expect(found).to_be_visible(timeout=LONG)
    page.route("**/analysis?*", lambda _route: None)  # the server thinks, and thinks
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(stale).to_be_visible(timeout=LONG)
    assert violations(page) == []


def test_the_focus_stays_in_the_lobby_when_tables_come(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    visit(page, served, "lobby")
    told = page.locator("[data-filters] :nth-child(2)")
    before = told.inner_text()
    told.focus()
    served.new("quarto", "HUMAN", "HUMAN")
    expect(told).not_to_have_text(before, timeout=LONG, use_inner_text=True)
    expect(told).to_be_focused()


def test_the_language_is_switched_here_and_stays(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    visit(page, served, "morris")
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
    visitor: NewPage, served: Arena
) -> None:
    page = visitor(color_scheme="light")
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


def test_pages_work_where_nothing_can_be_kept(page: Page, served: Arena) -> None:
    """A browser that forbids storage loses the settings, not the pages."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    for name in ("lobby", "new", "settings", "oware"):
        address = ADDRESSES.get(name) or f"/t/{served.new('oware', 'HUMAN', 'HUMAN')}"
        page.goto(served.url + address)
        expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    assert faults == []
