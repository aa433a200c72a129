"""The scripts of all cases of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.mnm import play, talk
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases(game: str) -> list[Case]:  # noqa: ARG001
    """All cases for clients of a game."""
    return cases_of(__package__ or "", {**talk.SCRIPTS, **play.SCRIPTS})
