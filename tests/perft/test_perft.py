from __future__ import annotations

from math import inf

import pytest

from spielwerk.games.playing import perft
from tests import naive
from tests.perft import Tree, trees


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: tree.label)
@pytest.mark.parametrize("most", [60_000, pytest.param(inf, marks=pytest.mark.slow)])
def test_the_rules_count_what_was_counted(tree: Tree, most: float) -> None:
    counts = [count for count in tree.counts if count <= most]
    assert [perft(tree.state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(
    "tree", [tree for tree in trees() if " from " not in tree.label], ids=lambda tree: tree.label
)
def test_the_naive_referee_counts_the_same(tree: Tree) -> None:
    name, *options = tree.label.split()
    choices = {option.split("=")[0]: int(option.split("=")[1]) for option in options}
    for depth, count in enumerate(tree.counts, start=1):
        if count < 10_000:
            assert naive.perft(name, depth, **choices) == count
