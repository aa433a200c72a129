"""Text that every database can keep."""

from __future__ import annotations

import re
from typing import Final

# PostgreSQL's text holds neither, and no peer may keep a game from being written down.
UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with U+FFFD for every NUL and every lone surrogate."""
    return UNSTORABLE.sub("\ufffd", text)
