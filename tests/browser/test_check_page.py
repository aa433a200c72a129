"""Checking a client on the pages: its author starts it for a case, watches, and gets a report."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena
from tests.browser.oware import LONG
from tests.check.mnm.honest import HonestClient


def start(page: Page) -> None:
    """Start the client that the page asks for, with what it says."""
    names = page.locator(".doors dt").all_inner_texts()
    values = page.locator(".doors dd .mono").all_inner_texts()
    said = dict(zip(names, values, strict=True))
    places = {"host": said["Rechner"], "port": said["Port"], "game": said["Spiel"], "player": "0"}
    # In a thread: this one has the browser's loop.
    thread = threading.Thread(target=lambda: asyncio.run(HonestClient(places, "Quarto").run()))
    thread.start()
    thread.join(30)


@pytest.mark.usefixtures("errors")
def test_a_client_is_checked_by_hand(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/check")
    first = page.locator(".case").first
    page.get_by_role("button", name="Starten").click()
    expect(page.locator(".case--now")).to_have_count(1, timeout=LONG)
    expect(page.locator(".doors")).to_be_visible(timeout=LONG)
    start(page)
    expect(first).to_contain_text("bestanden", timeout=LONG)
    first.get_by_role("button").click()
    expect(page.locator(".wire")).to_contain_text("VERSION 1.42", timeout=LONG)
    page.get_by_role("button", name="Abbrechen").click()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Bericht").click()
    assert "prolog/" in Path(saved.value.path()).read_text()
