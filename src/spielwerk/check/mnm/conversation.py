"""Talking with a client through the server's machine: bytes out, lines in, and what is wrong."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from spielwerk.check.case import Side
from spielwerk.check.started import BRIEF, ProgramTrial
from spielwerk.check.visible import alike, visible
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
    from spielwerk.check.trial import CheckSettings
    from spielwerk.wire.mnm.server import Pace
    from spielwerk.wire.mnm.words import Dialect

BY_HAND: Final = 120.0  # seconds for an answer in the prolog of a client that its author runs
LATER: Final = 5.0  # seconds in which a late answer is still measured
FLOOD: Final = 300_000  # bytes, more than any client has to say in a case

_LONG: Final = "|".join(sorted(words.CLIENT_WORDS - {words.ID}, key=len, reverse=True))
_GLUED: Final = re.compile(rf"VERSION [0-9.]*ID |(?:ID|{_LONG}).*?(?:{_LONG})".encode())
_FORMS: Final = frozenset({words.VERSION, words.ID, words.PLAYER, words.PLAY})  # not always alike

M = TypeVar("M", Join, Choose, Waited, Play)


class MnmConversation(ProgramTrial):
    """One connection: `hear` says what the machine has ready and takes what the client answers."""

    package: ClassVar = "spielwerk.check.mnm"
    one_connection: ClassVar = True
    most_connections: ClassVar = 64
    machine: MnmServerSide

    def __init__(self, settings: CheckSettings, dialect: Dialect, pace: Pace) -> None:
        super().__init__(settings)
        self.dialect = dialect
        self.timing = Timing(prolog=settings.patience if settings.command else BY_HAND)
        self.asked = 0.0  # when MOVE was said last, in the time of `now`
        self.milliseconds = 0  # what it has told
        self.pace = pace  # of our answers
        self._more_to_come = False  # what was written last is not all of an answer

    # what is said

    async def flush(self) -> None:
        """Write everything that the machine has said, in its pace."""
        while self.machine.writing:
            if not await self._write():
                await asyncio.sleep(max(0.0, self.machine.due - self.now))

    async def _write(self) -> bool:
        segments, gone = self.machine.segments(self.now), self.connection.gone
        for segment in segments:
            await self.say(segment)
        if segments and not gone:
            self._more_to_come = self.machine.writing
        return bool(segments)

    # what is heard

    def line(self, number: int) -> bytes:
        """A line of the client, without what C programs send behind their strings."""
        return self.said().split(b"\n")[number].lstrip(b"\0")

    def here(self, right: str) -> dict[str, Any]:
        """The place behind the right beginning of the line that was taken last."""
        return self.where(self.line(self.machine.lines_taken - 1), len(right.encode()))

    async def hear(self, wanted: type[M]) -> M:
        """Say what is ready, and hear the client's next message, which must be of this type."""
        while True:
            message, _ = await self._next()
            if isinstance(message, wanted):
                return message

    async def reach_word(self, word: str) -> None:
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
                self.settings.experience.note(self._answer(due), happened=True)
                return message, due
            if await self._write() or self._take():
                continue
            if self.connection.gone:
                await self._closed(due)
            left = self.machine.due - self.now
            hopeless = left > BRIEF and self.settings.experience.hopeless(self._answer(due))
            if not await self.connection.changed(BRIEF if hopeless else left) and hopeless:
                await self._silent(due, before, BRIEF)

    def _answer(self, due: str) -> str:
        return f"{due} at {self.pace}, {self.pause}"

    def _take(self) -> bool:
        taken = self.heard()
        for at, data in taken:
            self.machine.receive(data, at)
        if taken and len(self.said()) > FLOOD:
            self.fail("flood", count=FLOOD)
        return bool(taken)

    async def says_more(self, number: int, seconds: float) -> bool:
        """Whether the client says the line of this number within so many seconds."""
        until = self._loop.time() + seconds
        while self.said().count(b"\n") <= number:
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
        first, count = self.machine.lines_taken, self.said().count(b"\n")
        for number in range(first, count):
            line = self.line(number)
            if not early or not line.startswith(early.encode()):
                hint = self._cause(number, "")
                hint = hint if hint in ("empty-line", "twice") else ""
                self.fail("unasked", said=visible(line), hint=hint, **self.where(line + b"\n"))
        if self.connection.gone:
            self.look_for_crash()
            self.fail("gave-up", advice=True, seconds=seconds)

    # what was wrong

    async def _closed(self, due: str) -> NoReturn:
        """The client has gone where it should have answered, perhaps before all was said."""
        if self.program:
            await self.program.ended(1.0)
        self.look_for_crash()
        hint = self.parting_words()
        if self._more_to_come and hint.get("hint") != "early":
            hint = {"hint": "half-read"}
        self.fail("closed-early", wanted=due, timed=self._more_to_come, **hint)

    async def _breached(self, breach: ClientBreach, due: str, number: int) -> NoReturn:
        """The client has said something wrong, or nothing; its line would have this number."""
        if breach.fault is ClientFault.PROTOCOL:
            self._refuse(number, due, breach)
        sent = [one.at for one in self.transcript if one.side is Side.CHECKER]
        since, limit = sent[-1], self._limit(due)
        if breach.fault is ClientFault.SLOW_MOVE:
            since, limit = self.asked + self._paused - self._began, self.milliseconds / 1000
        if not await self.says_more(number, LATER):
            await self._silent(due, number, limit + LATER)
        place = self.where(self.line(number))
        seconds = self.transcript[place["entry"]].at - since
        self.fail("late", wanted=due, seconds=seconds, limit=limit, timed=True, **place)

    async def _silent(self, due: str, number: int, seconds: float) -> NoReturn:
        """The client has not answered, and will not; perhaps it waits for something."""
        if self.connection.gone:
            await self._closed(due)
        if rest := self.said().rpartition(b"\n")[2].strip(b"\0"):
            self.fail("unfinished", said=visible(rest), wanted=due, limit=seconds, hint="newline")
        certain = seconds <= BRIEF
        if not certain:
            self.settings.experience.note(self._answer(due), happened=False)
        await self.say(b"+ WAIT\n")  # does it read on with what comes next?
        hint = "together" if await self.says_more(number, 1.0) else ""
        self.fail("silent", wanted=due, limit=seconds, hint=hint, timed=not (certain or hint))

    def _limit(self, due: str) -> float:
        limits = {words.OKWAIT: self.timing.okwait, words.THINKING: self.timing.thinking}
        return limits.get(due, self.timing.prolog)

    def _refuse(self, number: int, due: str, breach: ClientBreach) -> NoReturn:
        """Blame a line that the server would refuse."""
        if number >= self.said().count(b"\n"):
            self.fail("too-long", detail=breach.detail, wanted=due)
        line, dialect = self.line(number), self.dialect
        told: dict[str, Any] = {"said": visible(line), "expected": (self._form(due),)}
        if breach.text == dialect.wrong_version:
            version = line.removeprefix(b"VERSION ")
            told |= {"said": visible(version), "server": dialect.version, "major": dialect.major}
            hint = "version-prefix" if version[:1] in (b"v", b"V") else ""
            place = self.where(line, alike(line, f"VERSION {dialect.major}".encode()))
            self.fail("wrong-version", everywhere=True, hint=hint, **told, **place)
        if breach.text == words.BAD_ID:
            place = self.where(line, len("ID "))
            self.fail("malformed-id", everywhere=True, **told, **place)
        if breach.text == dialect.no_seat:
            self.fail("no-such-seat", **told, **self.where(line, len("PLAYER ")))
        hint = self._cause(number, due)
        hint = hint or ("early" if self.reading_hint() == "early" else "")
        place = self.where(line, alike(line, due.encode()))
        self.fail("wrong-line", wanted=due, text=breach.text, hint=hint, **told, **place)

    def _form(self, due: str) -> bytes | str:
        """What a line has to look like."""
        if due in _FORMS:
            return self.told("form", due, major=self.dialect.major)
        return f"{due}\n".encode()

    def _cause(self, number: int, due: str) -> str:
        """The hint that the line itself gives, if any."""
        line = self.line(number).rstrip(b" \0\r")
        if not line:
            return "empty-line"
        if _GLUED.match(line):
            return "glued"
        if number and line == self.line(number - 1).rstrip(b" \0\r"):
            return "twice"
        if line.strip() != line and line.strip().startswith(due.encode()):
            return "blank-first"
        if line.startswith(due.encode()):
            return "trailing"
        return "letters" if line.upper().startswith(due.encode()) else ""
