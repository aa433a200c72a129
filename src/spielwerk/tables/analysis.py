"""Analyses, hints and reviews for those who ask; they take turns with the engines at tables.

The same question is answered once for all who ask it, and given up when all of them have gone.
"""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from spielwerk.engines.analysis import Engines, Interrupt, judge_of
from spielwerk.errors import SpielwerkError
from spielwerk.messages import english
from spielwerk.net.rates import Memory
from spielwerk.tables.thinking import Asker, Urgency

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from spielwerk.engines.analysis import Analysis
    from spielwerk.engines.review import Review
    from spielwerk.games import State
    from spielwerk.tables.thinking import Thinking

log = logging.getLogger(__name__)

QUEUED: Final = 24  # questions of one owner that are not answered yet
ANALYSES: Final = 512  # that are remembered
REVIEWS: Final = 32  # that are remembered
LOOK: Final = 0.8  # seconds of a first look; a deeper one has twice or four times as many
DEEPEST: Final = 2
ATTENTION: Final = 20.0  # seconds that a review goes on without being asked for
FULL_STRENGTH: Final = "level=10"  # whose hints are the analysis's best moves
GLANCE: Final = 0.3  # seconds between two checks whether the caller still waits


class TooBusy(SpielwerkError):
    """More is asked for than can be done."""


class Inquiry:
    """Something that is asked for: how urgently, by whom first, and how many wait."""

    def __init__(self, urgency: Urgency, owner: Hashable, key: Hashable) -> None:
        self.urgency = urgency
        self.owner = owner
        self.key = key
        self.waiting = 0
        self.answer: asyncio.Future[Any]


class Analyst:
    """What is being asked, and what is remembered."""

    def __init__(self, thinking: Thinking, look: float = LOOK) -> None:
        self._thinking = thinking
        self._look = look
        self._idle: list[Engines] = []  # that do not think at the moment
        self._known: Memory[State[Any], tuple[int, Analysis]] = Memory(ANALYSES)
        self._reviews: Memory[str, tuple[Review, list[float]]] = Memory(REVIEWS)
        self._questions: dict[Hashable, Inquiry] = {}

    async def analyse(
        self,
        state: State[Any],
        effort: int,
        gone: Callable[[], Awaitable[bool]],
        owner: Hashable = "",
        *,
        urgent: bool = False,
    ) -> Analysis:
        """What every move is worth there, found with at least this effort, from 0 to DEEPEST."""
        known = self._known.get(state)
        if known and (known[0] >= effort or known[1].proven):
            return known[1]
        seconds = self._look * 2**effort
        urgency = Urgency.HINT if urgent else Urgency.DEEPER if effort else Urgency.LOOK

        def work(engines: Engines, interrupt: Interrupt) -> Analysis:
            return judge_of(state.game.name).analyse(engines, state, seconds, interrupt)

        question = self._ask(urgency, (state, effort), work, owner)
        found: Analysis = await self._wait(question, gone)
        self._known.put(state, (effort, found))
        return found

    async def hint(
        self,
        player: str,
        state: State[Any],
        gone: Callable[[], Awaitable[bool]],
        owner: Hashable = "",
    ) -> str:
        """The whole turn that the player described so would play there.

        At full strength that is the best of the analysis, which must not contradict it later.
        """
        if player == FULL_STRENGTH:
            found = await self.analyse(state, DEEPEST, gone, owner, urgent=True)
            if found.moves:
                return found.moves[0].move

        def work(engines: Engines, interrupt: Interrupt) -> str:
            return judge_of(state.game.name).hint(engines, player, state, interrupt)

        question = self._ask(Urgency.HINT, (player, state, "hint"), work, owner)
        text: str = await self._wait(question, gone)
        return text

    def review(self, game_id: str, owner: Hashable = "") -> Review | None:
        """The game's review that was begun last; asking makes it go on."""
        kept = self._reviews.get(game_id)
        if kept is None:
            return None
        review, asked = kept
        asked[0] = monotonic()
        if not (review.done or review.failed):
            self._grow(game_id, review, asked, owner)
        return review

    def begin_review(self, game_id: str, review: Review, owner: Hashable = "") -> Review:
        """Have the game reviewed."""
        asked = [monotonic()]
        self._grow(game_id, review, asked, owner)
        self._reviews.put(game_id, (review, asked))
        return review

    def _grow(self, game_id: str, review: Review, asked: list[float], owner: Hashable) -> None:
        """Have it go on as long as it is asked for."""

        def work(engines: Engines, interrupt: Interrupt) -> None:
            try:
                while not (review.done or interrupt.raised or monotonic() - asked[0] > ATTENTION):
                    review.advance(engines, interrupt)
            except Exception:
                log.exception("review failed game=%s", game_id)
                review.give_up()

        urgency = Urgency.DEEPER if review.effort else Urgency.REVIEW
        question = self._ask(urgency, (game_id, review.effort), work, owner)
        question.waiting = 1  # the review itself

    # questions

    def _ask(
        self,
        urgency: Urgency,
        key: Hashable,
        work: Callable[[Engines, Interrupt], Any],
        owner: Hashable,
    ) -> Inquiry:
        """The question, or an equal one that is not answered yet; or TooBusy."""
        question = self._questions.get(key)
        if question is None:
            asked = sum(one.owner == owner for one in self._questions.values())
            if asked >= QUEUED:
                raise TooBusy(english("analysis-busy"))
            question = self._questions[key] = Inquiry(urgency, owner, key)
            asker = Asker(owner, partial(getattr, question, "urgency"))
            thinking = self._thinking.think(partial(self._with_engines, work), asker)
            question.answer = asyncio.ensure_future(thinking)
            question.answer.add_done_callback(lambda _: self._forget(question))
        question.urgency = min(question.urgency, urgency)
        return question

    def _with_engines(
        self, work: Callable[[Engines, Interrupt], Any], interrupt: Interrupt, _within: float
    ) -> Any:
        """Do the work with engines that no other thread uses."""
        try:
            engines = self._idle.pop()
        except IndexError:
            engines = Engines()
        try:
            return work(engines, interrupt)
        finally:
            self._idle.append(engines)

    async def _wait(self, question: Inquiry, gone: Callable[[], Awaitable[bool]]) -> Any:
        answer = question.answer
        question.waiting += 1
        try:
            while not answer.done():
                await asyncio.wait([answer], timeout=GLANCE)
                unanswered = answer.cancelled() or not answer.done()  # the server stops, or not yet
                if unanswered and await gone():
                    raise SpielwerkError("the caller has gone")
            return answer.result()
        finally:
            question.waiting -= 1
            if not question.waiting:
                answer.cancel()
                self._forget(question)

    def _forget(self, question: Inquiry) -> None:
        if self._questions.get(question.key) is question:
            del self._questions[question.key]
