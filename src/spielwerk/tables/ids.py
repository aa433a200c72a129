"""Game-IDs: the only key to a game, so they cannot be guessed."""

from __future__ import annotations

import secrets
import string
from typing import Final

SHORT: Final = 11
LONG: Final = 13

# Later servers' IDs had no capitals, and scripts of that time look for exactly that.
_ALPHABETS: Final = {
    SHORT: string.ascii_letters + string.digits,
    LONG: string.ascii_lowercase + string.digits,
}


def new_id(length: int = SHORT) -> str:
    """A fresh Game-ID of 11 or 13 characters."""
    return "".join(secrets.choice(_ALPHABETS[length]) for _ in range(length))


def shown(game_id: str) -> str:
    """The part of a Game-ID that may stand in a log: enough to find it, too little to use it."""
    return f"{game_id[:4]}..."
