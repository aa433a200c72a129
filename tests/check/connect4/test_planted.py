"""Programs of both roles: honest and odd ones pass, and every fault is found where it must be."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielwerk.check.connect4 import HOST, JOIN
from tests.check.connect4 import wrong_hosts, wrong_joins
from tests.check.connect4.honest_host import INITIATOR, HonestHost
from tests.check.connect4.honest_join import HonestJoin
from tests.check.planting import Planted, found, told, verdicts


class Solid(HonestHost):
    size = (4, 4, 4)


class SolidBox(HonestHost):
    size = (5, 4, 3)


class AlwaysFirst(HonestHost):
    def first(self) -> int:
        return INITIATOR


@pytest.mark.parametrize(
    ("player", "version"),
    [(HonestHost, "both"), (HonestHost, "V1"), (Solid, "both"), (SolidBox, "V1")],
)
def test_an_honest_host_passes(player: type[HonestHost], version: str) -> None:
    judged = verdicts(HOST, player, version=version, slow="yes")
    assert told(judged, advice=True) == []
    assert len(judged) > 40


@pytest.mark.parametrize(
    ("size", "version"), [("7x6", "both"), ("4x4x4", "both"), ("7x6", "V1"), ("5x4x3", "V2")]
)
def test_an_honest_join_passes(size: str, version: str) -> None:
    check = replace(JOIN, choices=lambda: {**JOIN.choices(), "size": (size,)})
    judged = verdicts(check, HonestJoin, size=size, version=version)
    assert told(judged, advice=True) == []
    assert len(judged) > 40


@pytest.mark.parametrize("planted", wrong_hosts.found, ids=str)
def test_a_fault_of_a_host_is_found(planted: Planted) -> None:
    judged = verdicts(HOST, planted.faulty, [planted.case], seed=3, slow="yes")
    planted.is_told(judged[planted.case])


@pytest.mark.parametrize("planted", wrong_joins.found, ids=str)
def test_a_fault_of_a_join_is_found(planted: Planted) -> None:
    judged = verdicts(JOIN, planted.faulty, [planted.case], seed=10)
    planted.is_told(judged[planted.case])


@pytest.mark.parametrize("player", [*wrong_hosts.harmless, *wrong_joins.harmless])
def test_an_oddity_does_no_harm(player: type[HonestHost | HonestJoin]) -> None:
    check = HOST if issubclass(player, HonestHost) else JOIN
    assert told(verdicts(check, player)) == []


def test_who_begins_is_looked_at_over_all_games() -> None:
    judged = verdicts(HOST, AlwaysFirst)
    assert "began in all" in found(judged, "begin/drawn", "always-begins").problem
    assert told(judged) == []


def test_no_heartbeat_is_advice_unless_a_minute_is_waited_for() -> None:
    judged = verdicts(HOST, wrong_hosts.NoBeat)
    assert told(judged) == []
    assert "within 12 s" in found(judged, "heartbeat/in-time", "no-heartbeat").problem
