"""All cases for dice bots: what `cases.toml` lists, with its scripts, and those of programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.behaviour import behaviour_cases
from spielwerk.check.dice import calling, ending, scoring, talking
from spielwerk.check.dice.steps import STEPS
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases() -> list[Case]:
    """In the order of the report."""
    scripts = {**talking.SCRIPTS, **scoring.SCRIPTS, **ending.SCRIPTS, **calling.SCRIPTS}
    return [*cases_of(__package__ or "", scripts), *behaviour_cases("dice", STEPS)]
