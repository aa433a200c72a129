"""Checking an Oware move server (Oware task, appendix D)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.case import run
from spielwerk.check.oware.peer import OwareProbe, Peer, Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.check.case import Verdict
    from spielwerk.check.oware.requests import OwareCase

__all__ = ["OwareProbe", "Peer", "Settings", "check"]


async def check(
    cases: Sequence[OwareCase],
    peer: Peer,
    parallel: int,
    done: Callable[[Verdict], None] = lambda _: None,
) -> list[Verdict]:
    """Carry out the cases on a server, or Unreachable if there is none."""
    await peer.introduce()
    return await run(cases, lambda: OwareProbe(peer), parallel, done)
