"""What a dice server and one bot say to each other, line by line, and what is wrong with a line."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from spielwerk.check.case import Side, Wording
from spielwerk.check.trial import Trial
from spielwerk.errors import quote
from spielwerk.wire.dice import words
from spielwerk.wire.dice.server import BotBreach, BotFault, BotParted, Decided, DiceLimits, Named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from spielwerk.check.connection import TrialConnection
    from spielwerk.check.trial import CheckSettings
    from spielwerk.wire.dice.server import DiceServerSide

SLACK: Final = 0.25  # seconds that we do not count
BREATH: Final = 0.006  # seconds after a message, so that the next does not come with it

_HEADS: Final = {"HELO": 1, "TURN": 2, "WIN": 1, "DEF": 1, "ERR": 1}  # words before the free text
_PADDING: Final = b"\0"  # C programs send the ends of their strings; the server does not mind

M = TypeVar("M", Named, Decided, BotParted)


@dataclass(frozen=True, slots=True)
class DueAnswer:
    """What the bot has to say: any of these lines."""

    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """The words that would do."""
        return " or ".join(line.split(" ")[0] for line in self.lines)

    @property
    def said(self) -> Wording:
        """The same for readers."""
        return Wording(self.name, self.name.replace(" or ", " oder "))

    @property
    def expected(self) -> tuple[bytes | str, ...]:
        """As a fault tells it."""
        if len(self.lines) > 1:
            return (self.said,)
        return (f"{self.lines[0]}\n".encode(),)

    def differs(self, came: bytes) -> int:
        """The first byte that fits none of the lines."""
        return max(_common(came, f"{line}\n".encode()) for line in self.lines)


DECISION: Final = DueAnswer((words.ROLL, words.SAVE))
NOTHING: Final = DueAnswer(("",))
LIMITS: Final = DiceLimits()


class DiceTalk(Trial):
    """A connection to a bot; lines go out as a case wants them, and answers are judged."""

    package: ClassVar = "spielwerk.check.dice"
    one_connection: ClassVar = True
    connection: TrialConnection
    machine: DiceServerSide

    def __init__(self, settings: CheckSettings, answer: float) -> None:
        super().__init__(settings)
        self.answer = answer
        self.patience = 2 * answer + 1  # seconds after which no answer is hoped for
        self.texts: dict[str, str] = {}  # free text by message, where it is not the usual one
        self.cut: Callable[[bytes], Iterable[bytes]] = lambda data: (data,)
        self.pause = 0.0  # seconds between the pieces of a message
        self.together = False  # messages come in one segment until an answer is due
        self._pieces = self._lines = 1  # of the last segment
        self._managed: set[str] = set()  # the manners of sending that the bot has coped with
        self._early = False  # it has answered a line that was not complete
        self._used = 0  # bytes of the bot that have been read as lines
        self.answered = 0  # where the line began that was read last

    @property
    def now(self) -> float:
        """The loop's time."""
        return self._loop.time()

    # what is said

    async def speak(self) -> None:
        """Send what the machine has to say, unless it waits for more."""
        if not self.together:
            await self.flush()
            await asyncio.sleep(BREATH)

    async def flush(self) -> None:
        """Send all that the machine has to say, in the pieces that the case wants."""
        lines = self.machine.segment().decode().splitlines()
        data = "".join(f"{self._with_text(line)}\n" for line in lines).encode()
        pieces = [piece for piece in self.cut(data) if piece]
        if pieces:
            self._pieces, self._lines = len(pieces), len(lines)
        for number, piece in enumerate(pieces):
            if number:
                await asyncio.sleep(self.pause)
                self._early |= bool(self.pull())
            self.connection.send(piece)

    def _with_text(self, line: str) -> str:
        """The message with the free text that the case wants."""
        parts = line.split(" ")
        if parts[0] not in self.texts:
            return line
        head = " ".join(parts[: _HEADS[parts[0]]])
        return f"{head} {self.texts[parts[0]]}".rstrip(" ")

    @property
    def _manner(self) -> str:
        """How the last lines were sent, if not simply."""
        return "pieces" if self._pieces > 1 else "together" if self._lines > 1 else ""

    # what is heard

    async def hear(self, wanted: type[M], due: DueAnswer) -> M:
        """The bot's answer, which must be of this type and in time."""
        await self.flush()
        asked = arrived = self.now
        while True:
            message = self.machine.next_message(self.now)
            if isinstance(message, BotBreach):
                self._refuse(message, due)
            if isinstance(message, wanted):
                self.answered, self._used = self._used, self._line_end()
                self._managed.add(self._manner)
                self._judge_time(due, arrived - asked)
                return message
            if self.connection.gone:
                self.look_for_crash()
                last = self._last_words()
                self.fail("closed-early", due=due.said, expected=due.expected, **last)
            if await self.connection.changed(self.machine.due - self.now):
                arrived = self.pull() or arrived

    def pull(self) -> float:
        """Give the machine what has come; when the last of it came, or 0 if there is nothing."""
        arrived = 0.0
        for arrived, data in self.connection.take():
            self.machine.receive(data, arrived)
        return arrived

    def nothing_unasked(self) -> None:
        """Blame a line that came when nothing was to be said."""
        self.pull()
        if not self.machine.silent:
            line = self._line()
            hint = "" if line.strip() else "empty-line"
            self.fail_at(self._used, "unasked", NOTHING, hint=hint, got=shown(line))

    async def quiet(self, seconds: float) -> None:
        """Say nothing for so long; the bot has to wait."""
        deadline = self.now + seconds
        while self.now < deadline:
            await asyncio.sleep(min(0.05, max(0.0, deadline - self.now)))
            self.nothing_unasked()
            if self.connection.gone:
                self.look_for_crash()
                self.fail("left", **self._last_words())

    # what is wrong

    def fail_at(
        self, place: int, kind: str, due: DueAnswer, *, hint: str = "", **values: Any
    ) -> NoReturn:
        """Blame a line that begins at this byte of all that the bot has sent."""
        while self._stream()[place : place + 1] == _PADDING:
            place += 1
        if due is not NOTHING:
            place += due.differs(self._stream()[place:])
            values["expected"] = due.expected
        entry, position = self._find(place)
        hint = "early" if self._early else hint
        self.fail(kind, due=due.said, hint=hint, entry=entry, position=position, **values)

    def _judge_time(self, due: DueAnswer, seconds: float) -> None:
        if seconds > self.answer + SLACK:
            limits = {"seconds": seconds, "limit": self.answer}
            self.fail("late", due=due.said, timed=True, everywhere=True, **limits)

    def _refuse(self, breach: BotBreach, due: DueAnswer) -> NoReturn:
        """Blame the bot for what the machine refuses."""
        if breach.fault is BotFault.LATE:
            self._unanswered(due)
        if breach.violation == words.too_much(LIMITS.backlog):
            self.fail("flood", count=len(self._stream()) - self._used, due=due.said)
        if breach.violation == words.too_long(LIMITS.line):
            self.fail("too-long", limit=LIMITS.line, due=due.said, expected=due.expected)
        line = self._line()
        named = due.name == words.AUTH and line.lstrip(_PADDING).startswith(b"AUTH ")
        kind = "bad-name" if named else "wrong-message"
        self.fail_at(self._used, kind, due, hint=self.misspelt(line, due), got=shown(line))

    def misspelt(self, line: bytes, due: DueAnswer) -> str:
        """The hint for a line that is nearly right."""
        text = line.decode(errors="replace").strip(" \r\n\0")
        if not text:
            return "empty-line"
        if '"' in text:
            return "quotation-marks"
        if " ".join(text.split()) in due.lines:
            return "blanks"
        heads = due.name.split(" or ")
        head = text.split(" ")[0]
        return "capitals" if head not in heads and head.upper() in heads else ""

    def _unanswered(self, due: DueAnswer) -> NoReturn:
        if rest := self._stream()[self._used :].strip(_PADDING):
            self.fail_at(self._used, "no-newline", due, got=shown(rest))
        manner = self._manner
        self.fail(
            "no-answer",
            due=due.said,
            seconds=self.patience,
            expected=due.expected,
            hint="" if manner in self._managed else manner,
            pieces=self._pieces,
            lines=self._lines,
            timed=True,
        )

    # the bytes of the bot

    def _stream(self) -> bytes:
        return b"".join(one.data for one in self.transcript if one.side is Side.PROGRAM)

    def _line(self) -> bytes:
        """The line that has not been used."""
        return self._stream()[self._used : self._line_end()]

    def _line_end(self) -> int:
        """Behind that line, or behind everything."""
        stream = self._stream()
        return stream.find(b"\n", self._used) + 1 or len(stream)

    def _find(self, place: int) -> tuple[int, int]:
        """The entry of the transcript that has this byte of the bot, and where in it."""
        found = len(self.transcript) - 1, 0
        for number, one in enumerate(self.transcript):
            if one.side is Side.PROGRAM:
                found = number, min(place, len(one.data))
                if place < len(one.data):
                    break
                place -= len(one.data)
        return found


def shown(line: bytes) -> str:
    """A line as it stands in a sentence."""
    return quote(line.removesuffix(b"\n").strip(_PADDING).decode(errors="replace"))


def _common(came: bytes, line: bytes) -> int:
    """How many bytes are equal."""
    pairs = zip(came, line, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(came), len(line)))
