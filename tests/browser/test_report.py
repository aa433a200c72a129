"""The report of a contest as people look at it: on a phone, on a desk, and on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from spielwerk.contests.report import chunks
from spielwerk.store.records import Reason, SeatReport
from tests.contests.rated import a_book, as_pairings, ended, pairs

PAPER = 700  # pixels between the margins of an upright sheet
SMALLEST = """() => Math.min(...[...document.querySelectorAll("body *")]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .map((one) => parseFloat(getComputedStyle(one).fontSize)))"""
WIDER = """() => [...document.querySelectorAll("table")]
  .filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1).length"""


ENTRANTS = 30


@pytest.fixture
def report(tmp_path: Path) -> str:
    """The file of a contest with many entrants, two of whom failed."""
    names = [f"Gruppe {number} mit Namen" for number in range(ENTRANTS)]
    played = as_pairings(pairs([0.1 * number for number in range(ENTRANTS)], 2, seed=1))
    played[0] = ended(played[0], reason=Reason.CONNECTION_LOST, culprits=(1,), detail="exit 1")
    file = tmp_path / "report.html"
    outputs = {0: [SeatReport(1, status="exit 1", output="x" * 500)]}
    book = a_book(played, names, reports_by=outputs, moves_by={0: ["A1"] * 60})
    html = "".join(chunks(book, "de"))
    file.write_text(html, encoding="utf-8")
    return file.as_uri()


@pytest.mark.usefixtures("errors")
def test_it_can_be_read_on_a_phone_and_nothing_is_cut_on_paper(page: Page, report: str) -> None:
    width = 360
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(report)
    assert page.evaluate(SMALLEST) >= 12
    assert page.evaluate("document.documentElement.scrollWidth") == width
    outcome = page.locator("#game-0 > td").last.bounding_box()
    assert outcome is not None
    assert outcome["width"] > 0.5 * width
    page.set_viewport_size({"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate(WIDER) == 0
