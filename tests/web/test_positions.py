"""What pages get of positions: plain JSON that agrees with the rules in every detail."""

from __future__ import annotations

import asyncio
import json
import random
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielwerk.games import CHANCE, NOBODY, State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.analysis import reading
from spielwerk.games.dice.rules import Choice, Dice, Throw
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.oware.view import steps
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.store.records import GameRecord, MoveRecord
from spielwerk.tables.parts import History
from spielwerk.web.views import ahead, plies, ply, view

SOME = [
    Quarto(),
    Quarto(n=3),
    Morris(),
    Oware(),
    ConnectFour(),
    ConnectFour(4, 4, 4),
    Dice(rounds=20),
]
seeds = st.integers(0, 2**32)


def reached(game: Any, seed: int) -> tuple[State[Any], Any]:
    """Somewhere in a random game, and the move that led there."""
    rng = random.Random(seed)
    state, last = game.start(), None
    for _ in range(rng.randrange(80)):
        if state.outcome:
            break
        last = random_move(state, rng)
        state = state.play(last)
    return state, last


def playable(state: State[Any]) -> set[str]:
    """Every turn that the rules accept, written as people send it."""
    turns = set()
    for move in state.legal_moves():
        text, after = state.game.format_move(move), state.play(move)
        rest = playable(after) if after.turn == state.turn else {""}
        turns |= {f"{text};{more}" if more else text for more in rest}
    return turns


@pytest.mark.parametrize("game", SOME, ids=str)
@settings(max_examples=25, deadline=None)
@given(seed=seeds)
def test_a_view_is_plain_json_and_lists_what_can_be_played(game: Any, seed: int) -> None:
    state, last = reached(game, seed)
    shown = view(state, last)
    legal = set(shown["legal"])
    if game.name == "quarto" and legal:
        supply = shown["board"]["supply"]
        legal = {f"{square},{stone}" for square in legal for stone in supply} or legal
    assert legal == (playable(state) if state.turn >= 0 else set())
    assert len(shown["legal"]) == len(set(shown["legal"]))
    for text in list(legal)[:20]:
        state.play_turn(game.parse_turn(text))
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown
    assert shown["turn"] == state.turn
    assert (shown["outcome"] is None) == (state.turn != NOBODY)
    if state.outcome:
        assert shown["outcome"]["winner"] == state.outcome.winner
        assert shown["outcome"]["reason"] == state.outcome.reason


# Quarto


def test_what_may_be_played_next_is_legal_after_some_move() -> None:
    """And nothing is missing that is legal after every move."""
    state = Morris().start().play_turn(Morris().parse_turn("A0"))
    assert {"A1", "B0"} < {*ahead(state)}
    assert "A0" not in ahead(state)  # taken whatever happens
    assert ahead(Quarto(begins=0).start()) == []  # chance comes first
    large = Quarto(n=6, begins=0, first=0).start()
    assert {*ahead(large)} == {*view(large)["legal"]}  # any square but the one that is taken


def test_quarto_shows_the_stone_in_hand_and_the_supply() -> None:
    board = view(Quarto(first=7).start())["board"]
    assert board["stone"] == 7
    assert board["supply"] == [stone for stone in range(16) if stone != 7]
    assert (board["n"], board["attributes"], board["cells"]) == (4, 4, [None] * 16)
    assert view(Quarto(n=5).start())["board"]["attributes"] == 5


def test_quarto_before_the_draw_has_nothing_to_click() -> None:
    shown = view(Quarto().start())
    assert shown["turn"] == CHANCE
    assert shown["legal"] == []
    assert shown["board"]["stone"] is None


def test_quarto_shows_all_lines_that_win() -> None:
    state = Quarto().parse_state("* * * * / * * * * / * * * * / 0 1 2 3 next -")
    assert view(state)["board"]["lines"] == [[0, 1, 2, 3]]


# Morris


def test_morris_turns_are_whole() -> None:
    game = Morris()
    state = game.parse_state("00..1.1./......../........ hand 7 7 player 0 capture 0 quiet 0")
    shown = view(state)
    assert {"A2;A4", "A2;A6"} <= set(shown["legal"])
    assert "A2" not in shown["legal"]
    assert "A3" in shown["legal"]


def test_morris_shows_the_mill_that_was_just_closed_and_what_is_due() -> None:
    game = Morris()
    state = game.parse_state("00..1.1./......../........ hand 7 7 player 0 capture 0 quiet 0")
    move = game.parse_move("A2")
    closed = view(state.play(move), move)
    assert closed["board"]["mills"] == [[0, 1, 2]]
    assert closed["board"]["capture"] == 1
    assert closed["legal"] == ["A4", "A6"]
    capture = game.parse_move("A4")
    after = view(state.play(move).play(capture), capture)
    assert after["board"]["mills"] == []
    assert after["board"]["lost"] == [0, 1]


# Oware


def test_oware_shows_rows_and_stores() -> None:
    board = view(Oware().parse_state("3 2 1 2 3 4 5 6 5 4 3 2 1 7"))["board"]
    assert board == {"houses": [[1, 2, 3, 4, 5, 6], [5, 4, 3, 2, 1, 7]], "stores": [3, 2]}


def test_oware_tells_a_move_step_by_step() -> None:
    start = Oware().start()
    assert steps(start, 5) == [
        ["choose", 0, 5],
        ["take", 0, 5],
        *(["sow", 1, house] for house in range(4)),
    ]
    state = Oware().parse_state("0 0 0 0 0 0 0 1 1 1 1 1 1 42")
    assert steps(state, 5) == [["choose", 0, 5], ["take", 0, 5], ["sow", 1, 0], ["collect", 1, 0]]


# Connect Four


@settings(max_examples=60, deadline=None)
@given(seed=seeds)
def test_winning_lines_are_the_winners_and_found_without_the_last_move_too(seed: int) -> None:
    rng, game = random.Random(seed), ConnectFour(5, 4, 3)
    state, last = game.start(), None
    while not state.outcome:
        last = random_move(state, rng)
        state = state.play(last)
    lines = view(state, last)["board"]["lines"]
    winner = state.outcome.winner
    assert bool(lines) == (winner is not None)
    for line in lines:
        assert len(line) >= 4
        assert last in line
        assert {state.board[field] for field in line} == {"12"[winner or 0]}
    assert lines == view(state)["board"]["lines"]


def test_five_in_a_row_are_one_line() -> None:
    state = ConnectFour().parse_state("......./......./......./2....../22.22../11.111.")
    won = state.play(2)
    assert view(won, 2)["board"]["lines"] == [[0, 1, 2, 3, 4, 5]]


# dice


def test_dice_show_the_last_throw_and_whether_it_was_a_double() -> None:
    state = Dice().start().play(Choice.ROLL)
    plain = view(state.play(Throw(4, 5)), Throw(4, 5))["board"]
    assert (plain["dice"], plain["double"], plain["points"]) == ([4, 5], False, 9)
    double = view(state.play(Throw(4, 4)), Throw(4, 4))["board"]
    assert (double["dice"], double["double"], double["player"]) == ([4, 4], True, 1)
    assert view(state, Choice.ROLL)["board"]["dice"] is None


def test_chances_are_those_of_the_solved_race() -> None:
    reading(Dice()).result()
    shown = view(Dice().start())["board"]["chances"]
    assert shown == pytest.approx([0.36837, 0.33163, 0.3], abs=1e-4)
    assert sum(shown) == pytest.approx(1)
    later = view(Dice(begins=1).start())["board"]["chances"]
    assert later == pytest.approx([0.3, 0.36837, 0.33163], abs=1e-4)


def test_chances_do_not_hold_up_the_event_loop() -> None:
    async def there() -> float:
        began = perf_counter()
        view(Dice(target=9999).start())
        view(Dice(target=120).start())
        return perf_counter() - began

    assert asyncio.run(there()) < 0.5


def test_chances_are_not_given_where_they_would_not_be_exact() -> None:
    assert view(Dice(rounds=30).start())["board"]["chances"] is None
    assert view(Dice(target=9999).start())["board"]["chances"] is None


def test_a_won_race_has_one_chance_left() -> None:
    state = Dice(target=10).parse_state("saved 0 12 5 points 0 turns 1 choose")
    assert view(state)["board"]["chances"] == [0.0, 1.0, 0.0]


# plies


def record(game: Any, moves: list[str]) -> GameRecord:
    state, kept = game.start(), []
    for number, text in enumerate(moves):
        kept.append(MoveRecord(number, state.turn, text, 1000 + number, number))
        state = state.play(game.parse_move(text))
    options = tuple(game.assignments())
    return GameRecord("abc", game.name, options, "name", (), 3000, False, 1, tuple(kept))


def states(record: GameRecord) -> list[State[Any]]:
    return list(History.of(record).record().states)


def test_plies_carry_what_was_kept_and_the_last_ones_their_views() -> None:
    game = record(Oware(), ["5", "0", "3", "2"])
    all_states = states(game)
    told = plies(game.moves, all_states, viewed=2)
    assert [one["n"] for one in told] == [0, 1, 2, 3]
    assert ["view" in one for one in told] == [False, False, True, True]
    assert told[3]["view"] == view(all_states[4], 2)
    assert told[1]["steps"][0] == ["choose", 1, 0]
    assert {key: told[1][key] for key in ("seat", "move", "at", "took")} == {
        "seat": 1,
        "move": "0",
        "at": 1001,
        "took": 1,
    }


def test_a_ply_without_the_state_after_it_has_no_view() -> None:
    game = record(ConnectFour(), ["3"])
    told = ply(game.moves[0], states(game)[0])
    assert "view" not in told
    assert "steps" not in told
