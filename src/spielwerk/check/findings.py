"""What of all verdicts is told: failures by their cause, each once, and advice apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spielwerk.check.case import CaseFault, CaseVerdict


class Finding(NamedTuple):
    """A fault, and the cases that showed it; the first one is told in full."""

    fault: CaseFault
    verdicts: list[CaseVerdict]

    @property
    def verdict(self) -> CaseVerdict:
        """The first case."""
        return self.verdicts[0]

    @property
    def others(self) -> list[CaseVerdict]:
        """The other cases."""
        return self.verdicts[1:]


def findings(verdicts: Iterable[CaseVerdict]) -> list[Finding]:
    """The failed cases, those together whose first fault has the same cause."""
    return _grouped(verdicts, lambda verdict: serious(verdict)[:1])


def advice(verdicts: Iterable[CaseVerdict]) -> list[Finding]:
    """What could be better, also in cases that failed."""
    return _grouped(verdicts, lambda verdict: [one for one in verdict.faults if one.advice])


def serious(verdict: CaseVerdict) -> list[CaseFault]:
    """The faults of a case that are no advice."""
    return [fault for fault in verdict.faults if not fault.advice]


def _grouped(
    verdicts: Iterable[CaseVerdict], chosen: Callable[[CaseVerdict], Sequence[CaseFault]]
) -> list[Finding]:
    causes: dict[tuple[str, str], Finding] = {}
    for verdict in verdicts:
        for fault in chosen(verdict):
            group = "" if fault.everywhere else verdict.case.group
            found = causes.setdefault((group, fault.kind), Finding(fault, []))
            if verdict not in found.verdicts:
                found.verdicts.append(verdict)
    return list(causes.values())
