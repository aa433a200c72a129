"""Clients that play wrongly are found by the case for it; odd ones that play rightly are not."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from spielwerk.check.case import CaseFault
from spielwerk.games import State
from spielwerk.games.quarto.rules import QuartoState
from tests.check.mnm.honest import HonestClient, verdicts, wrong
from tests.check.mnm.odd_players import (
    AlwaysTheFirst,
    AnySeat,
    BothAtOnce,
    ByteByByte,
    CarriageReturn,
    CountsItsOwnMoves,
    LeavesAtGameOver,
    ListsStonesItself,
    StaysToTheLastByte,
    TrailingBlank,
    TwoBlanks,
    WholeTurns,
    WinsWithoutHandingOn,
)
from tests.check.mnm.wrong_players import (
    BlankInside,
    CannotFly,
    CapturesItsOwn,
    CapturesTooMuch,
    ColumnsFromTheRight,
    CornersAreJoined,
    FliesWhilePlacing,
    FliesWithFour,
    ForgetsToCapture,
    GivesUpWhenLost,
    HandsOnAfterTheLast,
    HandsOnItsOwn,
    HandsOnNothing,
    HandsOnTwice,
    LeadingZero,
    LowerCase,
    MovesTooEarly,
    NeverEnds,
    NoComma,
    OldField,
    OneMoveOnly,
    PlacesForEver,
    QuartoClient,
    RowForColumn,
    RowsFromTheTop,
    RowsFromZero,
    SecondsForMilliseconds,
    SeventeenStones,
    SilentThinker,
    Slow,
    SparesMills,
    SquareAsNumber,
    TargetFirst,
    ThinksBeforeItSaysSo,
    ThinksItIsWhite,
    TimeReadOnce,
    WaitsForAWinner,
    WholeBuffer,
    WholeTime,
    ZeroIsFree,
)

PLAYING = ("time", "position", "game", "end")


class Planted(NamedTuple):
    """A client with one fault, and what is said of it."""

    client: type[HonestClient]
    game: str
    case: str
    kind: str
    problem: str
    hint: str = ""


FAULTS = [
    Planted(
        RowsFromTheTop, "quarto", "square-names", "illegal-move", "already occupied", "the top"
    ),
    Planted(ColumnsFromTheRight, "quarto", "square-names", "illegal-move", "occupied", "the right"),
    Planted(RowForColumn, "quarto", "square-names", "illegal-move", "occupied", "exchanged"),
    Planted(RowsFromZero, "quarto", "square-names", "illegal-move", "occupied", "begin with 1"),
    Planted(
        ZeroIsFree, "quarto", "stone-zero-placed", "illegal-move", "occupied", "0 is taken for"
    ),
    Planted(HandsOnItsOwn, "quarto", "one-stone-left", "illegal-move", "being placed", "in hand"),
    Planted(HandsOnTwice, "quarto", "game/first-seat", "illegal-move", "is already on the board"),
    Planted(HandsOnNothing, "quarto", "first-stone", "illegal-move", "must be handed"),
    Planted(HandsOnAfterTheLast, "quarto", "last-stone", "illegal-move", "No stone is left"),
    Planted(SeventeenStones, "quarto", "first-stone", "illegal-move", "There is no such stone"),
    Planted(GivesUpWhenLost, "quarto", "every-stone-loses", "closed-early", "where PLAY was due"),
    Planted(LowerCase, "quarto", "first-stone", "no-move", "is no Quarto move", "are capitals"),
    Planted(BlankInside, "quarto", "first-stone", "no-move", "is no Quarto move", "no blanks"),
    Planted(LeadingZero, "quarto", "first-stone", "no-move", "is no Quarto move", "leading zero"),
    Planted(WholeBuffer, "quarto", "first-stone", "no-move", "is no Quarto move", "of a buffer"),
    Planted(NoComma, "quarto", "first-stone", "no-move", "is no Quarto move"),
    Planted(SquareAsNumber, "quarto", "first-stone", "no-move", "does not look like A1,0"),
    Planted(OldField, "quarto", "game/first-seat", "illegal-move", "already occupied"),
    Planted(FliesWithFour, "morris", "four-slide", "illegal-move", "is not next to the field"),
    Planted(FliesWhilePlacing, "morris", "three-placed", "illegal-move", "must be placed before"),
    Planted(
        MovesTooEarly, "morris", "last-stone-to-place", "illegal-move", "must be placed before"
    ),
    Planted(CannotFly, "morris", "fly", "closed-early", "where PLAY was due"),
    Planted(PlacesForEver, "morris", "game/first-seat", "illegal-move", "one must be moved"),
    Planted(CapturesItsOwn, "morris", "one-capture", "illegal-move", "no stone of the opponent"),
    Planted(ForgetsToCapture, "morris", "two-captures", "illegal-move", "captured first"),
    Planted(SparesMills, "morris", "all-in-mills", "closed-early", "where PLAY was due"),
    Planted(CapturesTooMuch, "morris", "one-capture", "illegal-move", "left over"),
    Planted(TargetFirst, "morris", "only-move", "illegal-move", "occupied", "are exchanged"),
    Planted(CornersAreJoined, "morris", "only-spoke", "illegal-move", "not next to", "are corners"),
    Planted(ThinksItIsWhite, "morris", "black-slides", "illegal-move", "no stone of yours"),
    Planted(SilentThinker, "quarto", "time/three-seconds", "wrong-line", "expected you to THINK"),
    Planted(Slow, "quarto", "time/half-second", "late", "PLAY came after 2.0"),
    Planted(TimeReadOnce, "morris", "time/changes", "late", "the limit is 0.5 s"),
    Planted(SecondsForMilliseconds, "quarto", "time/three-seconds", "silent", "PLAY had not come"),
    Planted(
        ThinksBeforeItSaysSo, "morris", "time/three-seconds", "late", "THINKING came after 1.5"
    ),
    Planted(OneMoveOnly, "morris", "game/first-seat", "closed-early", "where OKWAIT was due"),
    Planted(NeverEnds, "quarto", "end/lost", "did-not-end", "the end of the game"),
    Planted(WaitsForAWinner, "quarto", "end/draw", "did-not-end", "the end of the game"),
]


@pytest.mark.parametrize("planted", FAULTS, ids=lambda one: one.client.__name__)
def test_a_fault_is_found_by_its_case_and_named(planted: Planted) -> None:
    fault = only_fault(planted.client, planted.game, planted.case)
    assert fault.kind.partition(":")[0] == planted.kind
    assert planted.problem in fault.problem
    assert planted.hint in fault.hint
    assert bool(fault.hint) == bool(planted.hint)


def only_fault(client: type[HonestClient], game: str, case: str) -> CaseFault:
    name = case if "/" in case else f"position/{case}"
    (verdict,) = verdicts(client, [name], game).values()
    assert not verdict.passed
    (fault,) = verdict.faults
    return fault


def test_wrong_moves_are_told_where_a_case_is_about_moves_and_nowhere_else() -> None:
    judged = verdicts(LowerCase, ["time", "end", "wait", "game/first-seat"])
    assert [name for name, verdict in judged.items() if verdict.faults] == ["game/first-seat"]
    events = [entry.data.decode() for entry in judged["time/half-second"].transcript]
    assert any("which other cases are about" in event for event in events)


# odd, but right


ODDITIES = [
    *((TrailingBlank, "quarto"), (CarriageReturn, "morris"), (TwoBlanks, "quarto")),
    *((ByteByByte, "quarto"), (BothAtOnce, "quarto"), (LeavesAtGameOver, "morris")),
    *((StaysToTheLastByte, "quarto"), (AnySeat, "morris"), (AlwaysTheFirst, "morris")),
    *((WinsWithoutHandingOn, "quarto"), (WholeTurns, "morris"), (WholeTime, "quarto")),
    *((CountsItsOwnMoves, "morris"), (ListsStonesItself, "quarto")),
]


@pytest.mark.parametrize(("client", "game"), ODDITIES)
def test_what_is_only_odd_passes(client: type[HonestClient], game: str) -> None:
    assert wrong(verdicts(client, PLAYING, game)) == []


# what is advised


def test_the_whole_time_for_the_only_move_is_a_waste() -> None:
    (verdict,) = verdicts(WholeTime, ["time/thirty-seconds"]).values()
    assert verdict.advised
    assert [fault.kind for fault in verdict.faults] == ["wasted"]
    assert "after 28." in verdict.faults[0].problem


def test_a_win_that_was_there_is_pointed_out() -> None:
    class Blind(QuartoClient):
        def square(self, state: QuartoState, free: list[int]) -> int:  # noqa: ARG002
            return free[-1]

    (verdict,) = verdicts(Blind, ["position/winning-stone"]).values()
    assert verdict.advised
    assert "A3" in verdict.faults[0].problem


def test_other_sizes_of_the_field_are_only_suggested() -> None:
    class FourByFour(HonestClient):
        def chosen(self, state: State[Any]) -> str:
            assert isinstance(state, QuartoState)
            return super().chosen(state) if len(state.board) == 16 else "E4,3"

    (verdict,) = verdicts(FourByFour, ["position/smaller-field"]).values()
    assert verdict.advised


def test_a_client_with_a_seat_of_its_own_hears_which_cases_it_misses() -> None:
    (verdict,) = verdicts(AlwaysTheFirst, ["position/black-places"], "morris").values()
    assert [fault.kind for fault in verdict.faults] == ["not-shown"]


def test_a_client_that_counts_by_itself_is_told_and_not_blamed() -> None:
    (verdict,) = verdicts(CountsItsOwnMoves, ["position/slide"], "morris").values()
    assert verdict.advised
    assert "counts its own moves" in verdict.faults[0].hint


# what is shown of a wrong move


def test_the_first_wrong_byte_is_marked_and_legal_moves_are_named() -> None:
    (verdict,) = verdicts(SeventeenStones, ["position/one-stone-left"]).values()
    (fault,) = verdict.faults
    assert fault.entry is not None
    assert fault.position is not None
    said = verdict.transcript[fault.entry].data
    assert said.startswith(b"PLAY ")
    assert said[: fault.position] in (b"PLAY A4,1", b"PLAY C3,1")
    (expected,) = fault.expected
    assert isinstance(expected, str)
    assert "C3,13" in expected
    assert "A4,13" in expected


def test_the_only_legal_move_is_expected_as_its_line() -> None:
    fault = only_fault(RowsFromTheTop, "quarto", "square-names")
    assert fault.expected == (b"PLAY D2\n",)
    assert fault.position == len("PLAY D")


def test_a_missing_stone_is_marked_where_the_line_ends() -> None:
    fault = only_fault(HandsOnNothing, "quarto", "first-stone")
    assert fault.position == len("PLAY B4")


def test_the_second_decision_of_a_chain_is_marked() -> None:
    fault = only_fault(CapturesTooMuch, "morris", "one-capture")
    assert fault.position == len("PLAY B2;")
    assert fault.expected == (b"PLAY B2\n",)
