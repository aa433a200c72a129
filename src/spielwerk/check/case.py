"""What a case, a fault, a transcript and a verdict are; choosing cases, and carrying them out."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

    from spielwerk.check.trial import Trial

FEW: Final = 12  # cases that are tried again alone, whatever was wrong


class Wording(str):
    """A sentence in English that knows its German; `in_language` chooses."""

    __slots__ = ("de",)
    de: str

    def __new__(cls, en: str, de: str = "") -> Self:
        """The English is the text itself."""
        made = super().__new__(cls, en)
        made.de = de or en
        return made


def in_language(text: str, language: str) -> str:
    """The sentence in this language, if it is known in it."""
    return text.de if language == "de" and isinstance(text, Wording) else text


class Side(StrEnum):
    """Who did what a transcript tells."""

    CHECKER = "checker"  # we sent these bytes
    PROGRAM = "program"  # the checked program sent them
    EVENT = "event"  # something that is no bytes: the data is a sentence about it


class TranscriptEntry(NamedTuple):
    """Bytes that went one way on one connection, or an event; `at` counts from the case's start."""

    at: float
    side: Side
    channel: str  # which connection, where a case has several
    data: bytes
    told: str = ""  # an event's sentence, if it knows its German


@dataclass(frozen=True, slots=True)
class CaseFault:
    """One thing that was wrong, with all that is needed to see it.

    Lines that are expected are bytes with their newline, or a description where several would do.
    """

    kind: str  # what faults of the same cause have in common
    problem: str
    expected: tuple[bytes | str, ...] = ()
    entry: int | None = None  # of the verdict's transcript: where it showed
    position: int | None = None  # of the first wrong byte there
    everywhere: bool = False  # such a fault is the same in all cases
    hint: str = ""  # what usually causes what was seen
    advice: bool = False  # the document only suggests it
    timed: bool = False  # a loaded machine could be the cause


@dataclass(frozen=True, slots=True)
class Case:
    """One rule of a document, and how to see whether a program keeps it; `run` is given a trial."""

    name: str  # group/what
    rule: str
    source: str  # where the rule stands
    run: Callable[[Any], Awaitable[None]] = field(repr=False)
    decided: bool = False  # the document leaves it open; Spielwerk has decided it
    alone: bool = False  # nothing else may happen meanwhile
    started: bool = False  # only for a program that the checker starts
    says: str = ""  # the sentence of the document, in the reader's language
    why: str = ""  # what depends on it

    @property
    def group(self) -> str:
        """The part of the document that the case belongs to."""
        return self.name.partition("/")[0]


class Measurement(NamedTuple):
    """What a case has measured, right or not: a line for people, and its values for programs."""

    text: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """What came of a case."""

    case: Case
    faults: tuple[CaseFault, ...]
    requests: int
    seconds: float
    transcript: tuple[TranscriptEntry, ...] = ()
    output: str = ""  # the end of what the program wrote for people
    measured: tuple[Measurement, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing was wrong; advice is no fault."""
        return all(fault.advice for fault in self.faults)

    @property
    def advised(self) -> bool:
        """Whether it passed, but could be better."""
        return self.passed and bool(self.faults)


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
    new_trial: Callable[[], Trial],
    parallel: int,
    done: Callable[[CaseVerdict], None],
) -> list[CaseVerdict]:
    """The verdicts in the order of the cases; `done` hears each as it falls.

    A program is not blamed for the load that we make: a fault of time that shows while other cases
    run counts only if it shows again alone, and so does any fault of a program that other runs of
    it may disturb. The first few other failures of programs are tried again, too: bytes may come
    together on a busy machine that come apart on a quiet one.
    """
    import asyncio  # takes a while, and `--help` needs it not

    verdicts: dict[str, CaseVerdict] = {}
    alone = deque(case for case in cases if case.alone)

    async def work(waiting: deque[Case], *, together: bool) -> None:
        while waiting:
            trial = new_trial()
            verdict = await _judge(waiting.popleft(), trial)
            rare = not verdict.passed and len(alone) < FEW and trial.program
            doubtful = rare or any(fault.timed or trial.names for fault in verdict.faults)
            if together and parallel > 1 and doubtful:
                alone.append(verdict.case)
                continue
            verdicts[verdict.case.name] = verdict
            done(verdict)

    shared = deque(case for case in cases if not case.alone)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(parallel):
                group.create_task(work(shared, together=True))
    except ExceptionGroup as several:  # the command cannot be run, for instance
        raise several.exceptions[0] from None
    await work(alone, together=False)
    return [verdicts[case.name] for case in cases]


async def _judge(case: Case, trial: Trial) -> CaseVerdict:
    start = time.monotonic()
    await case.run(trial)
    return CaseVerdict(
        case,
        tuple(trial.faults),
        trial.requests,
        time.monotonic() - start,
        tuple(trial.transcript),
        trial.output,
        tuple(trial.measured),
    )
