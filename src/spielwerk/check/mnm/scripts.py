"""The scripts of all cases of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.behaviour import behaviour_cases
from spielwerk.check.mnm import play, stops, talk
from spielwerk.check.mnm.steps import STEPS
from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case


def cases(game: str) -> list[Case]:
    """All cases for clients of a game: of the protocol, of the game, and of programs at all."""
    scripts = {**talk.SCRIPTS, **stops.SCRIPTS, **play.SCRIPTS}
    spoken = cases_of(__package__ or "", scripts)
    whole = next(n for n, case in enumerate(spoken) if case.group == play.GAMES)
    positions = play.positions(game)  # they are simpler than whole games
    return [*spoken[:whole], *positions, *spoken[whole:], *behaviour_cases("mnm", STEPS)]
