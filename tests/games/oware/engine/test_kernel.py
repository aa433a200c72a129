import random

import pytest

from spielwerk.games import playing
from spielwerk.games.oware.engine import OwareEngine
from spielwerk.games.oware.engine.kernel import (
    WIN,
    after,
    final_score,
    is_legal,
    is_over,
    pack,
    path_of,
)
from spielwerk.games.oware.rules import Oware, OwareState

from .positions import STRANGE, forgetful, game_states, with_long_memory

kernel_perft = OwareEngine(table_bits=0).perft


def check_end(state: OwareState) -> None:
    path = path_of(state, 0)
    assert is_over(path, 0, len(state.seen)) == (state.outcome is not None), state
    if state.outcome:
        score = {None: 0, state.player: WIN, 1 - state.player: -WIN}[state.outcome.winner]
        assert final_score(*path[-1]) == score, state


def check_moves(state: OwareState) -> None:
    mine, theirs = pack(state.board, state.player)
    houses = [house for house in range(6) if is_legal(mine, theirs, house)]
    assert tuple(houses) == state.houses, state
    for house in state.legal_moves():
        after_move = state.play(house)
        *rows, gain = after(mine, theirs, house)
        assert tuple(rows) == pack(after_move.board, after_move.player), (str(state), house)
        assert gain == after_move.board[state.player] - state.board[state.player]


def test_kernel_plays_as_the_rules_do() -> None:
    rng = random.Random(1)
    endings = set()
    for _ in range(150):
        for state in game_states(rng):
            check_moves(state)
            check_end(state)
            endings.add(state.outcome and state.outcome.reason)
    assert len(endings) == 4, "every way to end must have been met, and going on"


@pytest.mark.parametrize("text", STRANGE)
def test_strange_boards(text: str) -> None:
    state = Oware().parse_state(text)
    check_moves(state)
    check_end(state)
    assert kernel_perft(state, 5) == playing.perft(state, 5)


def test_perft_ends_lines_that_repeat() -> None:
    rng = random.Random(2)
    for state in with_long_memory(rng, 60):
        assert kernel_perft(state, 6) == playing.perft(state, 6), state


def test_perft_depends_on_what_the_state_remembers() -> None:
    rng = random.Random(3)
    different = 0
    for state in with_long_memory(rng, 60):
        different += kernel_perft(state, 6) != kernel_perft(forgetful(state), 6)
    assert different > 5
