"""From what a table says to what is told of a game in a contest."""

from __future__ import annotations

import pytest

from spielwerk.contests.playing.game import Failure
from spielwerk.contests.playing.outcomes import absent, as_result, blamed, judged
from spielwerk.games.interface import Outcome as RuleOutcome
from spielwerk.store.contest_records import FORFEITS, End, PairingOutcome
from spielwerk.store.records import Reason, ResultRecord

WON = RuleOutcome(1, "four in a line")
VOID = RuleOutcome(None, "the last round has passed", void=True)


def result(reason: Reason, winner: int | None = None, culprit: int | None = None) -> ResultRecord:
    culprits = () if culprit is None else (culprit,)
    return ResultRecord(reason, winner, "so it was", 99, culprits)


def test_a_win_by_the_rules_is_the_winners() -> None:
    assert judged(result(Reason.WIN, 1), WON, 2) == PairingOutcome(End.WIN, 1, detail="so it was")


def test_a_draw_by_the_rules_is_nobodys() -> None:
    outcome = judged(result(Reason.DRAW), RuleOutcome(None, "the board is full"), 2)
    assert outcome == PairingOutcome(End.DRAW, detail="so it was")


def test_rounds_that_have_passed_are_a_draw() -> None:
    assert judged(result(Reason.ABORTED), VOID, 3).end is End.DRAW


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (Reason.TIME_OUT, End.TIME_OUT),
        (Reason.STALLED, End.STALL),
        (Reason.ILLEGAL_MOVE, End.ILLEGAL_MOVE),
        (Reason.PROTOCOL_ERROR, End.PROTOCOL_ERROR),
        (Reason.CONNECTION_LOST, End.CRASH),
        (Reason.RESIGNATION, End.CRASH),
        (Reason.ABORTED, End.CRASH),
    ],
)
@pytest.mark.parametrize("culprit", [0, 1])
def test_of_two_players_the_other_one_wins(reason: Reason, end: End, culprit: int) -> None:
    outcome = judged(result(reason, culprit=culprit), None, 2)
    assert outcome == PairingOutcome(end, 1 - culprit, (culprit,), "so it was")


@pytest.mark.parametrize("end", sorted(FORFEITS))
def test_of_three_players_nobody_wins_a_spoilt_game(end: End) -> None:
    assert blamed(end, (2,), 3, "why") == PairingOutcome(end, None, (2,), "why")


@pytest.mark.parametrize("reason", [Reason.SERVER_ERROR, Reason.ABORTED])
def test_what_is_nobodys_fault_is_ours(reason: Reason) -> None:
    assert judged(result(reason), None, 2) == PairingOutcome(End.SERVER_ERROR, detail="so it was")


def test_every_reason_has_an_end() -> None:
    for reason in Reason:
        for culprit in (None, 0):
            assert judged(result(reason, culprit=culprit), None, 2).end in End


def test_who_has_not_come_loses() -> None:
    failures = {1: Failure(End.NO_START, "did not come")}
    assert absent(failures, {1: "bert"}, 2) == PairingOutcome(End.NO_START, 0, (1,), "did not come")


def test_if_nobody_has_come_nobody_wins_and_everybody_is_named() -> None:
    failures = {
        1: Failure(End.PROTOCOL_ERROR, "said hello"),
        0: Failure(End.NO_START, "did not come"),
    }
    outcome = absent(failures, {0: "anna", 1: "bert"}, 2)
    detail = "anna: did not come; bert: said hello"
    assert outcome == PairingOutcome(End.NO_START, None, (0, 1), detail)


def test_nobody_is_blamed_for_what_another_one_has_done() -> None:
    violation, absence = Failure(End.PROTOCOL_ERROR, "said hello"), Failure(End.NO_START, "late")
    for failures in ({0: violation, 1: absence}, {0: absence, 1: violation}):
        assert absent(failures, {0: "anna", 1: "bert"}, 3).end is End.NO_START
    both = {0: violation, 1: violation}
    assert absent(both, {0: "anna", 1: "bert"}, 3).end is End.PROTOCOL_ERROR


def test_our_own_fault_comes_before_everybody_elses() -> None:
    failures = {0: Failure(End.NO_START, "late"), 1: Failure(End.SERVER_ERROR, "we broke")}
    assert absent(failures, {0: "a", 1: "b"}, 2) == PairingOutcome(
        End.SERVER_ERROR, detail="we broke"
    )


@pytest.mark.parametrize("end", sorted(End))
def test_every_outcome_can_be_kept_as_a_result(end: End) -> None:
    kept = as_result(PairingOutcome(end, 1, (0,), "why"), 5)
    assert (kept.winner, kept.culprit, kept.detail, kept.at) == (1, 0, "why", 5)
    assert as_result(PairingOutcome(end), 5).culprit is None


@pytest.mark.parametrize("end", sorted(set(End) - {End.NO_START}))
def test_a_result_leads_back_to_its_outcome(end: End) -> None:
    blameless = end in (End.WIN, End.DRAW, End.SERVER_ERROR)
    outcome = (
        PairingOutcome(end, 1 if end is End.WIN else None)
        if blameless
        else blamed(end, (0,), 2, "")
    )
    assert judged(as_result(outcome, 5), None, 2) == outcome
