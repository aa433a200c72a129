"""Contests among the lobby's tables: one row each, which stays in its place while news come."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from spielwerk.contests.contest import Phase
from spielwerk.web.texts import catalogue
from tests.browser.contests import playing
from tests.browser.oware import LONG
from tests.browser.play import NewPage
from tests.browser.soundness import assert_sound
from tests.browser.test_hostile import SHOWN
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import NAMES, NOW, Wish, write

DE: Final = catalogue("de")
OVER: Final = Wish(id="over", name=SHOWN["markup"], names=NAMES[:6], faults=False)
RUNNING: Final = Wish(
    id="running",
    name="Das große Würfelrennen des Wintersemesters, Rückrunde",
    game="dice",
    names=NAMES[:6],
    done=0.4,
    phase=Phase.TRAINING,
)
SOLID: Final = Wish(
    id="solid",
    name="Würfel",
    names=NAMES[:3],
    done=0.5,
    options=("width=4", "height=4", "depth=4"),
)


pytestmark = pytest.mark.fresh  # with clocks of their own


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One that seems to play a contest, twelve games at once; and a table waits besides."""
    folder = tmp_path_factory.mktemp("lobby")
    write(folder, OVER, RUNNING, SOLID)
    with live(settings_for(folder)) as one:
        one.server.contest = playing(one, RUNNING, 12)
        one.new()
        yield one


@pytest.fixture
def lobby(visitor: NewPage, server: Live) -> Page:
    """Look at the lobby just after the contests were set up."""
    page = visitor()
    page.clock.set_fixed_time(NOW / 1000)
    page.goto(server.url)
    expect(page.locator("[data-live] .conn--ok")).to_have_count(1, timeout=LONG)
    expect(page.locator(".trow")).not_to_have_count(0, timeout=LONG)
    return page


def chosen(page: Page, filter_: str) -> Locator:
    """The rows after a filter was chosen; its button says how many there are."""
    word = DE[f"lobby.filter.{filter_}"].removesuffix("{number}")
    button = page.get_by_role("button", name=re.compile(f"^{word}"))
    button.click()
    rows = page.locator(".trow")
    expect(rows).to_have_count(int(button.inner_text().removeprefix(word)))
    return rows


def row(page: Page, wish: Wish) -> Locator:
    return page.locator(f'.trow[data-id="contests/{wish.id}"]')


def test_contests_stand_in_the_lobby(lobby: Page, picture: Callable[[Page, str], None]) -> None:
    expect(lobby.locator(".trow")).to_have_count(4)
    expect(row(lobby, SOLID)).to_contain_text(DE["connect4.solid.name"])
    assert_sound(lobby, picture, "lobby-contests")


def test_games_of_contests_are_not_listed(lobby: Page) -> None:
    page = lobby
    assert chosen(page, "current").count() == 4
    assert chosen(page, "open").count() == 1
    assert chosen(page, "running").count() == 1
    assert chosen(page, "finished").count() == 2
    expect(page.locator("[data-under] button")).to_have_count(0)
    page.get_by_label(DE["lobby.search"]).fill("wintersemester")
    chosen_row = page.locator(".trow")
    page.get_by_role("button", name=re.compile("^Aktuell")).click()
    expect(chosen_row).to_have_count(1)
    expect(chosen_row).to_contain_text(RUNNING.name)


def test_the_row_leads_to_the_contest_whatever_is_told_meanwhile(lobby: Page, server: Live) -> None:
    page = lobby
    link = row(page, RUNNING).get_by_role("link")
    link.focus()
    there = link.element_handle()
    playing_here = server.server.contest
    assert playing_here
    playing_here.set_jobs(0)
    expect(row(page, RUNNING).locator(".st--held")).to_have_count(1, timeout=LONG)
    expect(link).to_be_focused()
    assert page.evaluate("(node) => node.isConnected", there)
    playing_here.set_jobs(4)
    link.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text(RUNNING.name, timeout=LONG)
