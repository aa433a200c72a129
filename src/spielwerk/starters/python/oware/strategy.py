"""Where you come in. (MIT licence)"""

from __future__ import annotations

import copy
import random

from oware import Game

AUTHOR = "Your Name"
STRATEGIES = ("Greedy", "Random")  # strategy 0 and strategy 1


def choose(game: Game, strategy: int, depth: int) -> int:
    """One of the legal moves; `depth` is how many moves the client wants you to look ahead.

    Try: look ahead with minimax to the depth that is asked for, then with alpha-beta, and count
    more than the stones that were taken.
    """
    if strategy == 1:
        return random.choice(game.moves())
    return max(game.moves(), key=lambda house: gain(game, house))


def gain(game: Game, house: int) -> int:
    """How many stones a move takes."""
    after = copy.deepcopy(game)
    after.play(house)
    return after.board[game.player] - game.board[game.player]
