from __future__ import annotations

import pytest

from spielwerk.games.playing import perft
from tests.perft import Tree, trees


@pytest.mark.parametrize("tree", trees(), ids=lambda tree: tree.label)
def test_the_rules_count_what_was_counted(tree: Tree) -> None:
    assert [perft(tree.state, depth + 1) for depth in range(len(tree.counts))] == [*tree.counts]
