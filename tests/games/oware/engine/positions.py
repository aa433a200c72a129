"""Positions to test with: of random games, with few stones and long memories, strange ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spielwerk.games.oware.rules import REPETITION, STONES, Oware, OwareState, format_board
from spielwerk.games.playing import random_states

STRANGE = (
    "0 0 48 0 0 0 0 0 0 0 0 0 0 0",
    "0 0 0 0 0 0 0 48 0 0 0 0 0 0",
    "0 0 0 0 0 0 0 0 0 0 0 0 0 48 player B",
    "1 2 12 0 0 23 0 0 0 0 10 0 0 0",
    "0 0 11 1 0 0 0 12 0 24 0 0 0 0",
    "0 0 11 1 0 0 0 12 0 24 0 0 0 0 player B",
    "24 18 0 0 0 0 0 0 1 1 1 1 1 1 player B",
    "24 20 0 0 0 0 0 2 0 0 1 1 0 0",
    "20 20 0 0 0 0 0 8 0 0 0 0 0 0",
    "20 20 0 0 0 8 0 0 0 0 0 0 0 0",
)


def few_stones(rng: Random, most: int = 10) -> OwareState:
    """A board with few stones left, and nobody has won yet; any player is to move."""
    left = rng.randint(2, most)
    taken = rng.randint(STONES - left - 24, 24)
    houses = [0] * 12
    for _ in range(left):
        houses[rng.randrange(12)] += 1
    board = " ".join(map(str, (taken, STONES - left - taken, *houses)))
    return Oware().parse_state(board + rng.choice(("", " player B")))


def game_states(rng: Random) -> Iterator[OwareState]:
    """All states of a random game: from the standard board, with few stones, or a strange one."""
    start = rng.choice((Oware().start(), few_stones(rng), Oware().parse_state(rng.choice(STRANGE))))
    for state in random_states(start, rng):
        assert isinstance(state, OwareState)
        yield state


def undecided(rng: Random, count: int) -> Iterator[OwareState]:
    """States in which a player has to move, at most three of one game, late ones with memories."""
    while count > 0:
        states = [state for state in game_states(rng) if not state.outcome]
        chosen = rng.sample(states[:-1], min(2, len(states[:-1]))) + states[-1:]
        yield from chosen[:count]
        count -= len(chosen)


def with_long_memory(rng: Random, count: int) -> Iterator[OwareState]:
    """States with few stones that soon repeat: the last ones of games that ended so."""
    while count > 0:
        *earlier, last = random_states(few_stones(rng, most=5), rng)
        if last.outcome and last.outcome.reason == REPETITION:
            state = earlier[-rng.randint(1, 5)]
            assert isinstance(state, OwareState)
            yield state
            count -= 1


def forgetful(state: OwareState) -> OwareState:
    """The same situation without any memory."""
    player = " player B" if state.player else ""
    return Oware().parse_state(format_board(state.board) + player)
