"""The page's line to the server in a real browser: it breaks, comes back, and loses nothing."""

from __future__ import annotations

import signal
import statistics
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.arena import Arena, arena
from tests.servers.live import FREE, client

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import BrowserContext, Page

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


def play(page: Page, seat: int, ply: int, move: str) -> Any:
    return page.evaluate("(move) => line.play(...move)", [seat, ply, move])


def test_a_move_is_played_once_across_a_crash(page: Page, tmp_path: Path) -> None:
    with arena(tmp_path) as before:
        game = before.new("oware", "HUMAN", "HUMAN")
        visit(page, before, game)
        for seat in (0, 1):
            sit(page, before, game, seat)
        assert play(page, 0, 0, "2")["v"] == 1
        page.wait_for_function("() => line.seen === 1")  # the news come after the acknowledgement
        before.process.process.send_signal(signal.SIGKILL)
        page.wait_for_function(STATUS, arg="lost")
        page.evaluate("() => { window.second = line.play(1, 1, '3'); }")
    ports = [text.replace("web=0", f"web={before.addresses['web'][1]}") for text in FREE]
    with arena(tmp_path, *ports) as after:
        assert page.evaluate("() => second")["v"] == 2
        page.wait_for_function("() => line.seen === 2")
        assert page.evaluate("() => line.status") == "live"
        moves = after.get(f"/api/v1/matches/{game}").json["moves"]
        assert [move["move"] for move in moves] == ["2", "3"]
        back = page.evaluate("() => heard.filter((m) => m.kind === 'table').at(-1)")
        assert back["from"] == 1


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
    caught = (
        "(move) => line.play(...move).catch(({ message, rule, stale }) => [message, rule, stale])"
    )
    assert page.evaluate(caught, [0, 0, "2"]) == ["this seat is not yours", None, False]
    sit(page, served, game, 0)
    sit(page, served, game, 1)
    assert page.evaluate(caught, [0, 5, "2"])[2]
    assert page.evaluate(caught, [0, 0, "9"])[1]
    assert page.evaluate("() => line.why('2')") is None
    assert page.evaluate("() => line.why('x')")


def test_a_table_that_is_not_there(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/help")
    page.evaluate(OPEN, "AAAAAAAAAAA")
    page.wait_for_function("() => heard.some((m) => m.kind === 'missing')")
    page.wait_for_timeout(600)
    assert page.evaluate("() => line.status") == "lost"


@pytest.mark.usefixtures("errors")
def test_the_other_side_sees_a_move_soon(
    page: Page, context: BrowserContext, served: Arena
) -> None:
    game = served.new("oware", "HUMAN", "HUMAN")
    other = context.new_page()
    visit(page, served, game)
    visit(other, served, game)
    for seat in (0, 1):
        sit(page, served, game, seat)
    delays = []
    for ply in range(6):
        began = page.evaluate("() => Date.now()")
        play(page, ply % 2, ply, str(ply // 2))
        other.wait_for_function("(seen) => line.seen === seen", arg=ply + 1)
        seen = "() => heard.filter((m) => m.kind === 'moved').at(-1).at"
        delays.append(other.evaluate(seen) - began)
    print(f"a move is seen by the other side after {statistics.median(delays)} ms")  # noqa: T201


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
