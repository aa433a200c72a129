"""The analyst: that nothing is done twice or for nobody, and no caller waits in vain."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

from spielwerk.engines.analysis import Analysis, Engines, Interrupt, Judged, PositionJudge
from spielwerk.engines.interface import Score
from spielwerk.engines.review import Review
from spielwerk.errors import SpielwerkError
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.quarto.rules import Placement, Quarto
from spielwerk.tables import analysis
from spielwerk.tables.analysis import Analyst, TooBusy
from spielwerk.tables.thinking import Thinking, Urgency
from tests.waiting import PATIENCE, until

STATES: list[Any] = [ConnectFour(4, 4).start()]
STATES += [STATES[0].play(0)]


async def stays() -> bool:
    return False


async def has_gone() -> bool:
    return True


def run(work: Coroutine[Any, Any, Any]) -> Any:
    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work

    return asyncio.run(limited())


# questions


class Bench:
    """An analyst whose work is what the test says."""

    def __init__(self) -> None:
        self.analyst = Analyst(Thinking(1))
        self.began = threading.Event()
        self.release = threading.Event()
        self.order: list[str] = []

    def block(self) -> Any:
        """A question that holds a thread until it is released or interrupted."""

        def work(_engines: Engines, interrupt: Interrupt) -> str:
            self.began.set()
            while not (self.release.is_set() or interrupt.raised):
                self.release.wait(0.005)
            self.order.append("interrupted" if interrupt.raised else "block")
            return "block"

        return self.analyst._ask(Urgency.REVIEW, "block", work, "")

    def ask(self, urgency: Urgency, name: str, owner: str = "") -> Any:
        def work(_engines: Engines, _interrupt: Interrupt) -> str:
            self.order.append(name)
            return name

        return self.analyst._ask(urgency, name, work, owner)


def test_the_same_question_is_answered_once() -> None:
    async def work() -> list[str]:
        bench = Bench()
        blocked = asyncio.create_task(bench.analyst._wait(bench.block(), stays))
        await asyncio.to_thread(bench.began.wait, PATIENCE)
        asked = [bench.analyst._wait(bench.ask(Urgency.DEEPER, "same"), stays) for _ in range(5)]
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
        with pytest.raises(SpielwerkError, match="has gone"):
            await waiting
        await until(lambda: bench.order)
        await bench.analyst._wait(bench.ask(Urgency.DEEPER, "next"), stays)
        return bench.order

    assert run(work()) == ["interrupted", "next"]


def test_too_many_questions_of_one_owner_are_refused() -> None:
    async def work() -> None:
        bench = Bench()
        blocked = asyncio.create_task(bench.analyst._wait(bench.block(), stays))
        await asyncio.to_thread(bench.began.wait, PATIENCE)
        for number in range(analysis.QUEUED - 1):
            bench.ask(Urgency.DEEPER, str(number))
        with pytest.raises(TooBusy):
            bench.ask(Urgency.HINT, "one more")
        bench.ask(Urgency.HINT, "another's", "other")
        bench.release.set()
        await blocked

    run(work())


def test_an_error_reaches_who_asked_and_the_thread_goes_on() -> None:
    async def work() -> None:
        bench = Bench()

        def fail(*_arguments: object) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await bench.analyst._wait(bench.analyst._ask(Urgency.LOOK, "fail", fail, ""), stays)
        assert await bench.analyst._wait(bench.ask(Urgency.LOOK, "next"), stays) == "next"

    run(work())


def test_what_is_known_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    def look(
        _self: PositionJudge, _engines: Any, _state: Any, seconds: float, _stop: Any
    ) -> Analysis:
        seen.append(seconds)
        return Analysis(moves=(Judged("0", Score(0, exact=len(seen) > 2), 0.0),))

    monkeypatch.setattr(PositionJudge, "analyse", look)

    async def work() -> None:
        analyst, state = Analyst(Thinking(1), look=1.0), STATES[0]
        for effort in (0, 0, 1, 0, 1, 2, 2):
            await analyst.analyse(state, effort, stays)

    run(work())
    assert seen == [1.0, 2.0, 4.0]


def test_a_hint_at_full_strength_is_the_best_of_the_analysis() -> None:
    async def work() -> None:
        analyst, state = (
            Analyst(Thinking(1), look=0.01),
            Quarto(first=0).start().play(Placement(0, 1)),
        )
        for _ in range(4):
            move = await analyst.hint("level=10", state, stays)
            told = await analyst.analyse(state, analysis.DEEPEST, stays)
            assert move == told.moves[0].move
            state = state.play(state.game.parse_move(move))

    run(work())


# reviews


def test_a_review_goes_on_while_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    def look(_review: Review, ply: int, *_arguments: Any) -> None:
        looked.append(ply)

    monkeypatch.setattr(Review, "look", look)

    async def work() -> None:
        analyst = Analyst(Thinking(1))
        assert analyst.review("game") is None
        review = analyst.begin_review("game", Review(STATES, [0]))
        assert analyst.review("game") is review
        await until(lambda: review.done)

    run(work())
    assert looked == [1, 0]


def test_a_review_that_fails_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_arguments: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Review, "advance", fail)

    async def work() -> None:
        review = Analyst(Thinking(1)).begin_review("game", Review(STATES, [0]))
        await until(lambda: review.failed)
        assert not review.done

    run(work())
