"""What of all verdicts is told: failures by their cause, each once, and advice apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from spielwerk.check.case import Case, CaseFault, CaseVerdict

    Sighting = tuple[CaseVerdict, CaseFault]


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
    """The failed cases, those together whose first fault has the same cause.

    That is the same kind of fault in the same group of cases, or in the same words anywhere.
    """
    return _grouped(verdicts, lambda verdict: serious(verdict)[:1])


def advice(verdicts: Iterable[CaseVerdict]) -> list[Finding]:
    """What could be better, also in cases that failed, unless it made others fail."""
    everything = list(verdicts)
    failures = {(one.kind, one.problem) for verdict in everything for one in serious(verdict)}

    def only_advice(verdict: CaseVerdict) -> list[CaseFault]:
        faults = [one for one in verdict.faults if one.advice]
        return [one for one in faults if (one.kind, one.problem) not in failures]

    return _grouped(everything, only_advice)


def serious(verdict: CaseVerdict) -> list[CaseFault]:
    """The faults of a case that are no advice."""
    return [fault for fault in verdict.faults if not fault.advice]


def _grouped(
    verdicts: Iterable[CaseVerdict], chosen: Callable[[CaseVerdict], Sequence[CaseFault]]
) -> list[Finding]:
    found: list[dict[str, Sighting]] = []
    causes: dict[tuple[str, str], dict[str, Sighting]] = {}
    for verdict in verdicts:
        for fault in chosen(verdict):
            group = "" if fault.everywhere else f"in {verdict.case.group}"
            keys = (fault.kind, group), (fault.kind, fault.problem)
            cause = next((causes[key] for key in keys if key in causes), None)
            if cause is None:
                cause = {}
                found.append(cause)
            cause.setdefault(verdict.case.name, (verdict, fault))
            causes.update(dict.fromkeys(keys, cause))
    return [_finding(list(cause.values())) for cause in found]


def _finding(sightings: Sequence[Sighting]) -> Finding:
    """Tell the case that is about what was wrong: its rule has the same words of a protocol."""
    best = max(sightings, key=lambda one: _fits(one[1], one[0].case))
    others = [verdict for verdict, _ in sightings if verdict is not best[0]]
    return Finding(best[1], [best[0], *others])


def _fits(fault: CaseFault, case: Case) -> bool:
    """Whether half of what a case is about are words of the problem."""
    asked = _words(f"{case.rule} {case.says}")
    return 2 * len(asked & _words(fault.problem)) >= len(asked) > 0


def _words(text: str) -> set[str]:
    """The words in capitals, which are those of a protocol."""
    return {*re.findall(r"\b[A-Z]{3,}\b", text)}
