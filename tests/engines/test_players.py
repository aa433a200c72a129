from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from spielwerk.engines.interface import LimitError, Limits, Score
from spielwerk.engines.players import EnginePlayer, RandomPlayer, blurred, make_player
from spielwerk.errors import SpielwerkError
from spielwerk.games import ConnectFour, Oware


def test_players_are_made_from_text() -> None:
    assert isinstance(make_player("random", Oware()), RandomPlayer)
    player = make_player("depth=3,nodes=500", Oware())
    assert isinstance(player, EnginePlayer)
    assert player.level.limits == Limits(depth=3, nodes=500)
    level = make_player("level=4", Oware())
    assert isinstance(level, EnginePlayer)
    assert level.level == level.engine.levels[3]


def test_options_of_the_engine_itself_can_be_given() -> None:
    player = make_player("strategy=1,depth=2", Oware())
    assert isinstance(player, EnginePlayer)
    assert player.choose(Oware().start(), Random(1)) in range(6)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kasparov",
        "level=11",
        "level=0",
        "level=x",
        "level=3,time=1",
        "depth=x",
        "size=3",
        "=",
        "table_bits=0",
        "depth=3,depth=4",
        "level=3,level=4",
        ",",
    ],
)
def test_a_text_that_is_no_player_is_quoted(text: str) -> None:
    with pytest.raises(SpielwerkError) as caught:
        make_player(text, ConnectFour())
    assert repr(text) in str(caught.value)


def test_limits_of_zero_are_refused() -> None:
    with pytest.raises(LimitError, match="depth=0"):
        make_player("depth=0", Oware())


def test_a_blurred_choice_prefers_the_better_moves() -> None:
    scores = {"best": Score(1.0), "near": Score(0.9), "far": Score(-1.0)}
    rng = Random(1)
    counts = Counter(blurred(scores, 0.1, rng) for _ in range(5000))
    assert counts["best"] > counts["near"] > 1000
    assert counts["far"] == 0
    wild = Counter(blurred(scores, 1e9, rng) for _ in range(3000))
    assert min(wild.values()) > 800


def test_the_same_generator_gives_the_same_game() -> None:
    player = make_player("level=2", Oware())
    moves = [[player.choose(Oware().start(), Random(seed)) for seed in range(8)] for _ in range(2)]
    assert moves[0] == moves[1]
    assert len({*moves[0]}) > 1
