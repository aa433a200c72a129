"""Faults are found by the case meant for them, and called by their names; oddities are not."""

from __future__ import annotations

import pytest

from spielwerk.check.dice import CHECK
from tests.check.dice import faults, miscounts
from tests.check.dice.honest import HonestBot
from tests.check.dice.oddities import harmless
from tests.check.planting import Planted, told, verdicts


@pytest.mark.parametrize("planted", [*faults.found, *miscounts.found], ids=str)
def test_a_fault_is_found_and_named(planted: Planted) -> None:
    planted.is_told(verdicts(CHECK, planted.faulty, [planted.case])[planted.case])


@pytest.mark.parametrize("target", ["150", "200"])
def test_an_honest_bot_passes(target: str) -> None:
    assert told(verdicts(CHECK, HonestBot, jobs=8, target=target)) == []


@pytest.mark.parametrize("bot", harmless, ids=lambda bot: bot.__name__)
def test_an_odd_bot_passes(bot: type[HonestBot]) -> None:
    assert told(verdicts(CHECK, bot, jobs=8)) == []
