"""Cases about playing: positions, moves, whole games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.mnm.trial import MnmTrial

    Script = Callable[[MnmTrial], Awaitable[None]]


async def _moves(trial: MnmTrial) -> None:
    await trial.join()
    trial.until_turn()
    await trial.turn()
    await trial.end()


SCRIPTS: Final[dict[str, Script]] = {"game/first-move": _moves}
