"""Moves are judged as the server judges them, whatever a client sends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.check.mnm.judging import prepared, wrong_move
from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games import NOBODY, State, find_kit
from spielwerk.games.playing import random_move
from spielwerk.messages import catalogue
from spielwerk.wire.mnm.words import game_kinds, reader_for

POSITIONS = [one for game in game_kinds() for one in prepared(game)]


def accepted(state: State[Any], text: str) -> bool:
    """Whether the server's table would play this."""
    try:
        state.play_turn(state.game.parse_turn(text))
    except (IllegalMove, NotationError):
        return False
    return True


@settings(deadline=None)
@given(
    st.sampled_from(POSITIONS),
    st.text(alphabet="ABCDabc0123459,;: \t\0\r-é", max_size=12) | st.text(max_size=20),
)
def test_what_the_server_refuses_is_wrong_and_nothing_else(one: Any, text: str) -> None:
    wrong = wrong_move(one.state, text, one.pitfalls)
    assert (wrong is None) == accepted(one.state, text)
    if wrong:
        assert 0 <= wrong.column <= len(text)


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.entry["name"])
def test_every_legal_move_of_a_position_is_right(one: Any) -> None:
    for move in one.state.legal_moves():
        assert wrong_move(one.state, one.state.game.format_move(move), one.pitfalls) is None


@pytest.mark.parametrize("one", POSITIONS, ids=lambda one: one.entry["name"])
def test_what_a_client_reads_is_the_position(one: Any) -> None:
    """But for what the lines do not tell."""
    reader = reader_for(game_kinds()[one.state.game.name], one.state.turn)
    assert reader is not None
    read = reader.asked(one.board.asked(one.state))
    assert read.legal_moves() == one.state.legal_moves()


@pytest.mark.parametrize("game", game_kinds())
def test_every_rule_that_can_be_broken_is_told_in_german_as_well(game: str) -> None:
    """Moves of other positions break all sorts of rules."""
    rng = Random(7)
    known = {texts.get("wire", texts["en"]) for texts in catalogue().values()}
    state = find_kit(game).game().start()
    moves = []
    while state.turn != NOBODY:
        moves.append(random_move(state, rng))
        state = state.play(moves[-1])
    rules = set()
    for one in prepared(game):
        for move in moves:
            wrong = wrong_move(one.state, one.state.game.format_move(move))
            if wrong and ":" in wrong.fault["kind"]:
                rules.add(wrong.fault["rule"])
                assert wrong.fault["rule"].de != wrong.fault["rule"]
    assert len(rules) >= 3
    assert rules <= known
