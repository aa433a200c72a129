"""Choosing cases and carrying them out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

import pytest

from spielwerk.check.case import Case, CaseFault, CaseVerdict, run, select
from spielwerk.check.texts import Scripts, in_steps
from spielwerk.check.trial import Trial
from spielwerk.errors import UsageError

if TYPE_CHECKING:
    from spielwerk.check.trial import Step


class Note(Trial):
    package: ClassVar = "spielwerk.check"


async def nothing(_: Note) -> None:
    pass


def named(*names: str) -> list[Case]:
    return [Case(name, "", "", nothing) for name in names]


NAMES = ("board/sum-47", "board/sum-49", "cycle/A.10", "cycle/per-player")


@pytest.mark.parametrize(
    ("patterns", "chosen"),
    [
        ([], NAMES),
        (["board"], NAMES[:2]),
        (["*/sum-4?"], NAMES[:2]),
        (["cycle/A.10", "board/sum-49"], NAMES[1:3]),
        (["c*", "cycle"], NAMES[2:]),
    ],
)
def test_cases_are_chosen_by_name_or_group(patterns: list[str], chosen: tuple[str, ...]) -> None:
    assert tuple(case.name for case in select(named(*NAMES), patterns)) == chosen


def test_a_pattern_that_fits_nothing_is_an_error() -> None:
    with pytest.raises(UsageError, match="'bord' fits no case"):
        select(named(*NAMES), ["board", "bord"])


def carried_out(cases: list[Case], parallel: int) -> tuple[list[CaseVerdict], list[str]]:
    heard: list[str] = []
    verdicts = asyncio.run(
        run(cases, Note, parallel, lambda verdict: heard.append(verdict.case.name))
    )
    return verdicts, heard


def test_verdicts_come_in_the_order_of_the_cases_and_are_told_as_they_fall() -> None:
    second_done = asyncio.Event()

    async def slow(note: Note) -> None:
        await second_done.wait()
        note.requests += 2

    async def quick(note: Note) -> None:
        note.faults.append(CaseFault("kind", "problem"))
        second_done.set()

    cases = [Case("a/slow", "", "", slow), Case("a/quick", "", "", quick)]
    verdicts, heard = carried_out(cases, 2)
    assert [verdict.case.name for verdict in verdicts] == ["a/slow", "a/quick"]
    assert [verdict.passed for verdict in verdicts] == [True, False]
    assert verdicts[0].requests == 2
    assert heard == ["a/quick", "a/slow"]


def test_never_more_than_allowed_at_a_time_and_some_alone() -> None:
    now: set[str] = set()
    crowds: dict[str, int] = {}

    def case(name: str, *, alone: bool) -> Case:
        async def busy(_: Note) -> None:
            now.add(name)
            for _round in range(3):
                await asyncio.sleep(0)
                crowds[name] = max(crowds.get(name, 0), len(now))
            now.remove(name)

        return Case(name, "", "", busy, alone=alone)

    cases = [case(f"x/{number}", alone=number % 3 == 0) for number in range(12)]
    carried_out(cases, 4)
    together = [crowds[f"x/{number}"] for number in range(12) if number % 3]
    assert max(together) == 4
    assert all(crowds[f"x/{number}"] == 1 for number in range(0, 12, 3))


def test_an_error_in_a_case_is_not_taken_for_a_fault_of_the_server() -> None:
    async def broken(_: Note) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        carried_out([Case("a/b", "", "", broken)], 1)


class Walker(Note):
    """Takes down its steps; `greet` is a script, `met` a state."""

    scripts: ClassVar = Scripts()

    def hop(self, far: int = 1, *, back: bool = False) -> None:
        self.note(f"hop {far} {back}")

    async def skip_along(self, stones: list[int]) -> None:
        self.note(f"skip {stones}")


@Walker.scripts
async def _greet(walker: Walker, name: str = "you") -> None:
    walker.note(f"greet {name}")


Walker.scripts["met"] = in_steps(["greet", "hop"])


@pytest.mark.parametrize(
    ("step", "taken"),
    [
        ("hop", ["hop 1 False"]),
        ({"hop": 3}, ["hop 3 False"]),
        ({"hop": {"far": 2, "back": True}}, ["hop 2 True"]),
        ({"skip_along": [1, 2]}, ["skip [1, 2]"]),
        ({"transcript.clear": {}}, []),
        ("greet", ["greet you"]),
        ({"greet": "her"}, ["greet her"]),
        ("met", ["greet you", "hop 1 False"]),
    ],
)
def test_a_step_is_a_script_a_state_or_a_verb(step: Step, taken: list[str]) -> None:
    assert walked(step) == taken


def walked(step: Step) -> list[str]:
    """What a case with this step takes down."""
    case = Walker.scripts.case({"name": "a/b", "source": "dice", "does": [step]})
    (verdict,) = asyncio.run(run([case], Walker, 1, lambda _: None))
    return [one.data.decode() for one in verdict.transcript]


def test_a_step_that_is_unknown_is_an_error() -> None:
    with pytest.raises(AttributeError, match="jump"):
        walked("jump")
