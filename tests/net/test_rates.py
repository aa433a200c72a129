"""Token buckets: what may be done at once, and what comes back."""

from __future__ import annotations

from spielwerk.net.rates import KEPT, Bucket, Rates


def test_buckets_fill_up_again() -> None:
    now = [0.0]
    rates = Rates(2, 0.5, lambda: now[0])
    assert [rates.count("a") for _ in range(3)] == [True, True, False]
    assert rates.count("b")
    now[0] = 2.0
    assert [rates.count("a") for _ in range(2)] == [True, False]
    now[0] = 1000.0
    assert [rates.count("a") for _ in range(3)] == [True, True, False]


def test_addresses_are_forgotten() -> None:
    rates = Rates(1, 0.001)
    for number in range(KEPT + 100):
        rates.count(str(number))
    assert rates._buckets.get("99") is None
    assert rates.count("0")
    assert not rates.count(str(KEPT + 99))


def test_more_than_there_is_is_not_taken() -> None:
    bucket = Bucket(10, 2, now=0)
    assert bucket.take(0, 8)
    assert not bucket.take(0, 3)  # and what was refused costs nothing
    assert bucket.take(0, 2)
    assert not bucket.take(0.4)
    assert bucket.take(0.5)
    assert bucket.level(100) == 10
