"""The first minute: one click and a game is played, boards to look at, codes to come along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena, arena
from tests.browser.oware import LONG
from tests.browser.play import NewPage

TABLE = re.compile(r"/t/[a-z0-9]{13}$")


def seats(page: Page, served: Arena) -> list[tuple[str, str]]:
    """Who sits at the page's table."""
    shown = served.record(page.url.rpartition("/")[2])["seats"]
    return [(seat["kind"], seat.get("engine", "")) for seat in shown]


def test_every_tile_begins_a_game_at_once(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    page.goto(served.url)
    tiles = page.locator("[data-tiles] .play")
    expect(tiles).to_have_count(6)
    for number in range(6):
        tiles.nth(number).click()
        page.wait_for_url(TABLE)
        expect(page.locator("[data-turn] h2")).to_have_text("Du bist am Zug", timeout=LONG)
        first, *others = seats(page, served)
        assert first == ("person", "")
        assert set(others) == {("engine", "level=3")}
        page.go_back()


def test_level_and_who_begins_are_chosen_by_keys_and_remembered(
    visitor: NewPage, served: Arena
) -> None:
    page = visitor("en")
    page.goto(served.url)
    line = page.get_by_role("button", name="Level 3, you begin").nth(1)
    line.focus()
    page.keyboard.press("Enter")
    page.get_by_role("slider").press("ArrowRight")
    page.get_by_role("button", name="Computer", exact=True).press("Space")
    page.keyboard.press("Escape")
    page.reload()
    expect(page.get_by_role("button", name="Level 4, the computer begins")).to_have_count(1)
    page.locator("[data-tiles] .play").nth(1).press("Enter")
    page.wait_for_url(TABLE)
    expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
    assert seats(page, served) == [("engine", "level=4"), ("person", "")]


@pytest.mark.parametrize(
    ("language", "table", "names"),
    [("de", "Partie vom ", ["Schwarz", "Weiß"]), ("en", "Game from ", ["Black", "White"])],
)
def test_what_was_not_named_is_called_in_the_readers_words(
    visitor: NewPage, served: Arena, language: str, table: str, names: list[str]
) -> None:
    game = served.new("morris", "HUMAN", "HUMAN")
    assert [seat["name"] for seat in served.record(game)["seats"]] == ["Player 1", "Player 2"]
    page = visitor(language)
    page.goto(f"{served.url}/t/{game}")
    expect(page.locator("h1 small")).to_contain_text(table)
    expect(page.locator(".seat .name")).to_have_text(names)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Arena]:
    """A server on which nothing else is played: a wall has only so many places."""
    with arena(tmp_path) as one:
        yield one


def test_the_wall_shows_games_and_clocks(visitor: NewPage, own: Arena) -> None:
    page = visitor("en")
    page.goto(f"{own.url}/wall?beamer")
    expect(page.locator(".mast")).to_be_hidden()
    players = ("level=1", "level=1")
    games = [own.new("oware", *players, name=f"wall {n}", pause=700) for n in range(3)]
    games.append(own.new("oware", *players, pause=9000, clock={"time": 300_000}))
    boards = [page.locator(f"a[href='/t/{game}']") for game in games]
    for board in boards:
        expect(board.locator(".moves")).to_contain_text("move", timeout=LONG)
    sizes = [board.locator("sw-oware").bounding_box() for board in boards]
    assert all(size and size["y"] + size["height"] <= 800 for size in sizes)
    expect(boards[0].locator(".rest")).to_have_text(["", ""])
    expect(boards[3].locator(".rest")).to_have_text([re.compile(r"4:5\d min"), "5:00 min"])
    page.keyboard.press("b")
    expect(page.locator(".mast")).to_be_visible()
    assert page.url.endswith("/wall")


def test_rounds_of_dice_are_counted_everywhere(visitor: NewPage, own: Arena) -> None:
    game = own.new("dice", "hold=1", "hold=1", "hold=1", pause=1500)
    page = visitor("en")
    page.goto(f"{own.url}/wall")
    moves = page.locator(f"a[href='/t/{game}'] .moves")
    expect(moves).to_contain_text(re.compile("^round 2: "), timeout=LONG)
    page.goto(own.url)
    expect(page.locator(f"[data-id='{game}'] .ts")).to_contain_text("round 2")
    page.goto(f"{own.url}/t/{game}")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Link to round 2")).to_be_visible()


def test_the_beamer_has_an_address_and_the_code_is_drawn(visitor: NewPage, served: Arena) -> None:
    page = visitor("en", analysis=True)
    game = served.new("connect4", "HUMAN", "HUMAN", training=True)
    page.goto(f"{served.url}/t/{game}?beamer")
    expect(page.locator(".score")).to_be_visible(timeout=LONG)
    expect(page.locator(".panel--moves")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".panel--moves")).to_be_visible()
    expect(page.locator(".score")).to_be_hidden()
    page.get_by_role("button", name="Share").click()
    code = page.get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    assert code.evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
