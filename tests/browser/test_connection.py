"""The line to the server breaks, the server is stopped or killed: the page says so and goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from spielwerk.app.settings import SERVICES
from tests.browser.arena import Arena, arena
from tests.browser.oware import (
    AT_ONCE,
    DE,
    LONG,
    MAJORITY,
    MoveServer,
    OwareTable,
    after,
    gated,
    playing,
)
from tests.browser.proxy import Proxy
from tests.browser.soundness import assert_small
from tests.waiting import PATIENCE, wait_until

PING: Final = 2.5  # seconds between two pings
GIVEN_UP: Final = 9.0  # seconds of silence


@pytest.fixture
def line(served: Arena) -> Iterator[Proxy]:
    """The only way to the server."""
    with Proxy(served.addresses["web"]) as one:
        yield one


@pytest.fixture
def table(page: Page, served: Arena, line: Proxy) -> Iterator[OwareTable]:
    """A table behind the line; a page that fails fails the test, one that is offline does not."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    one = OwareTable(page, served)
    one.url = line.url
    one.prepare(**AT_ONCE)
    yield one
    assert faults == []


def status(page: Page, name: str) -> None:
    """Wait until the masthead says this: ok, wait, lost."""
    expect(page.locator(f"[data-live] .conn--{name}")).to_be_visible(timeout=LONG)
    expect(page.locator("[data-live]")).to_contain_text(DE[f"common.live.{name}"])


def moves(table: OwareTable) -> str:
    """All moves as the server has them."""
    return "".join(move["move"] for move in table.arena.record(table.id)["moves"])


def test_a_broken_line_is_told_and_the_page_catches_up_without_being_loaded_again(
    table: OwareTable, line: Proxy
) -> None:
    gate = threading.Event()
    with MoveServer(gated(gate, playing(MAJORITY))) as server:
        table.open("HUMAN", server.engine)
        status(table.page, "ok")
        table.page.evaluate("window.loaded = 1")
        table.click(f"A{MAJORITY[0]}")
        table.expect_position(after(MAJORITY[:1]))
        line.cut()
        status(table.page, "lost")
        expect(table.headline).to_have_text(DE["table.lostTitle"])
        gate.set()  # the opponent moves while we are away
        table.expect_position(after(MAJORITY[:1]))
        line.mend()
        table.expect_position(after(MAJORITY[:2]))
    status(table.page, "ok")
    expect(table.headline).to_have_text(DE["table.yourTurn"])
    table.click(f"A{MAJORITY[2]}")
    table.expect_position(after(MAJORITY[:3]))
    assert table.page.evaluate("window.loaded") == 1


@pytest.mark.parametrize("lost", ["move", "answer"])
def test_a_move_on_a_broken_line_is_played_exactly_once(
    table: OwareTable, line: Proxy, lost: str
) -> None:
    """Whether the server has heard the move or not: it is told again, and counts once."""
    sent: list[str] = []
    socket_seen = table.page.on(
        "websocket",
        lambda one: one.on(
            "framesent", lambda frame: sent.append(str(frame)) if '"move"' in str(frame) else None
        ),
    )
    assert socket_seen is None
    table.open("HUMAN", "HUMAN")
    table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
    line.drop("down", *(["up"] if lost == "move" else []))
    table.click("A3")
    expect(table.said).to_contain_text(DE["table.sending"].replace("{move}", "3"))
    if lost == "answer":
        wait_until(lambda: moves(table) == "3")
    else:
        assert moves(table) == ""
    line.cut()
    status(table.page, "lost")
    line.mend()
    table.expect_position(after("3"))
    table.expect_open(*(f"B{n}" for n in range(6)))
    assert len(sent) == 2
    assert sent[0] == sent[1]
    table.click("B2")
    table.expect_position(after("32"))
    assert moves(table) == "32"


@pytest.mark.slow
def test_a_restart_of_the_server_in_the_middle_of_a_game(page: Page, tmp_path: Path) -> None:
    with arena(tmp_path) as before:
        table = OwareTable(page, before)
        table.prepare(**AT_ONCE)
        table.open("HUMAN", "strategy=0,depth=1")
        page.evaluate("window.loaded = 1")
        table.click("A2")
        table.expect_length(2)
        table.expect_open(*opened(table))
        before.process.process.send_signal(signal.SIGKILL)
        before.process.process.wait(PATIENCE)
        status(page, "lost")
    ports = [
        part for name in SERVICES for part in ("--port", f"{name}={before.addresses[name][1]}")
    ]
    with arena(tmp_path, *ports) as table.arena:
        status(page, "ok")
        expect(table.headline).to_have_text(DE["table.yourTurn"], timeout=LONG)
        table.expect_open(*opened(table))
        table.click(opened(table)[0])
        table.expect_length(4)
        assert len(moves(table)) == 4
        assert page.evaluate("window.loaded") == 1


def opened(table: OwareTable) -> list[str]:
    """A's legal houses by the rules."""
    return [f"A{move}" for move in table.arena.state(table.id).legal_moves()]


@pytest.mark.slow
def test_a_silent_server_is_given_up_after_nine_seconds(page: Page, tmp_path: Path) -> None:
    with arena(tmp_path) as one:
        page.goto(f"{one.url}/help")
        status(page, "ok")
        number = one.process.process.pid
        os.kill(number, signal.SIGSTOP)
        try:
            began = time.monotonic()
            expect(page.locator("[data-live] .conn--lost")).to_be_visible(timeout=LONG)
            silent = time.monotonic() - began
        finally:
            os.kill(number, signal.SIGCONT)
        assert GIVEN_UP - 0.5 < silent < GIVEN_UP + PING + 3
        status(page, "ok")


@pytest.mark.fresh
@pytest.mark.parametrize("path", ["/", "/new?game=oware", "/t/"])
def test_the_first_load_is_small(page: Page, served: Arena, path: str) -> None:
    if path == "/t/":
        path += served.new("quarto", "HUMAN", "level=1")
    page.add_init_script("localStorage.spielwerk ??= JSON.stringify({ analysis: false })")
    assert_small(page, lambda: page.goto(served.url + path))
    status(page, "ok")
