"""The page of a table: typed moves, tabs, keys, the rules beside the game, and its review."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.arena import Arena
from tests.browser.play import NewPage


def play(page: Page, move: str) -> None:
    """Type a move."""
    field = page.get_by_label("Zug eingeben")
    expect(field).to_be_editable()
    field.fill(move)
    field.press("Enter")


def say(page: Page, text: str) -> None:
    """What the banner is expected to say."""
    expect(page.locator("[data-turn]")).to_contain_text(text)


def test_what_is_not_legal_is_refused_with_the_rule(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    served.sit_down(page, "connect4", "HUMAN", "HUMAN", options={"begins": 0})
    play(page, "0")
    play(page, "0")
    say(page, "Das Feld ist schon belegt.")
    play(page, "99")
    say(page, "Die Felder haben die Nummern 0 bis 41.")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)


def test_panels_stand_behind_tabs_in_narrow_windows(visitor: NewPage, served: Arena) -> None:
    page = visitor(size=(360, 740))
    served.sit_down(page, "morris", "HUMAN", "level=1")
    expect(page.locator("sw-morris")).to_be_visible()
    moves = page.locator(".panel--moves")
    expect(moves).to_be_hidden()
    page.get_by_role("tab", name="Züge").click()
    expect(moves).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Analyse")).to_be_focused()  # no program, no wire
    expect(moves).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_keys_are_explained_and_letters_left_to_fields(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    served.sit_down(page, "morris", "HUMAN", "HUMAN")
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


def test_the_rules_are_read_beside_the_game(visitor: NewPage, served: Arena) -> None:
    """Their pictures are boards that take no moves, and the game goes on where it was."""
    page = visitor()
    served.sit_down(page, "morris", "HUMAN", "HUMAN")
    page.locator("h1").click()
    page.keyboard.press("i")
    rules = page.get_by_role("dialog", name="Regeln")
    pictures = rules.locator("figure > sw-morris")
    expect(pictures).to_have_count(2)
    expect(pictures.first.locator(".m-mill").first).to_be_attached()  # the one that is closed
    expect(rules.locator("sw-morris[inert]")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    page.locator(".acts").get_by_role("button", name="Regeln").click()
    expect(pictures).to_have_count(2)
    page.keyboard.press("Escape")
    play(page, "A0")
    expect(page.locator(".moves [data-ply]")).to_have_count(1)


def test_the_review_steps_through_mistakes_and_draws_what_was_better(
    visitor: NewPage, served: Arena
) -> None:
    page = visitor()
    options = {"begins": 0, "width": 4, "height": 4}
    served.sit_down(page, "connect4", "HUMAN", "HUMAN", options=options)
    for move in ("0", "1", "4", "2", "8", "3", "12"):  # the second player lets the first column be
        play(page, move)
    rows = page.locator(".mistakes button")
    expect(rows.first).to_be_visible()
    expect(page.locator(".panel--curve .sub")).to_contain_text("bewiesen")
    count = rows.count()
    page.locator("body").press("Home")
    expect(page.locator(".is-hint")).to_have_count(0)
    seen = []
    for _ in range(count + 1):
        page.keyboard.press("n")
        expect(page.locator(".is-hint")).to_have_count(1)
        say(page, "war besser")
        seen.append(page.locator(".mistakes [aria-current] .num").inner_text())
    assert seen[0] == seen[-1]
    assert len(set(seen)) == count
    page.keyboard.press("N")
    expect(page.locator(".mistakes [aria-current] .num")).to_have_text(seen[-2])
