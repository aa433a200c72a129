"""Talking with a client through the server's machine: bytes out, lines in, and what is wrong."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from spielwerk.check.mnm.refusals import (
    Heard,
    last_sent,
    lateness,
    on_a_piece,
    unasked,
    wrongness,
)
from spielwerk.check.texts import sentence
from spielwerk.check.trial import CheckSettings, Trial
from spielwerk.check.visible import visible
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import (
    Choose,
    ClientBreach,
    ClientFault,
    Join,
    Message,
    MnmServerSide,
    Play,
    Timing,
    Waited,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from spielwerk.check.connection import TrialConnection
    from spielwerk.wire.mnm.server import Pace
    from spielwerk.wire.mnm.words import Dialect

BY_HAND: Final = 120.0  # seconds for an answer in the prolog of a client that its author runs
LATER: Final = 5.0  # seconds in which a late answer is still measured
CERTAIN: Final = 10.0  # seconds for a program to end; no load of ours is the cause then
BRIEF: Final = 3.0  # seconds for what has been waited for in vain in another case
FLOOD: Final = 300_000  # bytes, more than any client has to say in a case
BUSY: Final = 0.6  # of a processor, in the last second

M = TypeVar("M", Join, Choose, Waited, Play)


class Experience:
    """What all cases of a check have waited for: a program that never does it gets less time."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._missed: Counter[str] = Counter()

    def saw(self, what: str) -> None:
        """It has happened."""
        self._seen.add(what)

    def missed(self, what: str) -> None:
        """It has not, though there was time enough."""
        self._missed[what] += 1

    def hopeless(self, what: str) -> bool:
        """Whether more patience is useless."""
        return what not in self._seen and self._missed[what] > 1


class MnmConversation(Trial):
    """One connection: `hear` says what the machine has ready and takes what the client answers."""

    package: ClassVar = "spielwerk.check.mnm"
    one_connection: ClassVar = True
    connection: TrialConnection
    machine: MnmServerSide

    def __init__(
        self,
        settings: CheckSettings,
        dialect: Dialect,
        pace: Pace,
        experience: Experience | None,
    ) -> None:
        super().__init__(settings)
        self.dialect = dialect
        self._experience = experience or Experience()
        self.timing = Timing(prolog=settings.patience if settings.command else BY_HAND)
        self.asked = 0.0  # when MOVE was said last, in the transcript's time
        self.milliseconds = 0  # what it has told
        self._received = 0  # bytes
        self._more_to_come = False  # what was written last is not all of an answer
        self.pace = pace  # of our answers
        self.cut: Callable[[bytes], Iterator[bytes]] = lambda segment: iter((segment,))
        self.pause = 0.0  # seconds between the pieces of a segment
        self._paused = 0.0  # all of them together: the machine's clock stands still meanwhile

    @property
    def now(self) -> float:
        """The machine's time, in which pieces of a segment are written at once."""
        return self._loop.time() - self._paused

    # what is said

    async def raw(self, data: bytes) -> None:
        """Write bytes as they are, cut as the script wants it."""
        for piece in self.cut(data):
            if self.connection.gone:
                break
            self.connection.send(piece)
            if self.pause:
                before = self._loop.time()
                await asyncio.sleep(self.pause)
                self._paused += self._loop.time() - before

    async def flush(self) -> None:
        """Write everything that the machine has said, in its pace."""
        while self.machine.writing:
            if not await self._write():
                await asyncio.sleep(max(0.0, self.machine.due - self.now))

    async def _write(self) -> bool:
        segments, gone = self.machine.segments(self.now), self.connection.gone
        for segment in segments:
            await self.raw(segment)
        if segments and not gone:
            self._more_to_come = self.machine.writing
        return bool(segments)

    # what is heard

    def heard(self) -> Heard:
        """What the client has said so far, line by line."""
        return Heard(self.transcript)

    @property
    def took(self) -> float:
        """Seconds from our last byte to the line that was taken last."""
        return self.heard().took(self.machine.lines_taken - 1)

    def here(self, right: str) -> dict[str, Any]:
        """The place behind the right beginning of the line that was taken last."""
        return self.heard().place(self.machine.lines_taken - 1, len(right))

    async def hear(self, wanted: type[M]) -> M:
        """Say what is ready, and hear the client's next message, which must be of this type."""
        while True:
            message, _ = await self._next()
            if isinstance(message, wanted):
                return message

    async def reach(self, word: str) -> None:
        """Say what is ready, hear a line with this word, and keep the answer ready."""
        while (await self._next())[1] != word:
            pass

    async def _next(self) -> tuple[Message | None, str]:
        """What the client's next line means, and the word that was due."""
        while True:
            due, before = self.machine.wanted, self.machine.lines_taken
            message = self.machine.next_message(self.now)
            if isinstance(message, ClientBreach):
                await self._breached(message, due, before)
            if self.machine.lines_taken > before:
                self._experience.saw(self._answer(due))
                return message, due
            if await self._write() or self._take():
                continue
            if not self.connection.gone:
                await self._listen(due, before)
            else:
                await self._closed(due)

    async def _listen(self, due: str, number: int) -> None:
        """Wait for the client, or until something is to be done."""
        left = self.machine.due - self.now
        hopeless = left > BRIEF and self._experience.hopeless(self._answer(due))
        if not await self.connection.changed(BRIEF if hopeless else left) and hopeless:
            await self._silent(due, number, BRIEF)

    def _answer(self, due: str) -> str:
        return f"{due} at {self.pace}, {self.pause}"

    def _take(self) -> bool:
        taken = self.connection.take()
        for at, data in taken:
            self.machine.receive(data, at - self._paused)
            self._received += len(data)
        if self._received > FLOOD:
            self.fail("flood", count=FLOOD)
        return bool(taken)

    async def says_more(self, number: int, seconds: float) -> bool:
        """Whether the client says the line of this number within so many seconds."""
        until = self._loop.time() + seconds
        while len(self.heard().lines) <= number:
            if self.connection.gone or not await self.connection.changed(until - self._loop.time()):
                return False
            self._take()
        return True

    async def quiet(self, seconds: float, early: str = "") -> None:
        """Say nothing for a while; the client may only say early what it will have to say."""
        until = self._loop.time() + seconds
        while not self.connection.gone and self._loop.time() < until:
            await self.connection.changed(until - self._loop.time())
            self._take()
        self._paused += seconds
        heard, first = self.heard(), self.machine.lines_taken
        for number, line in enumerate(heard.lines[first:], first):
            if not early or not line.startswith(early.encode()):
                self.fail("unasked", **unasked(heard, number))
        if self.connection.gone:
            self.look_for_crash()
            self.fail("gave-up", advice=True, seconds=seconds)

    async def ends(self, moment: str, patience: float = CERTAIN, *, advice: bool = False) -> None:
        """The client must end by itself now; of one that runs elsewhere the connection shows it."""
        hopeless = self._experience.hopeless(moment)
        patience = BRIEF if hopeless else patience
        ended = await self.has_ended(patience - 1)
        used = self._used()
        if ended or await self.has_ended(1.0):
            self._experience.saw(moment)
            if self.program:
                self.happened("ended", status=self.program.status)
            return
        self._experience.missed(moment)
        if hopeless:
            self.happened("hopeless", seconds=patience)
        what = sentence(self.package, "moment", moment, {})
        busy = "busy" if self._used() - used > BUSY else ""
        told: dict[str, Any] = {"seconds": patience, "what": what, "hint": busy}
        self.blame("did-not-end", advice=advice, timed=not hopeless, **told)

    async def has_ended(self, patience: float) -> bool:
        """Whether the client ends within so many seconds."""
        if self.program:
            return await self.program.ended(patience)
        until = self._loop.time() + patience
        while not self.connection.gone and self._loop.time() < until:
            self.connection.take()
            await self.connection.changed(until - self._loop.time())
        return bool(self.connection.gone)

    def _used(self) -> float:
        """Seconds of a processor that the program has used."""
        return self.program.tree.cpu() / 1000 if self.program else 0.0

    # what was wrong

    async def _closed(self, due: str) -> NoReturn:
        """The client has gone where it should have answered, perhaps before all was said."""
        if self.program:
            await self.program.ended(1.0)
        self.look_for_crash()
        hint = self._last_words()
        if on_a_piece(self.transcript):
            hint = {"hint": "piece"}
        elif self._more_to_come:
            hint = {"hint": "half-read"}
        self.fail("closed-early", wanted=due, timed=self._more_to_come, **hint)

    async def _breached(self, breach: ClientBreach, due: str, number: int) -> NoReturn:
        """The client has said something wrong, or nothing; its line would have this number."""
        if breach.fault is ClientFault.PROTOCOL:
            wrong = wrongness(self.heard(), number, due, breach, self.dialect)
            piece = "piece" if on_a_piece(self.transcript) else ""
            self.fail(**{**wrong, "hint": wrong.get("hint") or piece})
        since, limit = last_sent(self.transcript), self._limit(due)
        if breach.fault is ClientFault.SLOW_MOVE:
            since, limit = self.asked, self.milliseconds / 1000
        if not await self.says_more(number, LATER):
            await self._silent(due, number, limit + LATER)
        self.fail(**lateness(self.heard(), number, due, since, limit))

    async def _silent(self, due: str, number: int, seconds: float) -> NoReturn:
        """The client has not answered, and will not; perhaps it waits for something."""
        if self.connection.gone:
            await self._closed(due)
        if rest := self.heard().rest.strip(b"\0"):
            self.fail("unfinished", said=visible(rest), wanted=due, limit=seconds, hint="newline")
        if seconds > BRIEF:
            self._experience.missed(self._answer(due))
        else:
            self.happened("hopeless", seconds=seconds)
        await self.raw(b"+ WAIT\n")
        hint = "recv-for-line" if await self.says_more(number, 1.0) else ""
        self.fail(
            "silent", wanted=due, limit=seconds, hint=hint, timed=seconds > BRIEF and not hint
        )

    def _limit(self, due: str) -> float:
        limits = {words.OKWAIT: self.timing.okwait, words.THINKING: self.timing.thinking}
        return limits.get(due, self.timing.prolog)
