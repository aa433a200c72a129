"""Clients that err are found by the case for it; odd ones that are right are not blamed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from spielwerk.check.case import CaseFault
from spielwerk.games import State
from spielwerk.games.quarto.rules import QuartoState
from spielwerk.wire.mnm.words import DIALECTS, game_kinds
from tests.check.mnm import odd_players, wrong_players, wrong_talkers
from tests.check.mnm.honest import HonestClient, verdicts
from tests.check.mnm.odd_players import AlwaysTheFirst, CountsItsOwnMoves
from tests.check.mnm.wrong_players import (
    CapturesTooMuch,
    HandsOnNothing,
    LowerCase,
    QuartoClient,
    RowsFromTheTop,
    SeventeenStones,
    WholeTime,
)
from tests.check.mnm.wrong_talkers import Mute, Waits
from tests.check.planting import Lost, Planted, told


@pytest.mark.parametrize("planted", [*wrong_talkers.found, *wrong_players.found], ids=str)
def test_a_fault_is_found_by_its_case_and_named(planted: Planted) -> None:
    judged = verdicts(planted.faulty, [planted.case], **planted.options)
    planted.is_told(judged[planted.case])


@pytest.mark.parametrize("dialect", [*map(str, DIALECTS)])
@pytest.mark.parametrize("game", game_kinds())
def test_an_honest_client_passes(game: str, dialect: str) -> None:
    assert told(verdicts(HonestClient, game=game, dialect=dialect)) == []


ODD = [*((one, "quarto") for one in odd_players.harmless)]
ODD += [*((one, "morris") for one in odd_players.harmless_in_morris)]


@pytest.mark.parametrize(("client", "game"), ODD)
def test_what_is_only_odd_passes(client: type[HonestClient], game: str) -> None:
    assert told(verdicts(client, game=game)) == []


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


# how patient the checker is


class Impatient(HonestClient):
    async def line(self) -> str:
        try:
            async with asyncio.timeout(2):
                return await super().line()
        except TimeoutError:
            raise Lost from None


def test_how_long_a_client_waits_for_a_silent_server_is_only_advice() -> None:
    verdict = verdicts(Impatient, ["silence/id"])["silence/id"]
    assert verdict.advised
    assert verdict.faults[0].kind == "gave-up"


def test_a_client_that_never_answers_gets_less_time_after_a_while() -> None:
    often = ["wait/long", "wait/often", "silence/waiting", "close/waiting"]
    said = [verdict.faults[0].problem for verdict in verdicts(Mute, often).values()]
    assert said[:2] == ["OKWAIT had not come after 10 s"] * 2
    assert said[2:] == ["OKWAIT had not come after 3 s"] * 2


def test_a_client_that_sometimes_answers_gets_all_the_time() -> None:
    class Fitful(Waits):
        seconds = 4.0
        count = 0

        async def ok_wait(self) -> None:
            Fitful.count += 1
            if Fitful.count not in (2, 4):
                await super().ok_wait()

    judged = verdicts(Fitful, ["wait/long", "silence/waiting", "close/waiting"])
    assert [verdict.passed for verdict in judged.values()] == [False, False, True]


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
