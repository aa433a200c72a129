"""The way through all cases of a program: side by side where it can be, or started by its author.

However the way ends, by an error, Ctrl-C or SIGTERM, no program is left running.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from spielwerk.check.case import in_language, run
from spielwerk.check.program import filled_words
from spielwerk.check.texts import label
from spielwerk.contests.programs.processes import adopt_orphans, sweep
from spielwerk.signals import with_hangup

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence

    from spielwerk.check.case import Case, CaseVerdict
    from spielwerk.check.trial import Trial

T = TypeVar("T")

INTERRUPTED: Final = 130  # the exit status after Ctrl-C, as shells know it
SCOUT: Final = "behaviour/ends"  # the case that shows a program from its start to its end
TRIED: Final = 3  # cases after which a program is given up that never gets anywhere

_UNTOLD: Final = {"case", "folder"}


def until_stopped(work: Coroutine[Any, Any, T]) -> T:
    """Run this in a loop of its own; a signal cancels it, a second one hastens the end.

    Processes that lose their parents come to us meanwhile, and are killed in the end.
    """

    async def listening() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        for number in with_hangup():
            with suppress(NotImplementedError, ValueError, RuntimeError):  # not the main thread
                loop.add_signal_handler(number, task.cancel if task else work.close)
        return await work

    adopt_orphans()
    try:
        return asyncio.run(listening())
    except asyncio.CancelledError:
        sys.stderr.write("spielwerk: interrupted\n")
        raise SystemExit(INTERRUPTED) from None
    finally:
        sweep()
        adopt_orphans(False)


async def run_all(
    cases: Sequence[Case],
    trial: Callable[[], Trial],
    jobs: int,
    done: Callable[[CaseVerdict], None],
) -> list[CaseVerdict]:
    """The verdicts in the order of the cases.

    The first cases run alone. They show whether each run of the program uses something by the same
    name, as shared memory with a key, so that two cannot run at a time. If it cannot do anything,
    as one that never connects, all further cases are left out.
    """
    trials: list[Trial] = []

    def remembered() -> Trial:
        trials.append(trial())
        return trials[-1]

    waiting = sorted(cases, key=lambda case: case.name != SCOUT)
    verdicts: list[CaseVerdict] = []
    while waiting and len(verdicts) < TRIED and (_hopeless(verdicts) or _unclear(trials)):
        verdicts += await run([waiting.pop(0)], remembered, 1, done)
    if not _hopeless(verdicts):
        crowd = 1 if set.intersection(*(one.names for one in trials)) else jobs
        rest = [case for case in cases if case in waiting]
        verdicts += await run(rest, trial, crowd, done)
    return sorted(verdicts, key=lambda verdict: cases.index(verdict.case))


def _hopeless(verdicts: Sequence[CaseVerdict]) -> bool:
    """Whether the program has got nowhere so far, for a reason that holds in all cases."""
    return all(any(fault.everywhere for fault in verdict.faults) for verdict in verdicts)


def _unclear(trials: Sequence[Trial]) -> bool:
    """Whether a second run must show if names are always the same."""
    return len(trials) == 1 and bool(trials[0].names)


class ByHand:
    """What the author reads who starts the program for each case."""

    def __init__(
        self,
        cases: Sequence[Case],
        command: Sequence[str],
        language: str,
        say: Callable[[str], None],
    ) -> None:
        self._cases = {case.name: case for case in cases}
        self._command = command
        self._language = language
        self._say = say
        self._begun = ""

    def tell(self, places: Mapping[str, str]) -> None:
        """Say how to start the program now."""
        case = self._cases[places["case"]]
        if case.name != self._begun:
            self._begun = case.name
            number = [*self._cases].index(case.name) + 1
            count = len(self._cases)
            self._tell("start-now", number=number, count=count, name=case.name, rule=case.rule)
        if self._command:
            self._tell("start-command", command=shlex.join(filled_words(self._command, places)))
        else:
            told = [f"{name} {value}" for name, value in places.items() if name not in _UNTOLD]
            self._tell("start-with", places=", ".join(told))

    def done(self, verdict: CaseVerdict) -> None:
        """Say what came of the case."""
        what = "advised" if verdict.advised else "passed" if verdict.passed else "failed"
        problems = [fault.problem for fault in verdict.faults]
        for line in (label(what), *problems):
            self._say(f"  {in_language(line, self._language)}")

    def _tell(self, code: str, **values: object) -> None:
        self._say(in_language(label(code, **values), self._language))
