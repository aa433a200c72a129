"""From what a table says to what is told of a game in a contest."""

from __future__ import annotations

import pytest

from spielwerk.contests.playing.outcomes import absent, as_result, blamed, judged
from spielwerk.games.interface import Outcome as RuleOutcome
from spielwerk.store.contest_records import ENDS
from spielwerk.store.records import Ending, Reason

WON = RuleOutcome(1, "four in a line")
VOID = RuleOutcome(None, "the last round has passed", void=True)


def result(reason: Reason, winner: int | None = None, culprit: int | None = None) -> Ending:
    culprits = () if culprit is None else (culprit,)
    return Ending(reason, winner, "so it was", 99, culprits)


def test_a_win_by_the_rules_is_the_winners() -> None:
    assert judged(result(Reason.WIN, 1), WON, 2) == Ending(Reason.WIN, 1, "so it was")


def test_a_draw_by_the_rules_is_nobodys() -> None:
    outcome = judged(result(Reason.DRAW), RuleOutcome(None, "the board is full"), 2)
    assert outcome == Ending(Reason.DRAW, detail="so it was")


def test_rounds_that_have_passed_are_a_draw() -> None:
    assert judged(result(Reason.ABORTED), VOID, 3).reason is Reason.DRAW


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (Reason.TIME_OUT, Reason.TIME_OUT),
        (Reason.STALLED, Reason.STALLED),
        (Reason.ILLEGAL_MOVE, Reason.ILLEGAL_MOVE),
        (Reason.PROTOCOL_ERROR, Reason.PROTOCOL_ERROR),
        (Reason.CONNECTION_LOST, Reason.CONNECTION_LOST),
        (Reason.RESIGNATION, Reason.CONNECTION_LOST),
        (Reason.ABORTED, Reason.CONNECTION_LOST),
    ],
)
@pytest.mark.parametrize("culprit", [0, 1])
def test_of_two_players_the_other_one_wins(reason: Reason, end: Reason, culprit: int) -> None:
    outcome = judged(result(reason, culprit=culprit), None, 2)
    assert outcome == Ending(end, 1 - culprit, "so it was", culprits=(culprit,))


@pytest.mark.parametrize("end", sorted(ENDS))
def test_of_three_players_nobody_wins_a_spoilt_game(end: Reason) -> None:
    assert blamed(end, (2,), 3, "why") == Ending(end, None, "why", culprits=(2,))


@pytest.mark.parametrize("reason", [Reason.SERVER_ERROR, Reason.ABORTED])
def test_what_is_nobodys_fault_is_ours(reason: Reason) -> None:
    assert judged(result(reason), None, 2) == Ending(Reason.SERVER_ERROR, detail="so it was")


def test_every_reason_has_an_end() -> None:
    for reason in Reason:
        for culprit in (None, 0):
            assert judged(result(reason, culprit=culprit), None, 2).reason in ENDS


def test_who_has_not_come_loses() -> None:
    failures = {1: Ending(Reason.NO_START, detail="did not come")}
    assert absent(failures, {1: "bert"}, 2) == Ending(
        Reason.NO_START, 0, "did not come", culprits=(1,)
    )


def test_if_nobody_has_come_nobody_wins_and_everybody_is_named() -> None:
    failures = {
        1: Ending(Reason.PROTOCOL_ERROR, detail="said hello"),
        0: Ending(Reason.NO_START, detail="did not come"),
    }
    outcome = absent(failures, {0: "anna", 1: "bert"}, 2)
    detail = "anna: did not come; bert: said hello"
    assert outcome == Ending(Reason.NO_START, None, detail, culprits=(0, 1))


def test_nobody_is_blamed_for_what_another_one_has_done() -> None:
    violation, absence = (
        Ending(Reason.PROTOCOL_ERROR, detail="said hello"),
        Ending(Reason.NO_START, detail="late"),
    )
    for failures in ({0: violation, 1: absence}, {0: absence, 1: violation}):
        assert absent(failures, {0: "anna", 1: "bert"}, 3).reason is Reason.NO_START
    both = {0: violation, 1: violation}
    assert absent(both, {0: "anna", 1: "bert"}, 3).reason is Reason.PROTOCOL_ERROR


def test_our_own_fault_comes_before_everybody_elses() -> None:
    failures = {
        0: Ending(Reason.NO_START, detail="late"),
        1: Ending(Reason.SERVER_ERROR, detail="we broke"),
    }
    assert absent(failures, {0: "a", 1: "b"}, 2) == Ending(Reason.SERVER_ERROR, detail="we broke")


def test_a_game_that_never_began_is_kept_as_one_that_was_aborted() -> None:
    kept = as_result(Ending(Reason.NO_START, 1, "why", 5, (0,)))
    assert kept == Ending(Reason.ABORTED, 1, "why", 5, (0,))
    assert as_result(kept) == kept
