"""Clients as real programs: how they end, and what they say then."""

from __future__ import annotations

import pytest

from spielwerk.check import started
from spielwerk.check.case import CaseFault
from spielwerk.check.mnm import CHECK
from spielwerk.check.trial import Experience
from tests.check.planting import checked, small_player


def faults(case: str, habits: str = "plain", used_up: str = "") -> tuple[CaseFault, ...]:
    """What is said of a client with these habits; `used_up` is a moment without much patience."""
    experience = Experience()
    for _ in range(2):
        experience.note(used_up, happened=False)
    return checked(CHECK, small_player(habits), [case], experience=experience)[case].faults


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started, "BRIEF", 1.5)


@pytest.mark.parametrize(
    "case",
    [
        "prolog/first-seat",
        "prolog/other-game",
        "refusal/no-game",
        "close/waiting",
        "reset/waiting",
        "lost/no-server",
    ],
)
def test_a_good_program_gets_no_advice(case: str) -> None:
    assert faults(case) == ()


@pytest.mark.parametrize(
    ("habits", "case", "kind", "advice"),
    [
        ("silent-refused", "refusal/no-game", "said-nothing", True),
        ("cheerful", "refusal/no-seat", "exit-zero", True),
        ("silent-other-game", "prolog/other-game", "no-message", False),
        ("signalled-when-lost", "close/waiting", "ended-by-signal", True),
        ("crashes-when-lost", "close/waiting", "crashed", False),
    ],
)
def test_how_a_program_ends(habits: str, case: str, kind: str, advice: bool) -> None:
    found = faults(case, habits)
    assert (kind, advice) in [(fault.kind, fault.advice) for fault in found]


def test_a_program_that_spins_when_the_connection_is_lost() -> None:
    (fault,) = faults("close/waiting", "spins-when-lost", "connection-closed")
    assert fault.kind == "did-not-end"
    assert not fault.advice
    assert fault.hint == "" or "a recv that returns 0" in fault.hint


def test_a_program_that_waits_for_a_server() -> None:
    (fault,) = faults("lost/no-server", "retries", "no-server")
    assert (fault.kind, fault.advice) == ("did-not-end", True)
