"""What a case, a fault and a verdict are; choosing cases, and carrying them out."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from spielwerk.errors import SpielwerkError, UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence


class NoServer(SpielwerkError):
    """The program that is to be checked does not answer."""


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


class Probe(Protocol):
    """Carries out a case and remembers what it found."""

    @property
    def faults(self) -> list[CaseFault]:
        """What was wrong."""

    @property
    def requests(self) -> int:
        """How often the program was asked."""


W = TypeVar("W", bound=Probe)


@dataclass(frozen=True, slots=True)
class Case(Generic[W]):
    """One rule of a document, and how to see whether a program keeps it."""

    name: str  # group/what
    rule: str
    source: str  # where the rule stands
    run: Callable[[W], Awaitable[None]] = field(repr=False)
    decided: bool = False  # the document leaves it open; Spielwerk has decided it
    alone: bool = False  # nothing else may happen meanwhile

    @property
    def group(self) -> str:
        """The part of the document that the case belongs to."""
        return self.name.partition("/")[0]


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """What came of a case."""

    name: str
    rule: str
    source: str
    decided: bool
    faults: tuple[CaseFault, ...]
    requests: int
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong."""
        return not self.faults

    @property
    def group(self) -> str:
        """The group of its case."""
        return self.name.partition("/")[0]


def select(cases: Iterable[Case[W]], patterns: Sequence[str]) -> list[Case[W]]:
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


def _fits(case: Case[W], pattern: str) -> bool:
    return fnmatchcase(case.name, pattern) or fnmatchcase(case.group, pattern)


async def run(
    cases: Sequence[Case[W]],
    probe: Callable[[], W],
    parallel: int,
    done: Callable[[CaseVerdict], None],
) -> list[CaseVerdict]:
    """The verdicts in the order of the cases; `done` hears each as it falls."""
    verdicts: dict[str, CaseVerdict] = {}

    async def work(waiting: deque[Case[W]]) -> None:
        while waiting:
            verdict = await _judge(waiting.popleft(), probe())
            verdicts[verdict.name] = verdict
            done(verdict)

    together = deque(case for case in cases if not case.alone)
    async with asyncio.TaskGroup() as group:
        for _ in range(parallel):
            group.create_task(work(together))
    await work(deque(case for case in cases if case.alone))
    return [verdicts[case.name] for case in cases]


async def _judge(case: Case[W], probe: W) -> CaseVerdict:
    start = time.monotonic()
    await case.run(probe)
    seconds = time.monotonic() - start
    faults = tuple(probe.faults)
    return CaseVerdict(
        case.name, case.rule, case.source, case.decided, faults, probe.requests, seconds
    )
