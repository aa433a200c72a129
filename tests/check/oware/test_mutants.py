"""Every planted fault is found, by a case that fits it; the correct server passes everything."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import cache

import pytest

from spielwerk.check.case import Case, CaseVerdict, select
from spielwerk.check.oware.cases import all_cases
from spielwerk.check.oware.trial import Peer
from spielwerk.check.server import check
from tests.check.oware import wrong_endings, wrong_judges, wrong_players, wrong_talkers
from tests.check.oware.move_server import MoveServer
from tests.check.planting import Planted

WRONG = (wrong_endings, wrong_judges, wrong_players, wrong_talkers)
PLANTED = [planted for module in WRONG for planted in module.caught]

PATIENT = 60.0  # a right answer comes long before, however slow the machine is
HASTY = 0.2  # enough to see that an answer does not come; if a right one is late, no harm is done


@cache
def cases_of(seed: int) -> tuple[Case, ...]:
    return tuple(all_cases(seed))


async def checked(
    server: MoveServer, cases: Sequence[Case], timeout: float, parallel: int = 8
) -> list[CaseVerdict]:
    async with server.listening() as port:
        peer = Peer("127.0.0.1", port, timeout, close_patience=timeout)
        return await check(cases, peer, parallel)


@pytest.mark.parametrize("seed", [0])
def test_a_correct_server_passes_everything(seed: int) -> None:
    verdicts = asyncio.run(checked(MoveServer(), cases_of(seed), PATIENT))
    assert [verdict.faults[0] for verdict in verdicts if not verdict.passed] == []
    assert len(verdicts) > 150
    assert sum(verdict.requests for verdict in verdicts) > 1000


def test_the_cases_have_names_of_their_own() -> None:
    names = [case.name for case in all_cases(silence=1.0)]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_a_planted_fault_is_found(planted: Planted) -> None:
    """Only those that are late or never close are not waited for."""
    late = re.search("in time|close the connection", planted.problem)
    cases = select(cases_of(0), [planted.case])
    verdicts = asyncio.run(checked(planted.faulty(), cases, HASTY if late else PATIENT))
    problems = [fault.problem for verdict in verdicts for fault in verdict.faults]
    assert any(re.search(planted.problem, problem) for problem in problems), problems
