from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from spielwerk.engines.interface import (
    Engine,
    EngineError,
    Level,
    Limits,
    Result,
    Score,
    Stop,
    best_first,
)
from spielwerk.engines.players import (
    EnginePlayer,
    Fault,
    PlayerFailed,
    RandomPlayer,
    blurred,
    make_player,
    usual_player,
)
from spielwerk.errors import SpielwerkError
from spielwerk.games import State
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.engine.policy import hold_at, policy_path
from spielwerk.games.dice.rules import Dice
from spielwerk.games.oware.rules import Oware
from spielwerk.games.record import Record
from spielwerk.store.records import Reason
from spielwerk.terminal.keyboard import PatientPlayer


def test_players_are_made_from_text() -> None:
    assert isinstance(make_player("random", Oware()), RandomPlayer)
    player = make_player("depth=3,nodes=500", Oware())
    assert isinstance(player, EnginePlayer)
    assert player.level.limits == Limits(depth=3, nodes=500)
    level = make_player("level=4", Oware())
    assert isinstance(level, EnginePlayer)
    assert level.level == level.engine.levels[3]


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


@pytest.mark.parametrize("text", ["level=5", "level=10", "time=0.5"])
def test_a_player_that_needs_a_solved_race_says_how_to_solve_it(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    with pytest.raises(EngineError, match="spielwerk solve dice --target 200"):
        make_player(text, Dice(target=200))
    with pytest.raises(EngineError, match=r"10000 cannot be solved.* hold=25 and random play any"):
        make_player(text, Dice(target=10_000))
    hold_at(200, 20).save(policy_path(200))
    make_player(text, Dice(target=200))


@pytest.mark.parametrize("target", [200, 10_000])
def test_players_that_need_no_solved_race_play_any(
    target: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    for text in ("hold=25", "random"):
        move = make_player(text, Dice(target=target)).choose(Dice(target=target).start(), Random(1))
        assert move in Dice().start().legal_moves()
    with pytest.raises(EngineError, match="10000 cannot be solved"):
        make_player("level=3,hold=25", Dice(target=10_000))


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


class Notebook(Engine[Any]):
    """An engine that plays the first legal move and writes down the limits it was given."""

    game: ClassVar = "oware"
    unit: ClassVar = "nothing"
    levels: ClassVar = ()

    def __init__(self) -> None:
        self.asked: list[Limits] = []

    def warm_up(self) -> None:
        pass

    def find_best(self, state: State[Any], limits: Limits, stop: Stop) -> Result[Any]:
        scores = self.judge_moves(state, limits, stop)
        move = next(iter(scores))
        return Result(move, scores[move], 1, 1, (move,))

    def judge_moves(
        self,
        state: State[Any],
        limits: Limits,
        stop: Stop,  # noqa: ARG002
    ) -> dict[Any, Score]:
        self.asked.append(limits)
        return best_first((move, Score(0.0)) for move in state.legal_moves())

    def perft(self, state: State[Any], depth: int) -> int:  # noqa: ARG002
        return 0


@pytest.mark.parametrize("blur", [0.0, 1.0])
@pytest.mark.parametrize(
    ("level", "within", "time"),
    [
        (None, None, None),
        (2.0, None, 2.0),
        (None, 0.5, 0.5),
        (2.0, 0.5, 0.5),
        (0.2, 0.5, 0.2),
        (None, 0.0, 0.001),
        (2.0, -3.0, 0.001),
        (None, math.inf, 10**7),
    ],
)
def test_the_time_within_which_to_choose_can_only_shorten_the_levels_own(
    level: float | None, within: float | None, time: float | None, blur: float
) -> None:
    engine = Notebook()
    player = EnginePlayer("notebook", engine, Level(Limits(time=level, depth=3, threads=2), blur))
    player.choose(Oware().start(), Random(1), within)
    (limits,) = engine.asked
    assert limits.time == time
    assert (limits.depth, limits.threads) == (3, 2)


def test_whoever_waits_for_a_player_passes_the_time_on() -> None:
    engine = Notebook()
    player = PatientPlayer(EnginePlayer("notebook", engine, Level(Limits())))
    player.choose(Oware().start(), Random(1), within=0.25)
    assert engine.asked[0].time == 0.25


def test_whoever_must_know_the_game_so_far_is_told() -> None:
    class Historian(RandomPlayer):
        def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
            heard.append((record.moves, within))
            return super().decide(record, rng, within)

    heard: list[tuple[Any, float | None]] = []
    record = Record((Oware().start(),)).play(3).play(2)
    player = PatientPlayer(Historian("historian"))
    assert player.decide(record, Random(1), within=0.5) in record.state.legal_moves()
    assert heard == [((3, 2), 0.5)]


def test_what_a_player_raises_in_its_thread_is_raised_where_it_is_waited_for() -> None:
    class Failing(RandomPlayer):
        def decide(self, record: Record, *_: object) -> Any:
            raise PlayerFailed(Fault.LATE, f"too late after {len(record.moves)} moves")

    with pytest.raises(PlayerFailed, match="too late after 0 moves") as caught:
        PatientPlayer(Failing("failing")).decide(Record((Oware().start(),)), Random(1))
    assert caught.value.fault is Fault.LATE


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_is_a_reason_for_which_games_end(fault: Fault) -> None:
    assert Reason(fault) in Reason


def test_a_strategy_looks_five_moves_ahead_unless_it_is_told() -> None:
    """Oware task, 3.2: depth 5 if nothing else is said."""
    for text in ("strategy=0", "strategy=1", usual_player(Oware())):
        player = make_player(text, Oware())
        assert isinstance(player, EnginePlayer)
        assert player.level == Level(Limits(depth=5))
    other = make_player("strategy=1,time=0.5", Oware())
    assert isinstance(other, EnginePlayer)
    assert other.level.limits == Limits(time=0.5)
