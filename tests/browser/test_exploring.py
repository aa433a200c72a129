"""The board to explore on: lines that branch, an engine that answers, a table that goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena
from tests.browser.play import NewPage


def press(page: Page, *fields: str) -> None:
    for field in fields:
        page.locator(f"sw-morris .target[data-id={field}]").click()


def text(page: Page) -> str:
    return page.locator("[data-position] textarea").input_value()


def test_a_game_is_explored_branches_and_goes_on(visitor: NewPage, served: Arena) -> None:
    page = visitor("en")
    page.goto(f"{served.url}/explore?game=morris")
    press(page, "A0", "B0", "C0")
    expect(page).to_have_url(re.compile(r"move=A0&move=B0&move=C0$"))
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(page).to_have_url(re.compile(r"move=A0$"))
    press(page, "A3")  # another answer; the first line stays
    lines = page.locator(".lines .mv")
    expect(lines).to_have_text(["1. A0 B0 C0", "2. A3"])
    page.get_by_role("button", name="Computer moves").click()
    expect(page).to_have_url(re.compile(r"move=A0&move=A3&move=[ABC]\d$"))
    assert "hand 7 8 player 1" in text(page)
    page.reload()
    expect(page.locator("table.moves .mv")).to_have_count(3)
    page.get_by_role("link", name="Play on from here").click()
    expect(page.get_by_label("Start position")).to_have_value(re.compile("hand 7 8 player 1"))
    page.locator("[data-submit]").click()
    page.wait_for_url(re.compile(r"/t/"))
    started = served.record(page.url.rpartition("/")[2])
    assert "hand 7 8 player 1" in started["start"]


def test_a_position_is_set_up_by_hand_and_by_its_text(visitor: NewPage, served: Arena) -> None:
    page = visitor("en", console=False)  # it is asked about positions that are refused
    page.goto(f"{served.url}/explore?game=morris")
    page.get_by_role("button", name="Set up by hand").click()
    press(page, "A0", "A2", "A4", "B0", "B0")
    expect(page.locator("#position-fault")).to_contain_text("7th stone")
    press(page, "B2", "B2", "B4", "B4")
    expect(page.locator("#position-fault")).to_be_empty()
    assert text(page) == "0.0.0.../1.1.1.../........ hand 0 0 player 0 capture 0 quiet 0"
    page.get_by_role("button", name="Set up by hand").click()
    press(page, "A4", "C7")  # White flies
    expect(page).to_have_url(re.compile(r"move=A4%3AC7$"))
    black = "0.0.0.../1.1.1.1./........ hand 0 0 player 1 capture 0 quiet 7"
    page.locator("[data-position] textarea").fill(black)
    expect(page.locator(".turn h2")).to_contain_text("Black")


SOLID = "connect4&options=width=4,height=4,depth=4"
BY_HAND = {  # what is pressed ("in": in the layers of a solid board), and how the position begins
    "connect4": ("10 3 24 0 0 6 6 6", "......./......./......./......./...1.../2..2... "),
    SOLID: ("17 17 in:21 in:0 in:0 in:0 in:2 in:2", "..../..../..../..2. ..../..../.2../.1.. "),
    "oware": ("A0 B5 B5 B5", "3 3 0 4 4 4 4 4 4 4 4 4 4 2 "),
    "quarto": ("stone-3 A1 stone-9 B2 A1", "* * * * / * * * * / * 9 * * / * * * * next 3 "),
}


@pytest.mark.parametrize("game", BY_HAND)
def test_every_board_is_set_up_by_clicks(game: str, visitor: NewPage, served: Arena) -> None:
    page = visitor("en", console=False)
    page.goto(f"{served.url}/explore?game={game}")
    page.get_by_role("button", name="Set up by hand").click()
    pressed, expected = BY_HAND[game]
    for one in pressed.split():
        inside, _, field = one.rpartition(":")
        where = "sw-layers *" if inside else ":not(sw-layers *)"
        page.locator(f".target[data-id='{field}']:is({where})").click()
    assert f"{text(page)} ".startswith(expected)


def test_from_a_finished_game_to_its_board_and_back(visitor: NewPage, served: Arena) -> None:
    game = served.new("connect4", "random", "random")
    page = visitor("en")
    page.goto(f"{served.url}/t/{game}?ply=3")
    page.get_by_role("button", name="Try moves").click()
    expect(page).to_have_url(re.compile(rf"/explore\?from={game}&ply=3$"))
    back = page.get_by_role("link", name="Back to the game")
    expect(back).to_be_visible()
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile(r"ply=4$"))
    back.click()
    expect(page).to_have_url(re.compile(rf"/t/{game}\?ply=4$"))
