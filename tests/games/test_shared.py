"""One suite that every game must pass."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.errors import IllegalMove, NotationError
from spielwerk.games import NOBODY, Game, State
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Placement, QuartoState
from spielwerk.games.record import Record
from tests import naive
from tests.games.variants import VARIANTS, name_of, random_game, starts, states

every_game = pytest.mark.parametrize("game", VARIANTS, ids=name_of)

LONGEST = 4000
"""No random game here takes more decisions; a game that never ends is a fault."""


def texts_of_moves(game: Game[Any]) -> st.SearchStrategy[str]:
    """Texts that look like moves of the game, legal or not."""
    grammar = {
        "quarto": r"[A-P][1-9][0-9]?(,[0-9]{1,3})?|[0-9]{1,3}",
        "morris": r"([ABC][0-7]:)?[ABC][0-7]",
        "dice": r"ROLL|SAVE|[0-7] [0-7]",
        "oware": r"[0-6]",
        "connect4": r"[0-9]{1,3}",
    }[game.name]
    return st.from_regex(re.compile(grammar, re.ASCII), fullmatch=True)


@every_game
@pytest.mark.parametrize("seed", range(6))
def test_random_games_agree_with_the_naive_referee(game: Game[Any], seed: int) -> None:
    """Whose decision it is, what is legal and who wins, at every step of a game."""
    played = random_game(game, seed)
    options = dict(assignment.split("=") for assignment in game.assignments())
    arguments: dict[str, int | str] = {name: int(value) for name, value in options.items()}
    if game.name == "oware":
        arguments["board"] = str(played[0])
    referee = naive.make(game.name, **arguments)
    for state, following in zip(played, [*played[1:], None], strict=True):
        legal = [game.format_move(move) for move in state.legal_moves()]
        assert len(set(legal)) == len(legal)
        assert set(legal) == referee.legal()
        assert state.turn == (NOBODY if referee.turn is None else referee.turn)
        assert (state.outcome is not None) == referee.over
        assert (state.outcome.winner if state.outcome else None) == referee.winner
        if following:
            move = next(m for m in state.legal_moves() if state.play(m) == following)
            referee.play(game.format_move(move))


@every_game
@given(data=st.data())
@settings(max_examples=40)
def test_a_position_and_its_text_are_the_same(game: Game[Any], data: st.DataObject) -> None:
    state = data.draw(states(game))
    again = game.parse_state(str(state))
    assert again == state
    assert hash(again) == hash(state)
    assert str(again) == str(state)
    assert again.outcome == state.outcome
    assert list(again.legal_moves()) == list(state.legal_moves())


@every_game
@given(data=st.data())
@settings(max_examples=25)
def test_a_legal_move_never_raises_and_is_read_back(game: Game[Any], data: st.DataObject) -> None:
    state = data.draw(states(game))
    before = str(state)
    for move in state.legal_moves():
        assert game.parse_move(game.format_move(move)) == move
        following = state.play(move)
        assert following.game is game
        assert following != state
    assert str(state) == before


@every_game
@given(data=st.data())
@settings(max_examples=60)
def test_an_illegal_move_always_raises_and_changes_nothing(
    game: Game[Any], data: st.DataObject
) -> None:
    state = data.draw(states(game))
    text = data.draw(texts_of_moves(game))
    try:
        move = game.parse_move(text)
    except NotationError:
        return
    if move in state.legal_moves() or wins_without_a_stone(state, move):
        return
    before = str(state)
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    assert str(state) == before
    assert caught.value.move == game.format_move(move)
    assert caught.value.state == before
    assert caught.value.rule[0].isupper()
    assert str(caught.value) == f"{caught.value.move}: {caught.value.rule}"


def wins_without_a_stone(state: State[Any], move: object) -> bool:
    """The one move that is accepted though not listed: see test_quarto."""
    if not isinstance(state, QuartoState) or state.outcome or not isinstance(move, Placement):
        return False
    listed = [m for m in state.legal_moves() if m[0] == move.square]
    return move.stone is None and bool(listed) and state.play(listed[0]).outcome is not None


@every_game
@given(text=st.text(max_size=40))
@settings(max_examples=60)
def test_any_text_is_a_move_or_refused_with_a_quote(game: Game[Any], text: str) -> None:
    try:
        assert all(game.format_move(move) for move in game.parse_turn(text))
    except NotationError as error:
        assert error.text == text
        assert repr(text) in str(error)


@every_game
@given(data=st.data())
@settings(max_examples=80)
def test_any_text_is_a_position_or_refused_with_a_quote(
    game: Game[Any], data: st.DataObject
) -> None:
    """Any text at all, and real positions with a few characters changed."""
    text = data.draw(st.one_of(st.text(max_size=60), garbled(game)))
    try:
        state = game.parse_state(text)
    except NotationError as error:
        assert error.text == text
        assert repr(text)[1:100] in str(error)
        return
    assert game.parse_state(str(state)) == state
    moves = state.legal_moves()
    assert bool(moves) == (state.outcome is None)
    for move in moves:
        assert state.play(move) != state


@st.composite
def garbled(draw: st.DrawFn, game: Game[Any]) -> str:
    """A position of which a stretch is replaced by other characters that occur in it."""
    text = str(draw(states(game)))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 3)))
    return text[:start] + draw(st.text(alphabet=f"{text}٣²-+_", max_size=3)) + text[end:]


@every_game
def test_states_and_games_cannot_be_changed(game: Game[Any]) -> None:
    state = game.start()
    with pytest.raises(FrozenInstanceError):
        state.outcome = None  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        game.anything = 1  # type: ignore[attr-defined]


@every_game
@pytest.mark.parametrize("seed", range(3))
def test_a_record_and_its_text_are_the_same(game: Game[Any], seed: int) -> None:
    rng = Random(seed)
    record = Record((starts(game)[seed % len(starts(game))],))
    while record.state.turn != NOBODY:
        record = record.play(random_move(record.state, rng))
        assert len(record.moves) <= LONGEST
    assert Record.from_text(record.to_text()) == record
