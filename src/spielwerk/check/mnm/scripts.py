"""The scripts of all cases of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.behaviour import behaviour_cases
from spielwerk.check.mnm import play, talk
from spielwerk.check.mnm.steps import STEPS
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases(game: str) -> list[Case]:
    """All cases for clients of a game: of the protocol, of the game, and of programs at all."""
    spoken = cases_of(__package__ or "", {**talk.SCRIPTS, **play.SCRIPTS})
    return [*spoken, *play.positions(game), *behaviour_cases("mnm", STEPS)]
