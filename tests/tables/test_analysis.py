"""The analyst: what it finds, in which order it works, and that nobody waits in vain."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.engines.interface import EngineError, Limits, Score
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.engine.policy import load_policy
from spielwerk.games.dice.rules import Choice, Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import play_turn, random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.tables import analysis
from spielwerk.tables.analysis import Analyst, NobodyWaits, TooBusy, Urgency
from spielwerk.tables.chances import RACES
from spielwerk.tables.curves import Curve
from spielwerk.tables.judging import Analysis, Engines, Interrupt, Judged, analyse, share
from tests.waiting import PATIENCE, until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from spielwerk.games import State
    from spielwerk.games.dice.engine.policy import Policy


async def stays() -> bool:
    return False


async def has_gone() -> bool:
    return True


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work

    return asyncio.run(limited())


@pytest.fixture(scope="module")
def engines() -> Engines:
    return Engines()


@pytest.fixture(scope="module")
def policy() -> Policy:
    return load_policy(150)


def found(engines: Engines, state: State[Any], seconds: float = 0.3) -> Analysis:
    return analyse(engines, state, seconds, Interrupt())


# what it finds


def test_every_legal_move_is_judged_the_best_first(engines: Engines) -> None:
    for game in (Oware(), ConnectFour(), ConnectFour(4, 4, 4)):
        state = game.start()
        told = found(engines, state)
        assert {judged.move for judged in told.moves} == set(
            map(game.format_move, state.legal_moves())
        )
        shares = [judged.share for judged in told.moves]
        assert shares == sorted(shares, reverse=True)
        assert told.variation[0] == told.moves[0].move
        assert told.depth > 1


def test_the_line_can_be_played(engines: Engines) -> None:
    state: State[Any] = Morris().start()
    for text in found(engines, state).variation:
        state = play_turn(state, state.game.parse_turn(text))


def test_a_win_in_connect_four_is_proven(engines: Engines) -> None:
    state = ConnectFour().parse_state("......./......./......./......./22...../111...2")
    state = state if state.turn == 0 else state.play(6)
    best = found(engines, state).moves[0]
    assert (best.move, best.score.exact, best.score.result, best.score.plies) == ("3", True, 1, 1)


def test_morris_moves_are_whole_turns(engines: Engines) -> None:
    state = Morris().parse_state("00..1.1./......../........ hand 7 7 player 0 capture 0 quiet 0")
    moves = [judged.move for judged in found(engines, state).moves]
    assert {"A2;A4", "A2;A6", "A3"} <= set(moves)
    assert len(moves) == len(set(moves))
    assert "A2" not in moves


def test_oware_says_what_a_move_collects(engines: Engines) -> None:
    state = Oware().parse_state("0 0 0 0 0 0 0 1 1 1 1 1 1 42")
    assert [judged.gain for judged in found(engines, state).moves] == [2]


def test_a_decided_quarto_position_is_proven(engines: Engines) -> None:
    state = Quarto().parse_state("* * * * / * * * * / 4 9 * * / 0 1 2 * next 3")
    told = found(engines, state)
    assert told.proven
    assert told.moves[0].move.startswith("D1")
    assert told.moves[0].score.result == 1


def test_nobody_decides_where_chance_does_or_the_game_is_over(engines: Engines) -> None:
    assert found(engines, Quarto().start()).moves == ()
    over = ConnectFour().parse_state("......./......./......./......./222..../1111...")
    assert found(engines, over).moves == ()


def test_dice_give_everybodys_chances(engines: Engines, policy: Policy) -> None:
    state = Dice().parse_state("saved 91 74 99 points 20 turns 29 choose")
    told = found(engines, state)
    roll, save = policy.after_roll(99, 91, 74, 20), policy.after_save(99, 91, 74, 20)
    by_move = {judged.move: judged.chances for judged in told.moves}
    assert by_move["ROLL"] == pytest.approx((roll[1], roll[2], roll[0]), abs=1e-5)
    assert by_move["SAVE"] == pytest.approx((save[1], save[2], save[0]), abs=1e-5)
    assert found(engines, Dice().start()).facts["hold"] > 10


def test_chances_agree_with_the_policy_everywhere(policy: Policy) -> None:
    race, rng = RACES.read(Dice()), random.Random(5)
    assert race
    for _ in range(40):
        saved = [rng.randrange(150) for _ in range(3)]
        points = rng.randrange(150 - saved[0])
        missing = (150 - saved[0], 150 - saved[1], 150 - saved[2])
        expected = policy.chances(saved[0], saved[1], saved[2], points)
        assert race.now(missing, points) == pytest.approx(expected, abs=1e-5)


def test_a_race_that_is_not_solved_has_no_scores(engines: Engines) -> None:
    told = found(engines, Dice(target=9999).start())
    assert told.moves == ()
    assert told.remarks


def test_shares_keep_proven_and_sooner_further_out() -> None:
    won, later = Score(1, True, 1, 3), Score(1, True, 1, 30)
    assert 1 > share(won, "") > share(later, "") >= 0.5
    assert share(Score(-1, True, -1, 3), "") == -share(won, "")
    assert share(Score(0, True, 0), "") == 0
    assert abs(share(Score(1e9), "points")) < 1


# hints


def test_a_hint_is_a_whole_turn() -> None:
    state = Morris().parse_state("00..1.1./......../........ hand 7 7 player 0 capture 0 quiet 0")
    move = run(Analyst().hint("level=8", state, stays))
    play_turn(state, state.game.parse_turn(move))
    assert move.startswith("A2;")


def test_a_hint_for_dice_is_looked_up() -> None:
    assert run(Analyst().hint("level=1", Dice().start(), stays)) == "ROLL"


def test_a_wrong_player_is_an_error() -> None:
    with pytest.raises(ValueError, match="strategy"):
        run(Analyst().hint("strategy=9", Oware().start(), stays))
    with pytest.raises(EngineError, match="9999"):
        run(Analyst().hint("level=1", Dice(target=9999).start(), stays))


# the queue


class Bench:
    """An analyst whose work is what the test says."""

    def __init__(self) -> None:
        self.analyst = Analyst()
        self.began = threading.Event()
        self.release = threading.Event()
        self.order: list[str] = []

    def block(self) -> Any:
        """A job that holds the thread until it is released or interrupted."""

        def work(interrupt: Interrupt) -> str:
            self.began.set()
            while not (self.release.is_set() or interrupt.raised):
                self.release.wait(0.005)
            self.order.append("interrupted" if interrupt.raised else "block")
            return "block"

        return self.analyst._job(Urgency.CURVE, "block", work)

    def job(self, urgency: Urgency, name: str) -> Any:
        def work(_interrupt: Interrupt) -> str:
            self.order.append(name)
            return name

        return self.analyst._job(urgency, name, work)


def test_the_urgent_interrupts_and_what_it_interrupted_begins_anew() -> None:
    async def work() -> list[str]:
        bench = Bench()
        blocked = asyncio.create_task(bench.analyst._wait(bench.block(), stays))
        await asyncio.to_thread(bench.began.wait, PATIENCE)
        deep = asyncio.create_task(bench.analyst._wait(bench.job(Urgency.DEEPER, "deep"), stays))
        hint = asyncio.create_task(bench.analyst._wait(bench.job(Urgency.HINT, "hint"), stays))
        assert await hint == "hint"
        bench.release.set()
        assert await blocked == "block"
        assert await deep == "deep"
        return bench.order

    assert run(work()) == ["interrupted", "hint", "block", "deep"]


def test_the_same_question_is_answered_once() -> None:
    async def work() -> list[str]:
        bench = Bench()
        blocked = asyncio.create_task(bench.analyst._wait(bench.block(), stays))
        await asyncio.to_thread(bench.began.wait, PATIENCE)
        asked = [bench.analyst._wait(bench.job(Urgency.DEEPER, "same"), stays) for _ in range(5)]
        answers = asyncio.gather(*asked)
        await asyncio.sleep(0)
        bench.release.set()
        assert await answers == ["same"] * 5
        await blocked
        return bench.order

    assert run(work()) == ["block", "same"]


def test_what_nobody_waits_for_is_given_up() -> None:
    async def work() -> list[str]:
        bench = Bench()
        waiting = asyncio.create_task(bench.analyst._wait(bench.block(), has_gone))
        queued = asyncio.create_task(
            bench.analyst._wait(bench.job(Urgency.DEEPER, "never"), has_gone)
        )
        for one in (waiting, queued):
            with pytest.raises(NobodyWaits):
                await one
        await bench.analyst._wait(bench.job(Urgency.DEEPER, "next"), stays)
        return bench.order

    assert run(work()) == ["interrupted", "next"]


def test_too_many_questions_are_refused() -> None:
    async def work() -> None:
        bench = Bench()
        blocked = asyncio.create_task(bench.analyst._wait(bench.block(), stays))
        await asyncio.to_thread(bench.began.wait, PATIENCE)
        for number in range(analysis.QUEUED):
            bench.job(Urgency.DEEPER, str(number))
        with pytest.raises(TooBusy):
            bench.job(Urgency.HINT, "one more")
        bench.release.set()
        await blocked

    run(work())


def test_an_error_reaches_who_asked_and_the_thread_goes_on() -> None:
    async def work() -> None:
        bench = Bench()

        def fail(_interrupt: Interrupt) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await bench.analyst._wait(bench.analyst._job(Urgency.LOOK, "fail", fail), stays)
        assert await bench.analyst._wait(bench.job(Urgency.LOOK, "next"), stays) == "next"

    run(work())


def test_what_is_known_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def look(_engines: Engines, _state: Any, seconds: float, _interrupt: Interrupt) -> Analysis:
        seen.append(seconds)
        return Analysis(moves=(analysis_of(exact=len(seen) > 2),))

    monkeypatch.setattr(analysis, "analyse", look)

    async def work() -> None:
        analyst, state = Analyst(look=1.0), Oware().start()
        for effort in (0, 0, 1, 0, 1, 2, 2):
            await analyst.analyse(state, effort, stays)

    run(work())
    assert seen == [1.0, 2.0, 4.0]


def analysis_of(*, exact: bool) -> Judged:
    return Judged("0", Score(0, exact), 0.0)


# curves


def played(game: Any, choose: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
    state = game.start()
    states, moves = [state], []
    while not state.outcome:
        moves.append(choose(state))
        state = state.play(moves[-1])
        states.append(state)
    return states, moves


def curve_of(game: Any, choose: Callable[[Any], Any], seconds: float = 0.1) -> Curve:
    curve, engines = Curve(*played(game, choose)), Engines()
    while not curve.done:
        curve.advance(engines, seconds, Interrupt())
    return curve


def test_a_curve_ends_with_the_result_and_blames_who_missed_the_win() -> None:
    line = iter([3, 10, 2, 9, 17, 16, 4, 1, 5])  # 4 makes three open; 1 leaves the win, 5 takes it
    curve = curve_of(ConnectFour(), lambda _state: next(line))
    assert all(point and isinstance(point.value, float) for point in curve.points)
    assert all(point and -1 <= point.value <= 1 for point in curve.points)  # type: ignore[operator]
    last = curve.points[-1]
    assert last
    assert last.score == Score(1.0, True, 1, 0)
    assert last.value == 1
    for fault in curve.faults:
        assert fault.better != fault.move
        assert share(fault.before, "") > share(fault.after, "")
    assert [fault.ply for fault in curve.faults] == sorted(fault.ply for fault in curve.faults)


def test_perfect_play_has_no_faults() -> None:
    engine = Engines().of(ConnectFour(4, 4))
    perfect = curve_of(
        ConnectFour(4, 4), lambda state: engine.search(state, Limits(time=2.0, seed=1)).move, 2.0
    )
    assert perfect.faults == []
    assert all(point and point.score and point.score.exact for point in perfect.points)


def test_a_draw_that_opens_the_game_takes_the_value_of_what_follows() -> None:
    rng = random.Random(2)
    curve = curve_of(Quarto(), lambda state: random_move(state, rng))
    assert curve.points[0] == curve.points[1]


def test_dice_curves_are_chances_and_faults_cost_something() -> None:
    def careless(state: Any) -> Any:
        if state.turn < 0:
            return random_move(state, rng)
        return Choice.SAVE if state.points else Choice.ROLL

    rng = random.Random(4)
    curve = curve_of(Dice(target=40), careless)
    assert all(sum(point.value) == pytest.approx(1) for point in curve.points if point)  # type: ignore[arg-type]
    assert curve.faults
    for fault in curve.faults:
        assert fault.before.value - fault.after.value > 0.005
        assert {fault.move, fault.better} == {"ROLL", "SAVE"}


def test_an_interrupted_position_is_looked_at_again() -> None:
    states, moves = played(ConnectFour(4, 4), lambda state: state.legal_moves()[0])
    curve, engines = Curve(states, moves), Engines()
    curve.advance(engines, 0.1, Interrupt())
    raised = Interrupt()
    raised.set()
    curve.advance(engines, 0.1, raised)
    assert curve.points[-1]
    assert curve.points[-2] is None
    curve.advance(engines, 0.1, Interrupt())
    assert curve.points[-2]


def test_a_curve_grows_while_somebody_asks() -> None:
    async def work() -> None:
        analyst = Analyst(step=0.02)
        states, moves = played(ConnectFour(4, 4), lambda state: state.legal_moves()[0])
        assert analyst.curve("game") is None
        curve = analyst.begin_curve("game", states, moves)
        while not curve.done:
            await asyncio.sleep(0.05)
            assert analyst.curve("game") is curve
        assert None not in curve.points

    run(work())


def test_a_curve_that_fails_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Curve, "advance", fail)

    async def work() -> None:
        analyst = Analyst()
        states, moves = played(ConnectFour(4, 4), lambda state: state.legal_moves()[0])
        curve = analyst.begin_curve("game", states, moves)
        await until(lambda: curve.done)

    run(work())
