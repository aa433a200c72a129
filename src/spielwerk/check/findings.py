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
    found: list[Finding] = []
    causes: dict[tuple[str, str], Finding] = {}
    for verdict in verdicts:
        for fault in chosen(verdict):
            group = "" if fault.everywhere else f"in {verdict.case.group}"
            keys = (fault.kind, group), (fault.kind, fault.problem)
            cause = next((causes[key] for key in keys if key in causes), None)
            if cause is None:
                cause = Finding(fault, [])
                found.append(cause)
            if verdict not in cause.verdicts:
                cause.verdicts.append(verdict)
            causes.update(dict.fromkeys(keys, cause))
    return found
