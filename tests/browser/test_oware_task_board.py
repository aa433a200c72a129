"""Oware task, sections 3.3 to 3.5: the position, entering moves, asking for advice."""

from __future__ import annotations

import threading

import pytest
from playwright.sync_api import Page, expect

from spielwerk.messages import said
from tests.browser.arena import Arena
from tests.browser.oware import (
    AT_ONCE,
    CAPTURE,
    DE,
    LONG,
    MAJORITY,
    STARVING,
    MoveServer,
    OwareTable,
    after,
    box_of,
    gated,
    playing,
)

pytestmark = pytest.mark.usefixtures("errors")

ALL = tuple(f"{row}{house}" for row in "AB" for house in range(6))
SELECTED = "sw-oware .m-sel"


@pytest.fixture
def table(page: Page, served: Arena) -> OwareTable:
    one = OwareTable(page, served)
    one.prepare(**AT_ONCE)
    return one


# 3.3


def test_the_board_has_two_horizontal_rows_of_six_discs(table: OwareTable) -> None:
    """3.3: two horizontal rows of six houses, each a filled area such as a disc."""
    table.open("HUMAN", "HUMAN")
    boxes = {house: box_of(table.house(house).locator("circle")) for house in ALL}
    for row in "AB":
        middles = [boxes[f"{row}{n}"].middle[1] for n in range(6)]
        assert max(middles) - min(middles) < 1
    for box in boxes.values():
        assert abs(box.width - box.height) < 1
        assert box.width > 50
    order = [boxes[f"A{n}"].x for n in range(6)]
    assert order == sorted(order)
    assert [round(boxes[f"B{5 - n}"].x) for n in range(6)] == [round(x) for x in order]
    filled = "(board) => [...board.querySelectorAll('.pit')].map((p) => getComputedStyle(p).fill)"
    fills = table.page.locator("sw-oware").evaluate(filled)
    assert len(fills) == 14
    assert "none" not in fills


def test_what_each_player_owns_is_shown(table: OwareTable) -> None:
    """3.3: how many stones each player has taken already."""
    table.open("HUMAN", "HUMAN", moves=CAPTURE)
    state = after(CAPTURE)
    assert state.board[1] > 0
    for player in (0, 1):
        expect(table.seat(player).locator(".extra b")).to_have_text(str(state.board[player]))
        store = table.page.locator(f'sw-oware [data-house="{"AB"[player]}"] text')
        expect(store).to_have_text(str(state.board[player]))


def above(table: OwareTable) -> str:
    """Whose row is the upper one."""
    tops = {row: box_of(table.house(f"{row}0")).y for row in "AB"}
    return min(tops, key=lambda row: tops[row])


def test_a_person_who_is_b_plays_from_below_and_the_board_can_be_turned(table: OwareTable) -> None:
    """3.3: the perspective may change for a person whose opponent begins."""
    table.open("strategy=1,depth=1", "HUMAN")
    expect(table.headline).to_have_text(DE["table.yourTurn"], timeout=LONG)
    assert above(table) == "A"
    table.page.get_by_role("button", name=DE["table.flip"]).click()
    assert above(table) == "B"


# 3.4


def test_input_is_possible_only_while_a_person_is_to_move(table: OwareTable) -> None:
    """3.4: no input while a computer has to move, and again when it has moved."""
    gate = threading.Event()
    with MoveServer(gated(gate, playing(MAJORITY))) as server:
        table.open("HUMAN", server.engine)
        table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
        table.click(f"A{MAJORITY[0]}")
        table.expect_position(after(MAJORITY[:1]))
        table.expect_open()
        for house in ("A0", "B0"):
            table.click(house)
        expect(table.mark("m-hover")).to_have_count(0)
        expect(table.page.locator(SELECTED)).to_have_count(0)
        gate.set()
        table.expect_open(*(f"A{n}" for n in after(MAJORITY[:2]).legal_moves()))
        assert len(server.requests) == 1
    table.expect_length(2)


def test_legal_houses_of_the_player_to_move_react_to_the_pointer_and_no_others(
    table: OwareTable,
) -> None:
    """3.4: neither the other row's houses, nor empty ones, nor those against the starvation rule.

    That is, while the pointer is inside and no button is pressed.
    """
    state = after(STARVING)
    legal = {f"A{n}" for n in state.legal_moves()}
    starving = {f"A{n}" for n in range(6) if state.board[2 + n]} - legal
    assert legal
    assert starving
    table.open("HUMAN", "HUMAN", moves=STARVING)
    table.expect_open(*sorted(legal))
    for house in ALL:
        table.point(house)
        expect(table.mark("m-hover")).to_have_count(int(house in legal))
    table.page.mouse.move(5, 5)
    expect(table.mark("m-hover")).to_have_count(0)


def test_the_board_reacts_only_inside_of_the_discs(table: OwareTable) -> None:
    """3.4: only inside of the houses as they are drawn."""
    table.open("HUMAN", "HUMAN")
    table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
    for radii, marks in ((0.0, 1), (0.97, 1), (1.05, 0), (1.2, 0), (-0.97, 1), (-1.05, 0)):
        table.point("A2", radii=radii)
        expect(table.mark("m-hover")).to_have_count(marks)
    table.point("A2", radii=1.05)
    table.page.mouse.down()
    table.page.mouse.up()
    table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
    table.expect_length(0)


def test_a_left_click_on_a_legal_house_is_answered_and_played(table: OwareTable) -> None:
    """3.4 (a): an optical answer, and the move is carried out."""
    table.open("HUMAN", "HUMAN")
    table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
    rings = """() => {
      window.rings = 0;
      new MutationObserver(() => { rings += Boolean(document.querySelector("sw-oware .m-sel")); })
        .observe(document.querySelector("sw-oware"), { childList: true, subtree: true });
    }"""
    table.page.evaluate(rings)
    table.page.locator('sw-oware .target[data-id="A3"]').click(button="right")
    table.page.locator('sw-oware .target[data-id="A3"]').click(button="middle")
    assert table.page.evaluate("rings") == 0
    table.expect_length(0)
    table.click("A3")
    table.expect_position(after("3"))
    assert table.page.evaluate("rings") > 0
    table.expect_length(1)


STARVATION = "Starvation rule: the opponent has no stones, so the move must bring some"


@pytest.mark.parametrize(
    ("house", "reason"),
    [
        ("empty", said("The house is empty", "de")),
        ("starving", said(STARVATION, "de")),
        ("foreign", DE["oware.foreign"]),
    ],
)
def test_a_click_on_another_house_is_answered_differently_and_the_reason_told(
    table: OwareTable, house: str, reason: str
) -> None:
    """3.4 (b): another answer, or none, where no move is possible; the reason may be told."""
    state = after(STARVING)
    own = state.board[2:8]
    empty = own.index(0)
    starving = next(n for n in range(6) if own[n] and n not in state.legal_moves())
    named = {"empty": f"A{empty}", "starving": f"A{starving}", "foreign": "B0"}[house]
    table.open("HUMAN", "HUMAN", moves=STARVING)
    table.expect_open(*(f"A{n}" for n in state.legal_moves()))
    table.click(named)
    expect(table.page.locator("sw-oware .m-refused")).to_have_count(1)
    expect(table.page.locator(SELECTED)).to_have_count(0)
    expect(table.said).to_contain_text(reason, timeout=LONG)
    table.expect_length(len(STARVING))
    table.expect_position(state)


# 3.5


def test_the_house_that_is_advised_blinks_and_another_may_be_played(table: OwareTable) -> None:
    """3.5: shown by blinking of the house; one may follow it or not."""
    table.open("HUMAN", "HUMAN")
    expect(table.hint).to_be_enabled(timeout=LONG)
    table.hint.click()
    expect(table.mark("is-hint")).to_have_count(1, timeout=LONG)
    blinking = "(mark) => mark.getAnimations({ subtree: true }).length"
    assert table.mark("is-hint").evaluate(blinking) >= 1
    advised = table.said.inner_text().removesuffix(".")[-1]
    ring, disc = table.mark("is-hint"), table.house(f"A{advised}")
    assert abs(box_of(ring).middle[0] - box_of(disc).middle[0]) < 3
    other = "0" if advised != "0" else "1"
    table.click(f"A{other}")
    table.expect_position(after(other))
    expect(table.mark("is-hint")).to_have_count(0)
