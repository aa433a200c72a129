"""The scripts of all cases of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.mnm import play, talk
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases(game: str) -> list[Case]:
    """All cases for clients of a game: those of the protocol, and the game's own positions."""
    scripts = {**talk.SCRIPTS, **play.SCRIPTS}
    return [*cases_of(__package__ or "", scripts), *play.positions(game)]
