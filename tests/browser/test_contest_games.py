"""The page of a contest's game: which one it is, what was drawn by lot, any names."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Route, expect

from spielwerk.games.dice.rules import Dice
from spielwerk.store.records import GameRecord, Settled
from spielwerk.web.texts import catalogue
from tests.browser.contests import CUT, LONG_NAME, SHORT, go
from tests.browser.play import NewPage
from tests.browser.soundness import overflow, violations
from tests.servers.live import Live
from tests.web.contest_samples import Maker

DE: Final = catalogue("de")


def second_game(contests: Live, contest: str) -> str:
    """The address of a game of the contest."""
    games = contests.get(f"/api/v1/contests/{contest}/games").json["games"]
    return f"/t/{games[1]['game']}"


@pytest.mark.parametrize("size", [(360, 740), (1000, 700)])
@pytest.mark.parametrize("contest", ["quarto", "dice"])
def test_the_contest_and_the_number_of_its_game_are_read_whole(
    look: NewPage, contests: Live, contest: str, size: tuple[int, int]
) -> None:
    page = look(second_game(contests, contest), size=size)
    place = page.locator(".title .of")
    expect(place).to_have_text(f"{LONG_NAME}, Runde 1, Partie 1")
    expect(place.get_by_role("link")).to_have_attribute("href", f"/contests/{contest}")
    expect(page.locator("h1")).to_have_text(DE[f"{contest}.name"])
    assert page.locator("h1, .title .of, .facts").evaluate_all(CUT) == 0
    assert overflow(page) == []
    down = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert size[0] < 1000 or down == 0


def test_a_drawn_opening_is_set_apart_from_what_was_played(
    visitor: NewPage, contests: Live
) -> None:
    def review(route: Route) -> None:
        points = [{"chances": [0.5, 0.5], "exact": True, "plies": None}] * 8
        mistake = {"ply": 5, "seat": 0, "move": "A1,1", "better": "A2,1", "grade": "?"}
        told = {"effort": 0, "deeper": False, "progress": None, "unexplained": None}
        found = {"points": points, "mistakes": [mistake | {"loss": 0.5, "exact": True}]}
        route.fulfill(json={**told, **found, "players": []})

    page = visitor()
    page.route(re.compile(r"/review$"), review)
    go(page, contests, second_game(contests, "quarto"))
    opening, played = (page.locator(f".moves .{part}") for part in ("opening", "played"))
    expect(opening.locator("th")).to_have_text(DE["table.part.opening"])
    expect(opening.locator(".mv")).to_have_count(4)
    expect(played.locator("tr").nth(1).locator("td").first).to_have_text("5")
    expect(page.locator(".moves .bad")).to_have_count(1)
    expect(played.locator(".bad")).to_have_count(1)
    expect(page.locator(".mistakes button")).to_have_count(1)
    expect(page.locator(".ticks s")).to_have_count(1)
    assert violations(page) == []


def decided_but_spoilt() -> str:
    """The Game-ID of a race that was won on the board, but by no one in its result."""
    maker = Maker(SHORT)
    steps = [step for pairing in maker.played() for step in maker.steps(pairing)]
    for step in steps:
        record = step.record if isinstance(step, Settled) else None
        if record and record.result and record.result.winner is None and is_decided(record):
            return record.id
    raise AssertionError("there is none")


def is_decided(record: GameRecord) -> bool:
    state = Dice.from_text(record.options).start()
    for move in record.moves:
        state = state.play(state.game.parse_move(move.move))
    return state.outcome is not None


def test_a_race_without_a_result_has_no_winner_anywhere(look: NewPage) -> None:
    page = look(f"/t/{decided_but_spoilt()}")
    expect(page.locator(".dice-caption")).to_contain_text("erreicht")
    expect(page.locator(".turn")).to_contain_text("Ohne Ergebnis")
    expect(page.locator("main")).not_to_contain_text("gewinnt")
    expect(page.locator(".lane .chance").first).to_contain_text("\N{EN DASH}")
