"""Where you come in. (MIT licence)"""

from __future__ import annotations

import random

from board import Board


def choose(board: Board, me: str) -> int:
    """The field of the next stone, one of `board.moves()`; `me` is INITIATOR or OPPONENT.

    Try: win at once where that is possible, then block the other player, then look ahead. You have
    ten seconds.
    """
    return random.choice(board.moves())
