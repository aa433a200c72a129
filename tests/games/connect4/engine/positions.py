"""Positions for the tests of both engines."""

from __future__ import annotations

import random
from collections.abc import Iterator

from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState


def random_game(game: ConnectFour, chance: random.Random) -> Iterator[ConnectFourState]:
    """The positions of a random game in which a player has to move."""
    state = game.start()
    while not state.outcome:
        yield state
        state = state.play(chance.choice(state.legal_moves()))


def undecided(game: ConnectFour, stones: int, chance: random.Random) -> ConnectFourState:
    """A position after so many random moves that is not over."""
    while True:
        for state in random_game(game, chance):
            if game.size - state.board.count(".") == stones:
                return state


def samples(stones: range, count: int, seed: int) -> list[ConnectFourState]:
    """Positions of the board of 7 x 6 with so many stones."""
    chance = random.Random(seed)
    return [
        undecided(ConnectFour(begins=chance.randrange(2)), chance.choice(stones), chance)
        for _ in range(count)
    ]
