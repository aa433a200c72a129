"""What a case, a fault and a verdict are; choosing cases, and carrying them out."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence


@dataclass(frozen=True, slots=True)
class CaseFault:
    """One thing that was wrong, with all that is needed to see it.

    Lines that are expected are bytes with their newline, or a description where several would do.
    """

    kind: str  # what faults of the same cause have in common
    problem: str
    sent: bytes
    expected: tuple[bytes | str, ...] = ()
    received: bytes = b""
    position: int | None = None  # of the first different byte in what was received
    manner: str = ""  # how it was sent, if not simply in one piece
    everywhere: bool = False  # such a fault is the same in all cases


@dataclass(frozen=True, slots=True)
class Case:
    """One rule of a document, and how to see whether a program keeps it.

    `run` is given a probe of the protocol, which has `faults` and the number of `requests` then.
    """

    name: str  # group/what
    rule: str
    source: str  # where the rule stands
    run: Callable[[Any], Awaitable[None]] = field(repr=False)
    decided: bool = False  # the document leaves it open; Spielwerk has decided it
    alone: bool = False  # nothing else may happen meanwhile

    @property
    def group(self) -> str:
        """The part of the document that the case belongs to."""
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """What came of a case."""

    case: Case
    faults: tuple[CaseFault, ...]
    requests: int
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults


def select(cases: Iterable[Case], patterns: Sequence[str]) -> list[Case]:
    """The cases whose name or group fits one of the patterns; all if there is no pattern."""
    everything = list(cases)
    for pattern in patterns:
        if not any(_fits(case, pattern) for case in everything):
            raise UsageError(f"{quote(pattern)} fits no case; --list shows their names")
    return [
        case
        for case in everything
        if not patterns or any(_fits(case, pattern) for pattern in patterns)
    ]


def _fits(case: Case, pattern: str) -> bool:
    return fnmatchcase(case.name, pattern) or fnmatchcase(case.group, pattern)


async def run(
    cases: Sequence[Case],
    probe: Callable[[], Any],
    parallel: int,
    done: Callable[[CaseVerdict], None],
) -> list[CaseVerdict]:
    """The verdicts in the order of the cases; `done` hears each as it falls."""
    verdicts: dict[str, CaseVerdict] = {}

    async def work(waiting: deque[Case]) -> None:
        while waiting:
            verdict = await _judge(waiting.popleft(), probe())
            verdicts[verdict.case.name] = verdict
            done(verdict)

    together = deque(case for case in cases if not case.alone)
    async with asyncio.TaskGroup() as group:
        for _ in range(parallel):
            group.create_task(work(together))
    await work(deque(case for case in cases if case.alone))
    return [verdicts[case.name] for case in cases]


async def _judge(case: Case, probe: Any) -> CaseVerdict:
    start = time.monotonic()
    await case.run(probe)
    seconds = time.monotonic() - start
    return CaseVerdict(case, tuple(probe.faults), probe.requests, seconds)
