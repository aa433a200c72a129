"""The page of a check as people look at it: on a phone, on a desk, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from spielwerk.check.case import CaseVerdict, Side, TranscriptEntry, Wording
from spielwerk.check.page import as_html
from tests.browser.test_report import SMALLEST
from tests.check.verdicts import CR, LATE, SLOW, talk

LONG = TranscriptEntry(2.0, Side.PROGRAM, "", b"x" * 900 + b"\n")
VERDICTS: list[CaseVerdict] = [
    talk("a/b", CR, more=(LONG,)),
    talk("a/c", SLOW),
    talk("long/" + "case-" * 30),
    talk("o/x", LATE),
]
ABOUT = {"check": "x", "title": Wording("Clients", "Programme"), "command": "./" + "x" * 300}


@pytest.fixture
def report(tmp_path: Path) -> str:
    file = tmp_path / "report.html"
    file.write_text(as_html(VERDICTS, ABOUT, "de"), encoding="utf-8")
    return file.as_uri()


@pytest.mark.usefixtures("errors")
@pytest.mark.parametrize("width", [360, 1280])
def test_it_fits_every_screen(page: Page, report: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(report)
    for summary in page.locator("summary").all():
        summary.click()
    assert page.evaluate(SMALLEST) >= 12
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_language_is_switched_without_a_script(page: Page, report: str) -> None:
    page.goto(report)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Prüfung: Programme", use_inner_text=True
    )
    page.get_by_text("English", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check: Clients", use_inner_text=True)
    expect(page.get_by_text("println was used")).to_be_visible()
    expect(page.get_by_text("println wurde verwendet")).to_be_hidden()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_text("println wurde verwendet")).to_be_visible()
