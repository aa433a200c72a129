"""Where you come in. (MIT licence)"""

from __future__ import annotations

import random
from typing import Any


def choose(position: Any, seconds: float) -> str:
    """One of the legal moves, found within so many seconds.

    `position.moves()` has all of them; quarto.py and morris.py say what else a position knows. Try:
    win at once where that is possible, hand on no stone with which the other player wins, look
    two moves ahead, ...
    """
    return random.choice(position.moves())
