"""How much of the announced time is used."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.clients.mnm.connector import FIRST_OVERSHOOT, MARGIN, REMEMBERED, Reserve

SECONDS = st.floats(0, 1e6, allow_nan=False)


def test_without_measurements_a_little_is_kept() -> None:
    thinker, connector = Reserve().deadlines(100.0, 3.0)
    assert connector == pytest.approx(103.0 - MARGIN)
    assert thinker == pytest.approx(connector - FIRST_OVERSHOOT - MARGIN)


def test_the_longest_of_the_last_round_trips_is_kept() -> None:
    reserve = Reserve()
    for seconds in (0.1, 0.4, 0.2):
        reserve.round_trip(seconds)
    assert reserve.deadlines(0.0, 3.0).connector == pytest.approx(3.0 - 0.4 - MARGIN)
    for _ in range(REMEMBERED):
        reserve.round_trip(0.05)
    assert reserve.network == 0.05 + MARGIN


def test_the_thinkers_lateness_is_kept_and_an_early_answer_says_nothing() -> None:
    reserve = Reserve()
    reserve.overshoot(0.3)
    for _ in range(3 * REMEMBERED):
        reserve.overshoot(-1.0)
    assert reserve.thinker == 0.3 + MARGIN
    for _ in range(REMEMBERED):
        reserve.overshoot(0.002)
    assert reserve.thinker == 0.002 + MARGIN


@given(st.lists(SECONDS), st.lists(SECONDS), st.floats(0, 1e6), st.floats(0, 1e6))
def test_there_is_always_some_time_and_never_more_than_announced(
    trips: list[float], overshoots: list[float], asked: float, announced: float
) -> None:
    reserve = Reserve()
    for seconds in trips:
        reserve.round_trip(seconds)
    for seconds in overshoots:
        reserve.overshoot(seconds)
    thinker, connector = reserve.deadlines(asked, announced)
    assert asked <= thinker <= connector <= asked + announced
    assert thinker >= asked + announced / 4 - 1e-6
