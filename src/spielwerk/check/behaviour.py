"""Cases that look at a program as a process, whatever it plays: what it uses, and what it leaves.

A protocol supplies its steps; `behaviour.toml` has the texts, and says for each protocol what its
document asks. What no document asks is advice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.texts import behaviour_texts, case_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from spielwerk.check.case import Case

MOVES: Final = 200  # that a program is asked for, at most


@dataclass(frozen=True, slots=True)
class GameSteps:
    """How a protocol leads a program through a game; each step is given the trial.

    A step blames the program, as verbs do, if it does not keep to the protocol.
    """

    begin: Callable[[Any], Awaitable[None]]
    """Start the program and go on until it is in the game and waits for us."""
    idle: Callable[[Any, float], Awaitable[None]]
    """Keep it waiting for so many seconds, as a server does."""
    move: Callable[[Any, int], Awaitable[None]]
    """Ask for its next move, which is easily found; the number counts from 0 to MOVES - 1."""
    finish: Callable[[Any], Awaitable[None]]
    """End the game in good order; this may wait for the program's end, but need not."""


def behaviour_cases(protocol: str, steps: GameSteps) -> list[Case]:
    """The cases about programs as processes that make sense with a protocol."""
    found = []
    for one in behaviour_texts(protocol):
        look = _LOOKS[one["name"]]
        found.append(case_of(one, partial(look, steps=steps, advice=one["advice"])))
    return found


async def _ends(trial: Any, steps: GameSteps, advice: bool) -> None:
    await steps.begin(trial)
    await steps.move(trial, 0)
    await steps.finish(trial)
    await trial.ends("game-over", advice=advice)


_LOOKS: Final[Mapping[str, Callable[..., Awaitable[None]]]] = {"behaviour/ends": _ends}
