"""Find the move: tried on the board, judged at once, by pointer and by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.arena import Arena
from tests.browser.play import NewPage


def test_a_move_is_tried_and_judged_and_the_next_comes(visitor: NewPage, served: Arena) -> None:
    page = visitor("en")
    told = page.request.get(f"{served.url}/api/v1/exercises/connect4").json()["exercises"]
    page.goto(f"{served.url}/rules/connect4")
    page.get_by_role("link", name="Find the move").click()
    expect(page.locator("[data-number]")).to_have_text("Exercise 1 of 20")
    page.locator(f'sw-connect4 .target[data-id="{told[0]["move"]}"]').click()
    verdict = page.locator("[data-verdict]")
    expect(verdict).to_have_text(f"Right. {told[0]['move']} is the move.")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("number=2$"))
    expect(verdict).to_be_empty()
    wrong = next(move for move in told[1]["view"]["legal"] if move != told[1]["move"])
    field = page.locator(f'sw-connect4 .target[data-id="{wrong}"]')
    field.focus()
    page.keyboard.press("Enter")
    expect(verdict).to_have_text(re.compile(rf"^Not quite\. .*; {told[1]['move']} was the move\.$"))
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-number]")).to_have_text("Exercise 3 of 20")
    page.get_by_role("button", name="Show the move").click()
    expect(verdict).to_have_text(f"The move is {told[2]['move']}.")
