"""The features that are read off the bits, against counting by hand."""

from __future__ import annotations

import random

import numpy as np

from spielwerk.games.morris.engine.evaluation import FEATURES, features_of
from spielwerk.games.morris.rules import MILLS, NEIGHBOURS


def counted(own: set[int], free: set[int], hand: int) -> list[int]:
    """The first seven features of one player, mill by mill and stone by stone."""
    steps = [sum(n in free for n in NEIGHBOURS[stone]) for stone in own]
    closed = [set(mill) for mill in MILLS if set(mill) <= own]
    pairs = [set(mill) for mill in MILLS if len(own & set(mill)) == 2 and free & set(mill)]
    threats = double = 0
    for mill in pairs:
        (gap,) = mill & free
        helpers = {n for n in NEIGHBOURS[gap] if n in own - mill}
        threats += bool(helpers)
        double += any(n in other for n in helpers for other in closed)
    if hand or len(own) <= 3:
        threats, double = len(pairs), 0
    return [len(own) + hand, sum(steps), steps.count(0), len(closed), len(pairs), threats, double]


def test_features_agree_with_counting() -> None:
    rng = random.Random(1)
    seen = np.zeros(len(FEATURES), np.int64)
    for _ in range(4000):
        mine, theirs = rng.randrange(3, 10), rng.randrange(3, 10)
        fields = rng.sample(range(24), mine + theirs)
        own, other = set(fields[:mine]), set(fields[mine:])
        free = set(range(24)) - own - other
        hand = rng.choice((0, 0, min(3, 9 - max(mine, theirs))))
        bits = [sum(1 << f for f in stones) for stones in (own, other)]
        phase, found = features_of(bits[0], bits[1], hand, hand)
        me, you = counted(own, free, hand), counted(other, free, hand)
        expected = [m - y for m, y in zip(me, you, strict=True)]
        assert found.tolist() == [*expected, int(me[5] > 0), int(you[5] > 1), 1]
        assert phase == (0 if hand else 2 if min(mine, theirs) <= 3 else 1)
        seen += found != 0
    assert (seen > 50).all()
