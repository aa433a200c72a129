"""The scripts of all cases of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.mnm import play, talk
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases(game: str) -> list[Case]:
    """All cases for clients of a game: the game's own positions come before whole games."""
    scripts = {**talk.SCRIPTS, **play.SCRIPTS}
    general = cases_of(__package__ or "", scripts)
    whole = next(n for n, case in enumerate(general) if case.group == play.GAMES)
    return [*general[:whole], *play.positions(game), *general[whole:]]
