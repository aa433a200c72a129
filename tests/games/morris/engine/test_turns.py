"""The kernel's turns against the rules, and the counts of decision sequences."""

from __future__ import annotations

import random
from collections import Counter

from spielwerk.games.morris.engine import MorrisEngine
from spielwerk.games.morris.engine.board import MorrisPosition, decisions_of
from spielwerk.games.morris.rules import MorrisState
from spielwerk.games.playing import perft

from .positions import GAME, after_turns, random_games, thrown

ENGINE = MorrisEngine(table_bits=10)


def as_position(state: MorrisState) -> tuple[int, ...]:
    """The position for the player to move, also where the game is over."""
    me, other = state.player, 1 - state.player
    stones = [sum(1 << f for f, s in enumerate(state.board) if s == own) for own in "01"]
    return stones[me], stones[other], state.hand[me], state.hand[other], state.quiet


def check_turns(state: MorrisState) -> None:
    position = MorrisPosition.of(state)
    turns = position.turns()
    assert len(turns) == len(set(turns))
    by_rules = {as_position(after) for after in after_turns(state)}
    by_kernel = {tuple(position.after(turn))[:5] for turn in turns}
    assert by_kernel == by_rules
    assert {decisions_of(turn)[0] for turn in turns} <= set(state.legal_moves())
    if not state.capture:
        assert {decisions_of(turn)[0] for turn in turns} == set(state.legal_moves())


def test_turns_agree_with_the_rules_in_random_games() -> None:
    kinds: Counter[int] = Counter()
    for state in random_games(30, seed=1):
        if not state.outcome:
            check_turns(state)
            kinds[state.capture] += 1
    assert kinds[0] > 1000
    assert kinds[1] > 100


def test_turns_agree_with_the_rules_on_crowded_and_empty_boards() -> None:
    rng = random.Random(2)
    for _ in range(1500):
        state = thrown(rng, rng.randrange(3, 10), rng.randrange(3, 10), rng.randrange(50))
        if not state.outcome:
            check_turns(state)


TWO_MILLS = "{}00...00/11.1..../........ hand {} 3 player 0 capture {} quiet 0"


def test_two_mills_at_once_take_two() -> None:
    state = GAME.parse_state(TWO_MILLS.format(".", 3, 0))
    assert max(len(decisions_of(turn)) for turn in MorrisPosition.of(state).turns()) == 3
    check_turns(state)


def test_the_seventh_capture_ends_a_turn_of_two() -> None:
    state = GAME.parse_state(".00...00/.11...../........ hand 1 1 player 0 capture 0 quiet 0")
    assert state.lost(1) == 6
    assert max(len(decisions_of(turn)) for turn in MorrisPosition.of(state).turns()) == 2
    check_turns(state)


def test_perft_counts_both_orders_of_two_captures() -> None:
    for state in (TWO_MILLS.format(".", 3, 0), TWO_MILLS.format("0", 2, 2)):
        for depth in (1, 2, 3, 4):
            parsed = GAME.parse_state(state)
            assert ENGINE.perft(parsed, depth) == perft(parsed, depth)
