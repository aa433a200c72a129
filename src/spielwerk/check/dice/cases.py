"""All cases for dice bots: the entries of `cases.toml` with their scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.dice import calling, ending, scoring, talking
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases() -> list[Case]:
    """In the order of the report."""
    scripts = {**talking.SCRIPTS, **scoring.SCRIPTS, **ending.SCRIPTS, **calling.SCRIPTS}
    return cases_of(__package__ or "", scripts)
