"""Blocks into segments."""

from __future__ import annotations

import pytest

from spielwerk.wire.mnm.server import GAP, Pace, Pacer

BLOCK = ["one", "two", "three"]


def test_the_first_line_leaves_alone_and_the_rest_together_after_the_gap() -> None:
    pacer = Pacer(Pace.FIRST_THEN_REST)
    assert pacer.add(BLOCK, 5.0) == 5.0 + GAP
    assert pacer.take(5.0) == [b"one\n"]
    assert pacer.due == 5.0 + GAP
    assert pacer.take(5.0 + GAP - 0.001) == []
    assert pacer.pending
    assert pacer.take(5.0 + GAP) == [b"two\nthree\n"]
    assert not pacer.pending


def test_lines_added_to_a_block_belong_to_its_rest() -> None:
    pacer = Pacer(Pace.FIRST_THEN_REST)
    assert pacer.add(["one"], 5.0) == 5.0
    assert pacer.add(["two"], 5.0) == 5.0 + GAP
    assert pacer.add(["three"], 5.01) == 5.0 + GAP
    assert pacer.take(5.02) == [b"one\n"]
    assert pacer.take(5.04) == [b"two\nthree\n"]


@pytest.mark.parametrize(
    ("pace", "segments"),
    [(Pace.BLOCK, [b"one\ntwo\nthree\n"]), (Pace.LINE, [b"one\n", b"two\n", b"three\n"])],
)
def test_the_other_paces_do_not_wait(pace: Pace, segments: list[bytes]) -> None:
    pacer = Pacer(pace)
    assert pacer.add(BLOCK[:1], 5.0) == 5.0
    assert pacer.add(BLOCK[1:], 5.0) == 5.0
    assert pacer.take(5.0) == segments
    assert not pacer.pending


def test_a_line_alone_leaves_before_the_rest_of_its_block() -> None:
    pacer = Pacer(Pace.BLOCK)
    assert pacer.add(["one"], 5.0, alone=True) == 5.0
    assert pacer.add(["two"], 5.01) == 5.0 + GAP
    assert pacer.add(["three"], 5.02) == 5.0 + GAP
    assert pacer.take(5.02) == [b"one\n"]
    assert pacer.take(5.0 + GAP) == [b"two\nthree\n"]
    pacer.begin()
    pacer.add(BLOCK, 6.0)
    assert pacer.take(6.0) == [b"one\ntwo\nthree\n"]


@pytest.mark.parametrize("pace", Pace)
def test_in_a_hurry_nothing_waits(pace: Pace) -> None:
    pacer = Pacer(pace)
    pacer.add(BLOCK, 5.0)
    pacer.hurry()
    pacer.add(["- bye"], 5.0)
    assert b"".join(pacer.take(5.0)) == b"one\ntwo\nthree\n- bye\n"
