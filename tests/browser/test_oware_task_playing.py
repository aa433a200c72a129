"""Oware task, sections 3.7 to 3.10: remote players, the steps of a move, pauses, the end."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from spielwerk.games.oware.rules import move_steps
from spielwerk.messages import said
from tests.browser.arena import Arena
from tests.browser.oware import (
    AT_ONCE,
    CAPTURE,
    DE,
    LONG,
    MAJORITY,
    REPEATED,
    STUCK_EVEN,
    Answering,
    MoveServer,
    OwareTable,
    Request,
    after,
    answer,
    gated,
    named,
    playing,
)

pytestmark = pytest.mark.usefixtures("errors")


@pytest.fixture
def table(page: Page, served: Arena) -> OwareTable:
    return OwareTable(page, served)


# 3.7


def test_every_move_is_asked_for_on_a_connection_of_its_own_that_is_closed_at_once(
    table: OwareTable,
) -> None:
    """3.7: the game so far and the player's parameters are sent, each time on a new connection."""
    table.prepare(**AT_ONCE)
    with MoveServer(playing(MAJORITY)) as server:
        table.open("HUMAN", f"{server.engine},strategy=1,depth=3")
        for ply in (0, 2, 4):
            table.expect_open(*(f"A{n}" for n in after(MAJORITY[:ply]).legal_moves()))
            table.click(f"A{MAJORITY[ply]}")
            table.expect_length(ply + 2)
            assert server.closed == len(server.requests) == ply // 2 + 1
    start = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"
    assert [one.text for one in server.requests] == [
        f"1\n3\n{start}\n{MAJORITY[:plies]}\n" for plies in (1, 3, 5)
    ]


def garbage(_: Request) -> bytes:
    """Something that is no answer."""
    return b"<b>HTTP/1.1 400</b>\n\n\n\n\n"


def wrong(request: Request) -> bytes:
    """A move that leads elsewhere."""
    return answer(request, "0").replace(b" 5", b" 6")


def silence(_: Request) -> None:
    """Nothing."""


FAULTS: Final[dict[str, tuple[Answering, str, str]]] = {
    "garbage": (garbage, "end.protocol_error", "<b>HTTP/1.1 400</b>"),
    "wrong board": (wrong, "end.protocol_error", " 6 "),
    "silence": (silence, "end.time_out", "0,5 s"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_goes_wrong_with_a_remote_player_is_shown_and_ends_the_game(
    table: OwareTable, fault: str
) -> None:
    """3.7: unreadable answers, the server's own errors, wrong moves: told, and the game ends.

    3.8: nothing is shown of a move that is not legal.
    """
    table.prepare(step=40, display=0)
    answering, reason, detail = FAULTS[fault]
    with MoveServer(answering) as server:
        table.open("HUMAN", f"{server.engine},timeout={0.5 if fault == 'silence' else 20}")
        table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
        table.click("A3")
        assert_ended(table, reason, detail)
    table.expect_position(after("3"))
    own = [named(step) for step in move_steps(after(""), 3)]
    assert [step[:4] for step in table.page.evaluate("steps")] == own
    table.expect_length(1)


def assert_ended(table: OwareTable, reason: str, detail: str) -> None:
    """The game is over without a winner, and the page says why."""
    ended = table.page.locator("[data-turn].is-over")
    expect(ended).to_be_visible(timeout=LONG)
    word = DE[f"table.{reason}"].replace("{name}", "remote")
    expect(table.said).to_contain_text(word)
    expect(table.said).to_contain_text(detail)
    expect(table.headline).to_contain_text(DE["table.end.void"].split("{")[0])
    table.expect_open()


# 3.8


def test_a_move_is_shown_as_choosing_taking_sowing_and_collecting(table: OwareTable) -> None:
    """3.8: choose, take out, sow house by house, collect house by house: a step each, in turn."""
    table.prepare(step=40, display=0)
    begun, move = CAPTURE[:-1], int(CAPTURE[-1])
    table.open("HUMAN", "HUMAN", moves=begun)
    table.expect_open(*(f"B{n}" for n in after(begun).legal_moves()))
    table.click(f"B{move}")
    table.expect_position(after(CAPTURE))
    expect(table.page.locator("sw-oware:not([data-step])")).to_have_count(1, timeout=LONG)
    shown = [step[:4] for step in table.page.evaluate("steps") if step[0] != "pause"]
    wanted = [named(step) for step in move_steps(after(begun), move)]
    assert [step[0] for step in wanted].count("collect") == 2
    assert shown == wanted


def test_the_pause_between_steps_is_set_in_the_settings(table: OwareTable) -> None:
    """3.8, 3.12: the pause between steps is part of the configuration."""
    page = table.page
    for pause in (60, 240):
        page.goto(f"{table.arena.url}/settings")
        page.get_by_label(DE["settings.step"], exact=True).fill(str(pause))
        page.get_by_label(DE["settings.step"], exact=True).press("Tab")
        table.open("HUMAN", "HUMAN")
        table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
        table.click("A2")
        table.expect_position(after("2"))
        expect(page.locator("sw-oware:not([data-step])")).to_have_count(1, timeout=LONG)
        shown = page.evaluate("steps")
        times = [step[4] for step in shown if step[0] == "sow"]
        between = [later - sooner for sooner, later in pairwise(times)]
        assert len(between) == 3
        assert min(between) >= 0.9 * pause
        assert min(between) < 0.9 * pause + 150


# 3.9


def test_a_position_is_shown_for_the_least_time_before_a_computer_moves(table: OwareTable) -> None:
    """3.9: a computer's move waits for the rest of the time only, a person's is shown at once."""
    least, thinking = 2000, 1.2
    table.prepare(step=0, display=least)
    with MoveServer(playing(MAJORITY, after_seconds=thinking)) as server:
        table.open("HUMAN", server.engine, pause=least)
        for ply in (0, 2):
            table.expect_open(*(f"A{n}" for n in after(MAJORITY[:ply]).legal_moves()))
            table.click(f"A{MAJORITY[ply]}")
            table.expect_position(after(MAJORITY[: ply + 2]))
    changes = [time for time, _ in table.page.evaluate("changes")]
    clicked = table.page.evaluate("pressed")
    assert len(changes) == 4
    for click, own, theirs in zip(clicked, changes[::2], changes[1::2], strict=True):
        assert own - click < least / 2  # at once
        assert theirs - own >= least - 20
        assert theirs - own < least + 1000 * thinking - 100


# 3.10

ENDS = {
    "E-1, the last move is a person's": (MAJORITY, "HUMAN"),
    "E-1, the last move is a computer's": (MAJORITY, "computer"),
    "E-2, a draw": (STUCK_EVEN, "HUMAN"),
    "E-3, a draw": (REPEATED, "HUMAN"),
}


@pytest.mark.parametrize("end", ENDS)
def test_the_end_is_seen_after_every_move_and_the_result_shown(table: OwareTable, end: str) -> None:
    """3.10: each of the three criteria ends the game, all get the stones on their side, and the
    score and the winner (A, B or nobody) are shown."""
    table.prepare(**AT_ONCE)
    game, last = ENDS[end]
    before, state = after(game[:-1]), after(game)
    assert not before.outcome
    assert state.outcome
    gate = threading.Event()
    with MoveServer(gated(gate, playing(game))) as server:
        seats = ["HUMAN", "HUMAN"]
        if last == "computer":
            seats[before.player] = server.engine
            gate.set()
            table.new(*seats, moves=game[:-2])
            gate.clear()
        else:
            table.new(*seats, moves=game[:-1])
        table.visit()
        expect(table.page.locator("[data-turn].is-over")).to_have_count(0)
        if last == "computer":
            table.expect_open(*(f"{'AB'[1 - before.player]}{n}" for n in after(game[:-2]).houses))
            table.click(f"{'AB'[1 - before.player]}{game[-2]}")
            gate.set()
        else:
            table.expect_position(before)
            table.expect_open(*(f"{'AB'[before.player]}{n}" for n in before.houses))
            table.click(f"{'AB'[before.player]}{game[-1]}")
        expect(table.page.locator("[data-turn].is-over")).to_be_visible(timeout=LONG)
    table.expect_position(state)
    score, winner = state.outcome.score, state.outcome.winner
    assert score
    for player in (0, 1):
        expect(table.seat(player).locator(".extra b")).to_have_text(str(score[player]))
    expect(table.said).to_contain_text(said(state.outcome.reason, "de"), ignore_case=True)
    expect(table.said).to_contain_text(f"{score[0]} : {score[1]}")
    expected = DE["table.end.draw"] if winner is None else DE["table.end.wins"]
    wins = "" if winner is None else table.seat(winner).locator(".name").inner_text()
    turn = str(len(game))
    expect(table.headline).to_have_text(expected.replace("{name}", wins).replace("{turn}", turn))
    table.expect_open()
