"""Small helpers to read what people and programs write."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def number(text: str) -> int | None:
    """The natural number that the text is, or None.

    Stricter than `int`: no sign, blank, underscore, leading zero or foreign digit, and at most nine
    digits, so that no text whatever costs more than its length.
    """
    return int(text) if _NUMBER.fullmatch(text) else None
