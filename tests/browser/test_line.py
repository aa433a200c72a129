"""The page's line to the server in a real browser: it breaks, comes back, and loses nothing."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena, arena
from tests.browser.oware import LONG
from tests.servers.live import client

OPEN = """async (table) => {
  const module = document.querySelector("script[type=module]").src;
  const { Live } = await import(new URL("live.js", module.replace(/js\\/.*/, "js/")).href);
  window.line = new Live({ table });
  window.heard = [];
  for (const kind of ["table", "moved", "state", "you", "status", "stopping", "missing"]) {
    line.addEventListener(kind, (event) => heard.push({ kind, at: Date.now(), ...event.detail }));
  }
}"""
STATUS = "(status) => line.status === status"


def visit(page: Page, served: Arena, table: str | None = None) -> None:
    """Open a line of our own, on a page that has none to a table."""
    page.goto(f"{served.url}/help")
    page.evaluate(OPEN, table)
    page.wait_for_function(STATUS, arg="live")


def sit(page: Page, served: Arena, game: str, seat: int) -> None:
    url = f"{served.url}/api/v1/matches/{game}/seats/{seat}/take"
    assert page.request.post(url, data={"name": f"person {seat}"}).ok
    page.wait_for_function("(seat) => heard.some((m) => m.seats?.includes?.(seat))", arg=seat)


def test_a_server_that_stops_says_so(page: Page, tmp_path: Path) -> None:
    with arena(tmp_path) as one:
        visit(page, one, one.new("oware", "HUMAN", "HUMAN"))
        one.process.stop(signal.SIGTERM)
        page.wait_for_function("() => heard.some((m) => m.kind === 'stopping')")
        page.wait_for_function(STATUS, arg="lost")


@pytest.mark.usefixtures("errors")
def test_refusals_and_reasons(page: Page, served: Arena) -> None:
    game = served.new("oware", "HUMAN", "HUMAN")
    visit(page, served, game)
    caught = "(move) => line.play(...move).catch(({ message, said }) => [message, said.code])"
    assert page.evaluate(caught, [0, 0, "2"]) == [
        "this seat is not yours",
        "this-seat-is-not-yours",
    ]
    sit(page, served, game, 0)
    sit(page, served, game, 1)
    assert page.evaluate(caught, [0, 5, "2"])[0] == "the game has moved on in the meantime"
    assert page.evaluate(caught, [0, 0, "9"])[1]
    assert page.evaluate("() => line.why('2')") is None
    assert page.evaluate("() => line.why('x')")


@pytest.mark.usefixtures("errors")
def test_the_wire_is_shown_and_nothing_in_it_is_markup(page: Page, served: Arena) -> None:
    game = served.new("quarto", "COMPUTER", "COMPUTER", timeout=60_000)
    page.goto(f"{served.url}/t/{game}")
    panel = page.locator(".panel--wire")
    panel.get_by_text(game[:11]).wait_for()
    with client(served.addresses["mnm"]) as one:
        one.join(game)
        panel.get_by_text("+ ENDPLAYERS").wait_for()
        one.say(b"<img src=x onerror=alert(1)>\0 \r\n")
        row = panel.locator("li.c", has_text="<img src=x")
        row.wait_for()
        assert [odd.inner_text() for odd in row.locator(".odd").all()] == ["\\0", "␣", "\\r"]
        assert row.locator(".nl").inner_text() == "\\n"
        assert panel.locator("img").count() == 0
    panel.get_by_role("button", name="Mitschnitt speichern").focus()
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    text = saved.value.path().read_text()
    assert text.startswith("# mnm 127.0.0.1:")
    assert "<- <img src=x onerror=alert(1)>\\0 \\r\\n" in text


@pytest.mark.usefixtures("errors")
def test_the_wire_counts_signs_of_life_and_marks_connections(page: Page, served: Arena) -> None:
    game = served.new("quarto", "COMPUTER", "COMPUTER", timeout=60_000, options={"begins": 1})
    page.goto(f"{served.url}/t/{game}")
    panel = page.locator(".panel--wire")
    with client(served.addresses["mnm"]) as one:
        one.join(game)
        counted = panel.locator(".fold .more")
        newest = panel.locator(".wire li:nth-last-child(2)")  # before the cursor
        for _ in range(3):  # the first WAIT shares a segment with the prologue, and stays
            expect(newest).to_contain_text("+ WAIT", timeout=LONG)
            one.say(b"OKWAIT\n")
            page.wait_for_timeout(500)  # until it is there: the next WAIT comes after a second
        expect(counted).to_contain_text("2 × WAIT", timeout=LONG)  # noqa: RUF001
        answers = panel.locator("li.c", has_text="OKWAIT")
        expect(answers).to_have_count(1)
        counted.click()
        expect(answers).to_have_count(3)
        expect(panel.locator(".joint")).to_have_count(1)
    expect(panel.locator(".joint--end")).to_have_count(1, timeout=LONG)
    page.reload()
    expect(panel.locator(".joint")).to_have_count(2, timeout=LONG)
    expect(counted).to_be_visible()


@pytest.mark.usefixtures("errors")
def test_a_table_without_programs_has_no_wire(page: Page, served: Arena) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{served.url}/t/{served.new('morris', 'HUMAN', 'HUMAN')}")
    expect(page.get_by_role("tab")).to_have_count(2, timeout=LONG)
    page.keyboard.press("w")
    expect(page.locator(".panel--wire")).to_be_hidden()
    expect(page.locator(".panel--analysis")).to_be_visible()
