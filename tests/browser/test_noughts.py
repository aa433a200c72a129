"""A game of another package in the browser: with its own page, and with none at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from spielwerk.games import Kit, kits
from spielwerk.web import views
from spielwerk.web.pages import assets
from spielwerk.web.texts import catalogue
from tests.browser.oware import LONG
from tests.servers.live import Live, live, settings_for

FOLDER = Path(__file__).parents[1] / "noughts"
STILL = "localStorage.spielwerk ??= JSON.stringify({ step: 0, display: 0, analysis: false })"


def forget() -> None:
    """Look for the games anew, and for what they bring."""
    for known in (kits, assets, catalogue):
        known.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package is on the path."""
    monkeypatch.syspath_prepend(FOLDER)


@pytest.fixture
def plain(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """The game has neither a page nor a view."""
    part = Kit.part

    def without_view(kit: Kit, name: str) -> Any:
        return None if (kit.name, name) == ("noughts", "view") else part(kit, name)

    views._from_folder.cache_clear()
    monkeypatch.setattr(Kit, "part", without_view)
    monkeypatch.setattr(Kit, "has_page", property(lambda kit: kit.name != "noughts"))


@pytest.fixture
def server(installed: None, tmp_path: Path) -> Iterator[Live]:  # noqa: ARG001
    """One that has the game."""
    forget()
    with live(settings_for(tmp_path)) as one:
        yield one
    forget()


def begin(page: Page, server: Live) -> None:
    """Set up a table for two people at this browser, with the form."""
    page.add_init_script(STILL)
    page.goto(f"{server.url}/new?game=noughts")
    for number in range(2):
        seat = page.get_by_role("group", name=f"Spieler {number}", exact=True)
        seat.get_by_role("button", name="Mensch").click()
    page.get_by_role("button", name="Tisch anlegen").click()


def test_it_is_played_on_its_own_board(page: Page, server: Live) -> None:
    page.goto(server.url)
    page.get_by_title("Drei gewinnt: Stufe und Beginn ändern").click()
    page.get_by_role("link", name="Mehr Optionen").click()
    expect(page.locator("[data-begins]")).to_have_text("X beginnt, immer.", timeout=LONG)
    begin(page, server)
    expect(page.locator("[data-turn]")).to_contain_text("Wähle ein freies Feld.", timeout=LONG)
    for count, square in enumerate("14253", 1):
        page.locator(f'sw-noughts .target[data-id="{square}"]').click()
        expect(page.locator("sw-noughts .noughts-sign")).to_have_count(count, timeout=LONG)
    expect(page.locator("[data-turn].is-over")).to_contain_text("gewinnt", timeout=LONG)
    expect(page.locator(".acts button").filter(has_text="Regeln")).to_have_count(0)  # it tells none


def test_without_a_page_its_text_is_shown_and_its_moves_are_buttons(
    plain: None,  # noqa: ARG001
    server: Live,
    page: Page,
) -> None:
    begin(page, server)
    position = page.locator("sw-plain .position")
    expect(position).to_have_text(".........", timeout=LONG)
    for move in "14253":
        page.locator("sw-plain .legal").get_by_role("button", name=move, exact=True).click()
        expect(position).not_to_have_text(".........", timeout=LONG)
    expect(page.locator("[data-turn].is-over")).to_contain_text("gewinnt", timeout=LONG)
    expect(page.locator("sw-plain .legal button")).to_have_count(0)
