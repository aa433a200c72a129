"""Numbers as people type them on the command line."""

from __future__ import annotations

import math
from typing import Final

import typer

from spielwerk.errors import quote

LONGEST: Final = 60.0  # seconds that anything may be shown


def whole_number(text: str) -> int:
    """Read a number that was typed; unlike typer's own reader it names a wrong one."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is no whole number") from None


def seconds(text: str, longest: float = LONGEST) -> float:
    """Read a time that was typed: seconds, in fractions if wanted."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= longest:
        raise typer.BadParameter(f"{quote(text)} is no time from 0 to {longest:g} seconds")
    return value
