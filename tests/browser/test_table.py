"""The page of a table: seats, turns, going back, hints, and what the Oware task says about time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.browser.arena import Arena

ENGINE = "strategy=0,depth=2"
HOSTILE = "<img src=x onerror=alert(1)>"


def visit(page: Page, served: Arena, game: str, *, step: int = 0, display: int = 0) -> None:
    """Open a table with these settings."""
    page.goto(served.url + "/settings")
    page.evaluate(
        "kept => localStorage.setItem('spielwerk', JSON.stringify(kept))",
        {"step": step, "display": display, "name": "Ada", "analysis": False},
    )
    page.goto(f"{served.url}/t/{game}")


def sit(page: Page) -> None:
    """Take the first free seat."""
    page.get_by_role("button", name="Platz nehmen").first.click()
    page.get_by_role("dialog").get_by_role("button", name="Platz nehmen").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def play(page: Page, move: str) -> None:
    """Type a move."""
    field = page.get_by_label("Zug eingeben")
    expect(field).to_be_editable()
    field.fill(move)
    field.press("Enter")


def say(page: Page, text: str) -> None:
    """What the banner is expected to say."""
    expect(page.locator("[data-turn]")).to_contain_text(text)


@pytest.mark.usefixtures("errors")
def test_two_people_at_one_screen(page: Page, served: Arena) -> None:
    game = served.new("connect4", "HUMAN", "HUMAN", options={"begins": 0})
    visit(page, served, game)
    say(page, "Ein Platz ist frei")
    sit(page)
    sit(page)
    for move in ("0", "1", "7", "8", "14", "15", "21"):
        play(page, move)
    say(page, "Ada gewinnt im 7. Zug")
    say(page, "Vier in einer Reihe.")
    expect(page.get_by_role("slider")).to_have_value("7")


@pytest.mark.usefixtures("errors")
def test_what_is_not_legal_is_refused_with_the_rule(page: Page, served: Arena) -> None:
    visit(page, served, served.new("connect4", "HUMAN", "HUMAN", options={"begins": 0}))
    sit(page)
    sit(page)
    play(page, "0")
    play(page, "0")
    say(page, "Das Feld ist schon belegt.")
    play(page, "99")
    say(page, "Die Felder haben die Nummern 0 bis 41.")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)


@pytest.mark.usefixtures("errors")
def test_a_viewer_who_has_gone_back_stays_there(
    page: Page, served: Arena, browser: Browser
) -> None:
    game = served.new("connect4", "HUMAN", "HUMAN", options={"begins": 0})
    visit(page, served, game)
    sit(page)
    sit(page)
    play(page, "0")
    play(page, "1")
    viewer = browser.new_page(locale="de-DE")
    visit(viewer, served, game)
    say(viewer, "ist am Zug")
    viewer.keyboard.press("Home")
    say(viewer, "Zug 0 von 2")
    play(page, "2")
    expect(viewer.get_by_role("button", name="1 neuer Zug, zur Gegenwart")).to_be_visible()
    say(viewer, "Zug 0 von 3")
    assert viewer.url.endswith("?ply=0")
    viewer.keyboard.press("End")
    expect(viewer.locator(".to-present")).to_have_count(0)
    assert "?" not in viewer.url
    viewer.goto(f"{served.url}/t/{game}?ply=2")
    say(viewer, "Zug 2 von 3")
    viewer.close()


@pytest.mark.usefixtures("errors")
def test_a_hint_is_given_only_to_who_is_to_move(page: Page, served: Arena) -> None:
    visit(page, served, served.new("oware", "HUMAN", "HUMAN"))
    sit(page)
    expect(page.get_by_role("button", name="Hinweis")).to_have_count(0)
    sit(page)
    hint = page.get_by_role("button", name="Hinweis")
    expect(hint).to_be_enabled()
    hint.click()
    say(page, "Hinweis: ")
    expect(page.locator("sw-oware .is-hint")).not_to_have_count(0)
    page.keyboard.press("Home")
    page.get_by_role("button", name="Aufgeben").click()
    page.get_by_role("dialog").get_by_role("button", name="Aufgeben").click()
    say(page, "hat aufgegeben.")
    expect(hint).to_have_count(0)


@pytest.mark.usefixtures("errors")
def test_a_computers_move_waits_only_the_rest(page: Page, served: Arena) -> None:
    least = 1500
    visit(page, served, served.new("oware", "HUMAN", ENGINE), step=40, display=least)
    sit(page)
    expect(page.get_by_label("Zug eingeben")).to_be_editable()
    page.evaluate("""() => {
      const board = document.querySelector("sw-oware");
      const show = board.show.bind(board);
      window.times = [];
      board.show = async (position, options) => {
        const began = performance.now();
        await show(position, options);
        times.push([position.last.seat, began, performance.now()]);
      };
    }""")
    page.locator("sw-oware [data-id=A2]").click()
    say(page, f"{ENGINE} sät aus Haus")
    while page.evaluate("times.length") < 2:
        page.wait_for_timeout(50)
    (own, began, rested), (other, answered, _) = page.evaluate("times")
    assert (own, other) == (0, 1)
    assert rested - began > 200  # choose, take and four seeds could be seen
    assert least <= answered - rested < least + 400


@pytest.mark.usefixtures("errors")
def test_a_seat_goes_to_another_browser(page: Page, served: Arena, browser: Browser) -> None:
    game = served.new("morris", "HUMAN", "HUMAN")
    visit(page, served, game)
    sit(page)
    page.get_by_role("button", name="Mein Sitz").click()
    page.get_by_role("button", name="Geheimen Link zeigen").click()
    link = page.get_by_label("Geheimer Link zu diesem Sitz").input_value()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Mein Sitz")).to_be_focused()
    other = browser.new_page(locale="de-DE")
    other.goto(link)
    say(other, "Der Sitz gehört jetzt diesem Browser.")
    assert other.url == f"{served.url}/t/{game}"
    expect(other.get_by_role("button", name="Mein Sitz")).to_be_visible()
    expect(page.get_by_role("button", name="Mein Sitz")).to_have_count(0)
    other.close()


@pytest.mark.usefixtures("errors")
def test_names_are_text(page: Page, served: Arena) -> None:
    visit(page, served, served.new("quarto", "HUMAN", "HUMAN", name=HOSTILE))
    page.get_by_role("button", name="Platz nehmen").first.click()
    page.get_by_label("Dein Name").fill(HOSTILE)
    page.keyboard.press("Enter")
    expect(page.locator(".seat .name").last).to_have_text(HOSTILE)
    expect(page.locator("h1 small")).to_have_text(HOSTILE)
    expect(page.locator("main img")).to_have_count(0)


@pytest.mark.usefixtures("errors")
def test_panels_stand_behind_tabs_in_narrow_windows(page: Page, served: Arena) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    visit(page, served, served.new("morris", "HUMAN", "level=1"))
    expect(page.locator("sw-morris")).to_be_visible()
    moves = page.locator(".panel--moves")
    expect(moves).to_be_hidden()
    page.get_by_role("tab", name="Züge").click()
    expect(moves).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Leitung")).to_be_focused()
    expect(moves).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.usefixtures("errors")
def test_keys_are_explained_and_letters_left_to_fields(page: Page, served: Arena) -> None:
    visit(page, served, served.new("morris", "HUMAN", "HUMAN"))
    sit(page)
    sit(page)
    expect(page.get_by_label("Zug eingeben")).to_be_editable()
    page.locator("h1").click()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Tasten")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    page.keyboard.type("b1")
    expect(page.get_by_label("Zug eingeben")).to_have_value("b1")
    expect(page.locator("html")).not_to_have_class(re.compile("is-beamer"))
    page.keyboard.press("Enter")
    expect(page.locator(".moves .here")).to_have_text("B1")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator("html")).to_have_class(re.compile("is-beamer"))
    expect(page.locator(".panel--moves")).to_be_hidden()
