"""What comes from outside is text and nothing else, and the policy forbids the rest."""

from __future__ import annotations

import re
import socket
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.arena import Arena
from tests.browser.oware import DE, LONG, PLAY
from tests.browser.play import NewPage
from tests.waiting import PATIENCE

MARKUP: Final = '<img src=x onerror="hit=1">'
SHOWN: Final = {
    "markup": MARKUP,
    "places": "{name} {count} {turn} $& $1 ${hit=1} %s",
    "wide": "\uff37" * 80,
}
REFUSED: Final = (
    "\u202egnp.exe",  # right-to-left override
    "\u2067abc",  # isolate
    "a\u200bb",  # zero width
    "a\ufeffbc",  # byte order mark
    "a\u00a0b",  # no-break blank
    "\x1b[31m",  # escape
)


def assert_clean(page: Page, *names: str) -> None:
    """Nothing of the names has become markup, and nothing sticks out of the page."""
    assert page.evaluate("window.hit") is None
    assert page.locator("img, script:not([src]), main b > script").count() == 0
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = page.locator("body").inner_text()
    for name in names:
        assert name in text


@pytest.mark.parametrize("name", [f"{MARKUP} {SHOWN['places']}", SHOWN["wide"]])
def test_names_are_shown_as_they_are_everywhere(visitor: NewPage, served: Arena, name: str) -> None:
    page = visitor()
    person = {"type": "HUMAN", "name": name, "here": True}
    game = served.new("connect4", person, person, page=page, name=name)
    page.goto(served.url)
    expect(page.locator(f'[data-id="{game}"]')).to_contain_text(name, timeout=LONG)
    assert_clean(page, name)
    page.get_by_label(DE["lobby.search"]).fill(name)
    expect(page.locator(".trow").first).to_contain_text(name, timeout=LONG)
    page.evaluate(PLAY, [game, ["0", "1"], [0, 1]])
    page.goto(f"{served.url}/t/{game}")
    heads = page.locator(".moves th", has_text=name)
    expect(heads).to_have_count(2, timeout=LONG)
    expect(page.locator("h1")).to_contain_text(name)
    told = DE["connect4.told.dropped"].partition("{name}")[2].replace("{field}", "1")
    expect(page.locator("[data-turn] p", has_text=name)).to_contain_text(told)
    assert_clean(page, name)
    page.get_by_role("button", name=DE["table.mySeat"]).first.click()
    expect(page.get_by_role("dialog").get_by_role("heading")).to_contain_text(name)
    page.get_by_role("dialog").get_by_role("button", name=DE["table.resign"]).click()
    expect(page.get_by_role("dialog")).to_contain_text(name)
    assert_clean(page, name)
    page.get_by_role("dialog").get_by_role("button", name=DE["table.resign"]).click()
    won = DE["table.end.wins"].replace("{turn}", "2").replace("{name}", name)
    expect(page.locator("[data-turn] h2")).to_have_text(won, timeout=LONG)
    resigned = DE["table.end.resignation"].replace("{name}", name)
    expect(page.locator("[data-turn] p")).to_contain_text(resigned)
    assert_clean(page, name)
    assert name in page.title()


def test_invisible_characters_are_refused_in_the_reader_s_language(
    page: Page, served: Arena
) -> None:
    page.goto(f"{served.url}/new?game=oware")
    field = page.locator("[data-seat-name]").first
    told = DE["common.error.control"].replace("{field}", DE["new.name"])
    for name in REFUSED:
        field.fill("Ada")
        field.press("Tab")
        expect(page.get_by_role("alert").filter(has_text=told)).to_have_count(0, timeout=LONG)
        field.fill(name)
        page.get_by_role("button", name=DE["new.create"]).click()
        expect(page.get_by_role("alert").filter(has_text=told)).to_be_visible(timeout=LONG)
    game = served.new("oware", "HUMAN", "HUMAN")
    page.goto(f"{served.url}/t/{game}")
    page.get_by_role("button", name=DE["table.take"]).first.click()
    dialog = page.get_by_role("dialog")
    for name in REFUSED:
        dialog.get_by_label(DE["table.yourName"]).fill(name)
        with page.expect_response("**/take") as answer:
            dialog.get_by_role("button", name=DE["table.take"]).click()
        assert answer.value.status == 400
        expect(dialog.get_by_role("alert")).to_contain_text("Steuerzeichen", timeout=LONG)
    assert served.record(game)["seats"][0]["name"] == "Player 1"


@pytest.mark.usefixtures("errors")
def test_an_opponent_of_another_program_has_a_name_that_is_only_text(
    page: Page, served: Arena
) -> None:
    """Connect Four: the name comes over the wire, and not with invisible characters."""
    page.goto(f"{served.url}/new?game=connect4")
    second = page.get_by_role("group", name=DE["connect4.seat.1"], exact=True)
    second.get_by_role("button", name=DE["new.kind.client"]).click()
    page.get_by_label(DE["new.name.table"]).fill("Haus")
    page.get_by_role("group", name=DE["new.begins"]).get_by_role("button").last.click()
    page.get_by_role("button", name=DE["new.create"]).click()
    page.wait_for_url(re.compile(r"/t/\w+$"), timeout=LONG)
    offered = page.locator("[data-turn] p")
    expect(offered).to_contain_text("Haus", timeout=LONG)
    port = int(re.findall(r"Port (\d+)", offered.inner_text())[-1])
    assert joining(port, f"{MARKUP}\u202eabc")[0].startswith("join_game_failed")
    said, opponent = joining(port, MARKUP)
    with opponent:
        assert said.startswith("join_game_success")
        seat = page.locator(".seat:has(.emblem--p1)")
        expect(seat.locator(".name")).to_have_text(MARKUP, timeout=LONG)
        expect(page.locator("[data-turn] h2")).to_contain_text(MARKUP)
        assert_clean(page, MARKUP)


def joining(port: int, name: str) -> tuple[str, socket.socket]:
    """Join the game under this name; what is answered."""
    opponent = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    opponent.sendall(f"join_game;{name};Haus;V2\n".encode())
    said = opponent.recv(1000).decode()
    if said.startswith("join_game_failed"):
        opponent.close()
    return said, opponent


# the policy


def test_the_policy_works(page: Page, served: Arena) -> None:
    page.goto(f"{served.url}/help")
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.hit = 1";
          document.head.append(script);
          document.body.insertAdjacentHTML("beforeend", `<img src=x onerror="hit = 1">`);
        }"""
    )
    refused = "() => document.images[0]?.complete && (window.hit ?? null)"
    assert page.wait_for_function("() => document.images[0]?.complete")
    assert page.evaluate(refused) is None
