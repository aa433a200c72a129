"""Game-IDs: the only key to a game, so they cannot be guessed.

Clients of the documents' years insist on 11 characters and later ones on 13, so the first 11 of an
ID are enough to find its game. Stores of older versions have games whose whole ID is that long.
"""

from __future__ import annotations

import secrets
import string
from typing import Final

LENGTH: Final = 13
SHORT: Final = 11

# Later servers' IDs had no capitals, and scripts of that time look for exactly that.
_SIGNS: Final = string.ascii_lowercase + string.digits


def new_id() -> str:
    """A fresh Game-ID."""
    return "".join(secrets.choice(_SIGNS) for _ in range(LENGTH))


def short(game_id: str) -> str:
    """The part of a Game-ID by which every client can name the game."""
    return game_id[:SHORT]


def shown(game_id: str) -> str:
    """The part of a Game-ID that may stand in a log: enough to find it, too little to use it."""
    return f"{game_id[:4]}..."
