"""From what a table says to what is told of a game in a contest."""

from __future__ import annotations

import pytest

from spielwerk.contests.playing.referee import absent, judged
from spielwerk.games.interface import Outcome
from spielwerk.store.records import ENDS, Ending, Reason

VOID = Outcome(None, "the last round has passed", void=True)
VIOLATION = Ending(Reason.PROTOCOL_ERROR, detail="said hello")
ABSENCE = Ending(Reason.NO_START, detail="late")
OURS = Ending(Reason.SERVER_ERROR, detail="we broke")


@pytest.mark.parametrize(
    ("reason", "winner", "by_rule", "expected"),
    [
        (Reason.WIN, 1, Outcome(1, "four in a line"), Ending(Reason.WIN, 1, "why")),
        (Reason.DRAW, None, Outcome(None, "the board is full"), Ending(Reason.DRAW, None, "why")),
        (Reason.ABORTED, None, VOID, Ending(Reason.DRAW, None, "why")),
        (Reason.ABORTED, None, None, Ending(Reason.SERVER_ERROR, None, "why")),
        (Reason.SERVER_ERROR, None, None, Ending(Reason.SERVER_ERROR, None, "why")),
    ],
)
def test_what_is_no_players_fault(
    reason: Reason, winner: int | None, by_rule: Outcome | None, expected: Ending
) -> None:
    assert judged(Ending(reason, winner, "why", 99), by_rule, 2) == expected


@pytest.mark.parametrize(
    "reason", sorted({*Reason} - {Reason.WIN, Reason.DRAW, Reason.SERVER_ERROR})
)
@pytest.mark.parametrize("culprit", [0, 1])
def test_of_two_players_the_other_one_wins(reason: Reason, culprit: int) -> None:
    told = judged(Ending(reason, None, "why", 99, (culprit,)), None, 2)
    left = reason in (Reason.ABORTED, Reason.RESIGNATION)
    expected = Reason.CONNECTION_LOST if left else reason
    assert told == Ending(expected, 1 - culprit, "why", culprits=(culprit,))
    assert told.reason in ENDS


def test_of_three_players_nobody_wins_a_spoilt_game() -> None:
    ending = Ending(Reason.STALLED, None, "why", culprits=(2,))
    assert judged(ending, None, 3) == ending


@pytest.mark.parametrize(
    ("failures", "expected"),
    [
        ({1: ABSENCE}, Ending(Reason.NO_START, 0, "late", culprits=(1,))),
        (
            {1: VIOLATION, 0: ABSENCE},  # none is blamed for what another one has done
            Ending(Reason.NO_START, None, "anna: late; bert: said hello", culprits=(0, 1)),
        ),
        (
            {0: VIOLATION, 1: VIOLATION},
            Ending(
                Reason.PROTOCOL_ERROR, None, "anna: said hello; bert: said hello", culprits=(0, 1)
            ),
        ),
        ({0: ABSENCE, 1: OURS}, OURS),  # our own fault comes before that of players
    ],
)
def test_who_has_not_come(failures: dict[int, Ending], expected: Ending) -> None:
    assert absent(failures, {0: "anna", 1: "bert"}, 2) == expected
