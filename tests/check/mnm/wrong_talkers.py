"""Clients that talk wrongly, each in one thing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from spielwerk.games import State
from tests.check.mnm.honest import HonestClient, Refused
from tests.check.planting import Faults, Lost

found = Faults()


# the prolog, done wrongly


@found("prolog/first-seat", "wrong-version", '"v1\\.42"', "only the server")
class PrefixesItsVersion(HonestClient):
    def version(self) -> str:
        return f"v{self.major}.42"


@found("prolog/first-seat", "wrong-version", '"0\\.9"')
class OldVersion(HonestClient):
    def version(self) -> str:
        return "0.9"


@found("prolog/first-seat", "malformed-id", "ID spielwerk0")
class CutsTheID(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(text[:-1] if text.startswith("ID") else text)


@found("prolog/first-seat", "wrong-id", "abcdefghijk; it was told spielwerk01")
class OwnID(HonestClient):
    async def say(self, text: str) -> None:
        await super().say("ID abcdefghijk" if text.startswith("ID") else text)


@found("prolog/second-seat", "no-such-seat", '"PLAYER 2"')
class CountsSeatsFromOne(HonestClient):
    def wanted(self) -> str:
        return f"PLAYER {int(self.places['player']) + 1}"


@found("prolog/any-seat", "illegal-move", "no stone of yours", game="morris")
class TrustsItsOption(HonestClient):
    """Takes the seat of its command line for its own, whatever YOU says."""

    def wanted(self) -> str:
        return "PLAYER"

    async def look_at_seat(self, you: Sequence[str]) -> None:
        await super().look_at_seat(["YOU", self.places["player"], *you[2:]])


@found("prolog/minor-version", "closed-early", "VERSION was due")
class KnowsOneServer(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if line.startswith("+ MNM") and ".0 " not in line and not line.endswith(".0"):
            raise Lost
        return line


@found("prolog/other-game", "went-on", "plays Halma")
class PlaysAnything(HonestClient):
    async def look_at_kind(self, kind: str) -> None:
        """It does not look."""


@found("prolog/other-game", "went-on", "plays Halma")
class LooksAnywhere(HonestClient):
    """Finds the kind of its game in the name of another."""

    name = ""

    async def look_at_kind(self, kind: str) -> None:
        name = await self.heard()
        await super().look_at_kind(self.kind if self.kind in kind + name else kind)
        self.name = name

    async def heard(self) -> str:
        name, self.name = self.name, ""
        return name or await super().heard()


@found("prolog/other-game", "did-not-close", "had named another game")
class StaysForNothing(HonestClient):
    async def look_at_kind(self, kind: str) -> None:
        if kind != self.kind:
            await asyncio.sleep(3600)


@found("names/blanks-and-digits", "closed-early", "THINKING was due")
class TakesTheThirdWord(HonestClient):
    """Reads whether a player is ready where the name goes on."""

    async def heard(self) -> str:
        text = await super().heard()
        if text[:1].isdigit() and text.split(" ")[2] not in ("0", "1"):
            raise Lost
        return text


@found("names/utf-8", "closed-early", "PLAYER was due")
class KnowsAscii(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if not line.isascii():
            raise Lost
        return line


@found("names/long", "closed-early", "PLAYER was due")
class ShortBuffer(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if len(line) > 127:
            raise Lost
        return line


@found("names/like-words", "silent", "THINKING had not come")
class FindsTheEndAnywhere(HonestClient):
    async def heard(self) -> str:
        text = await super().heard()
        return "ENDPLAYERS" if "ENDPLAYERS" in text else text


@found("names/like-signs", "wrong-line", '"OKWAIT" where THINKING')
class FindsWaitAnywhere(HonestClient):
    async def heard(self) -> str:
        text = await super().heard()
        if "WAIT" in text and text != "WAIT":
            await self.ok_wait()
        return text


@found("names/like-signs", "closed-early", "PLAYER was due")
class FindsMinusAnywhere(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if "- " in line[:4]:
            raise Refused
        return line


# waiting, done wrongly


class Waits(HonestClient):
    """Answers WAIT with these bytes, after so many seconds."""

    answer = b"OKWAIT\n"
    seconds = 0.0

    async def ok_wait(self) -> None:
        await asyncio.sleep(self.seconds)
        await self.write(self.answer)


@found("wait/long", "unfinished", '"OKWAIT" and no newline', "newline")
class NoNewline(Waits):
    answer = b"OKWAIT"


@found("wait/long", "wrong-line", '"okwait" where OKWAIT', "capital letters")
class SmallLetters(Waits):
    answer = b"okwait\n"


@found("wait/long", "wrong-line", '" OKWAIT" where OKWAIT', "a blank before")
class BlankFirst(Waits):
    answer = b" OKWAIT\n"


@found("wait/long", "wrong-line", '"OKWAIT 1" where OKWAIT', "follows the word")
class SaysMore(Waits):
    answer = b"OKWAIT 1\n"


@found("wait/long", "unasked", '"OKWAIT"', "the same line came just before")
@found("wait/often", "wrong-line", '"OKWAIT" where THINKING', "just before")
class AnswersTwice(Waits):
    answer = b"OKWAIT\nOKWAIT\n"


@found("wait/long", "unasked", '""', "an empty line")
class EmptyLines(Waits):
    answer = b"OKWAIT\n\n"


@found("wait/long", "silent", "OKWAIT had not come after 10 s")
class Mute(Waits):
    answer = b""


@found("wait/long", "late", "OKWAIT came after 6\\.0")
class Sleepy(Waits):
    seconds = 6.0


@found("wait/not-at-all", "unasked", '"OKWAIT" though')
class WaitsUnasked(HonestClient):
    async def move(self, milliseconds: int, state: State[Any]) -> None:
        await super().move(milliseconds, state)
        await self.say("OKWAIT")


@found("wait/move-at-once", "closed-early", "THINKING was due")
class WantsToWait(HonestClient):
    """Believes that the first word of every game is WAIT."""

    async def play(self) -> None:
        await self.prolog()
        text = await self.heard()
        while await self.course(text if text == "WAIT" else await self.nothing()):
            text = await self.heard()
            self.nothing = self.heard  # type: ignore[method-assign]

    async def nothing(self) -> str:
        raise Lost


@found("wait/move-at-once", "late", "THINKING came after 1\\.5")
class ThinksLate(HonestClient):
    async def think(self) -> None:
        await asyncio.sleep(1.5)
        await super().think()


@found("silence/id", "unasked", '"ID spielwerk01"', "the same line came just before")
class Repeats(HonestClient):
    """Says everything again when the answer takes long."""

    async def line(self) -> str:
        while True:
            try:
                async with asyncio.timeout(1.2):
                    return await super().line()
            except TimeoutError:
                await self.write(self.said)

    async def write(self, data: bytes) -> None:
        self.said = data
        await super().write(data)


# lines, read wrongly


@found("pace/block", "silent", "PLAYER had not come", "one recv may bring several")
class TakesOneLine(HonestClient):
    """Takes what one recv brings for one line, and forgets what else it brought."""

    async def line(self) -> str:
        data = await self.stream.read(4096)
        if not data:
            raise Lost
        return data.split(b"\n")[0].decode()


@found("pieces/byte-by-byte", "closed-early", "VERSION", "a piece of a line")
@found("pieces/inside-numbers", "closed-early", "ID was due", "a piece of a line")
class TakesPieces(HonestClient):
    """Takes what one recv brings for whole lines."""

    kept: tuple[str, ...] = ()

    async def line(self) -> str:
        if not self.kept:
            data = await self.stream.read(4096)
            self.kept = tuple(data.decode().strip("\n").split("\n"))
        line, *kept = self.kept
        self.kept = tuple(kept)
        if not line.startswith(("+ ", "- ")):
            raise Lost
        return line


@found("pace/first-then-rest", "closed-early", "THINKING", "one recv is taken")
class TakesOneBlock(HonestClient):
    """Takes what has come after a moment for the whole answer."""

    async def position(self) -> State[Any]:
        await asyncio.sleep(0.02)
        if b"END" not in self.stream._buffer:  # type: ignore[attr-defined]
            raise Lost
        return await super().position()


# ends, missed


@found("refusal/no-game", "did-not-close", "the server's negative answer")
class StaysRefused(HonestClient):
    async def give_up(self, problem: Exception) -> None:
        if isinstance(problem, Refused):
            await asyncio.sleep(3600)


@found("close/waiting", "did-not-close", "the connection was closed")
class StaysAlone(HonestClient):
    async def give_up(self, problem: Exception) -> None:
        if isinstance(problem, Lost):
            await asyncio.sleep(3600)


@found("wait/over-at-once", "did-not-close", "the end of the game")
class StaysForever(HonestClient):
    async def over(self) -> bool:
        await super().over()
        await asyncio.sleep(3600)
        return False
