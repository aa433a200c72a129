"""Positions for the tests: out of random games, and boards of the moving phase thrown at random."""

from __future__ import annotations

import random
from collections.abc import Iterator

from spielwerk.games.morris.rules import Morris, MorrisState

GAME = Morris()


def random_games(games: int, seed: int) -> Iterator[MorrisState]:
    """Every state of that many games of random decisions, the last ones included."""
    rng = random.Random(seed)
    for _ in range(games):
        state = GAME.start()
        yield state
        while not state.outcome:
            state = state.play(rng.choice(state.legal_moves()))
            yield state


def thrown(rng: random.Random, mover: int, opponent: int, quiet: int) -> MorrisState:
    """A board with that many stones, all placed; it may be that nothing can move."""
    fields = rng.sample(range(24), mover + opponent)
    player = rng.randrange(2)
    board = ["."] * 24
    for number, field in enumerate(fields):
        board[field] = str(player if number < mover else 1 - player)
    squares = "/".join("".join(board[start : start + 8]) for start in (0, 8, 16))
    text = f"{squares} hand 0 0 player {player} capture 0 quiet {quiet}"
    return GAME.parse_state(text)


def after_turns(state: MorrisState) -> Iterator[MorrisState]:
    """The states after every whole turn, as the rules play it."""
    for move in state.legal_moves():
        now = state.play(move)
        if now.capture and not now.outcome:
            yield from after_turns(now)
        else:
            yield now
