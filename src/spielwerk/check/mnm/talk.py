"""Cases about talking: the prolog, waiting, refusals, lines in pieces, lost connections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from spielwerk.check.mnm.trial import MnmTrial

    Script = Callable[[MnmTrial], Awaitable[None]]


async def _joins(trial: MnmTrial) -> None:
    await trial.join()
    await trial.wait()
    await trial.end()


SCRIPTS: Final[dict[str, Script]] = {"prolog/any-seat": _joins}
