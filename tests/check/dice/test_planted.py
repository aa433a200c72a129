"""Faults are found by the case meant for them, and called by their names; oddities are not."""

from __future__ import annotations

import pytest

from tests.check.dice import faults, miscounts
from tests.check.dice.honest import HonestBot, verdicts, wrong
from tests.check.dice.oddities import ODD
from tests.check.dice.planting import PLANTED, PlantedFault

ALL = (faults, miscounts)  # they are planted when they are imported


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.bot.__name__)
def test_a_fault_is_found_and_named(planted: PlantedFault) -> None:
    verdict = verdicts(planted.bot, [planted.case])[planted.case]
    kinds = {fault.kind: fault for fault in verdict.faults if not fault.advice}
    assert list(kinds) == [planted.kind]
    fault = kinds[planted.kind]
    assert planted.problem in fault.problem
    assert planted.hint in fault.hint
    assert bool(planted.hint) == bool(fault.hint)


@pytest.mark.parametrize("target", [150, 200])
def test_an_honest_bot_passes(target: int) -> None:
    assert wrong(verdicts(HonestBot, target=target)) == []


@pytest.mark.parametrize("bot", ODD, ids=lambda bot: bot.__name__)
def test_an_odd_bot_passes(bot: type[HonestBot]) -> None:
    assert wrong(verdicts(bot)) == []
