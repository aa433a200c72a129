"""All cases for an Oware move server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.oware.cases import (
    drawn,
    endings,
    history,
    lines,
    names,
    network,
    precedence,
    rules,
)

if TYPE_CHECKING:
    from spielwerk.check.oware.cases.making import OwareCase


def all_cases(
    seed: int = 0, silence: float | None = None, *, document_only: bool = False
) -> list[OwareCase]:
    """The cases in the order of the report; without those that the document leaves open, if so."""
    cases = [
        *names.cases(),
        *lines.cases(),
        *history.cases(),
        *precedence.cases(),
        *rules.cases(),
        *endings.cases(),
        *drawn.cases(seed),
        *network.cases(silence),
    ]
    return [case for case in cases if not (document_only and case.decided)]
