"""Clients that talk wrongly are found by the case for it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from spielwerk.games import State
from tests.check.mnm.honest import HonestClient, Lost, Refused, verdicts

NOT_YOURS = "illegal-move:there-is-no-stone-of-yours-on-the-field-to-move-from"


# the prolog, done wrongly


class PrefixesItsVersion(HonestClient):
    def version(self) -> str:
        return f"v{self.major}.42"


class OldVersion(HonestClient):
    def version(self) -> str:
        return "0.9"


class CutsTheID(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(text[:-1] if text.startswith("ID") else text)


class OwnID(HonestClient):
    async def say(self, text: str) -> None:
        await super().say("ID abcdefghijk" if text.startswith("ID") else text)


class CountsSeatsFromOne(HonestClient):
    def wanted(self) -> str:
        return f"PLAYER {int(self.places['player']) + 1}"


class TrustsItsOption(HonestClient):
    """Takes the seat of its command line for its own, whatever YOU says."""

    def wanted(self) -> str:
        return "PLAYER"

    async def look_at_seat(self, you: Sequence[str]) -> None:
        await super().look_at_seat(["YOU", self.places["player"], *you[2:]])


class KnowsOneServer(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if line.startswith("+ MNM") and ".0 " not in line and not line.endswith(".0"):
            raise Lost
        return line


class PlaysAnything(HonestClient):
    async def look_at_kind(self, kind: str) -> None:
        """It does not look."""


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


class StaysForNothing(HonestClient):
    async def look_at_kind(self, kind: str) -> None:
        if kind != self.kind:
            await asyncio.sleep(3600)


class TakesTheThirdWord(HonestClient):
    """Reads whether a player is ready where the name goes on."""

    async def heard(self) -> str:
        text = await super().heard()
        if text[:1].isdigit() and text.split(" ")[2] not in ("0", "1"):
            raise Lost
        return text


class KnowsAscii(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if not line.isascii():
            raise Lost
        return line


class ShortBuffer(HonestClient):
    async def line(self) -> str:
        line = await super().line()
        if len(line) > 127:
            raise Lost
        return line


class FindsTheEndAnywhere(HonestClient):
    async def heard(self) -> str:
        text = await super().heard()
        return "ENDPLAYERS" if "ENDPLAYERS" in text else text


class FindsWaitAnywhere(HonestClient):
    async def heard(self) -> str:
        text = await super().heard()
        if "WAIT" in text and text != "WAIT":
            await self.ok_wait()
        return text


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


class NoNewline(Waits):
    answer = b"OKWAIT"


class SmallLetters(Waits):
    answer = b"okwait\n"


class BlankFirst(Waits):
    answer = b" OKWAIT\n"


class SaysMore(Waits):
    answer = b"OKWAIT 1\n"


class AnswersTwice(Waits):
    answer = b"OKWAIT\nOKWAIT\n"


class EmptyLines(Waits):
    answer = b"OKWAIT\n\n"


class Mute(Waits):
    answer = b""


class Sleepy(Waits):
    seconds = 6.0


class WaitsUnasked(HonestClient):
    async def move(self, milliseconds: int, state: State[Any]) -> None:
        await super().move(milliseconds, state)
        await self.say("OKWAIT")


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


class ThinksLate(HonestClient):
    async def think(self) -> None:
        await asyncio.sleep(1.5)
        await super().think()


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


class TakesOneLine(HonestClient):
    """Takes what one recv brings for one line, and forgets what else it brought."""

    async def line(self) -> str:
        data = await self.stream.read(4096)
        if not data:
            raise Lost
        return data.split(b"\n")[0].decode()


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


class TakesOneBlock(HonestClient):
    """Takes what has come after a moment for the whole answer."""

    async def position(self) -> State[Any]:
        await asyncio.sleep(0.02)
        if b"END" not in self.stream._buffer:  # type: ignore[attr-defined]
            raise Lost
        return await super().position()


# ends, missed


class StaysRefused(HonestClient):
    async def give_up(self, problem: Exception) -> None:
        if isinstance(problem, Refused):
            await asyncio.sleep(3600)


class StaysAlone(HonestClient):
    async def give_up(self, problem: Exception) -> None:
        if isinstance(problem, Lost):
            await asyncio.sleep(3600)


class StaysForever(HonestClient):
    async def over(self) -> bool:
        await super().over()
        await asyncio.sleep(3600)
        return False


class Fault(NamedTuple):
    """A client, the case that is meant for it, and what is said."""

    client: type[HonestClient]
    case: str
    kind: str
    problem: str
    hint: str = ""
    game: str = "quarto"


FAULTS = [
    Fault(PrefixesItsVersion, "prolog/first-seat", "wrong-version", '"v1.42"', "only the server"),
    Fault(OldVersion, "prolog/first-seat", "wrong-version", '"0.9"'),
    Fault(CutsTheID, "prolog/first-seat", "malformed-id", "ID spielwerk0"),
    Fault(OwnID, "prolog/first-seat", "wrong-id", "abcdefghijk; it was told spielwerk01"),
    Fault(CountsSeatsFromOne, "prolog/second-seat", "no-such-seat", '"PLAYER 2"'),
    Fault(TrustsItsOption, "prolog/any-seat", NOT_YOURS, "no stone of yours", game="morris"),
    Fault(KnowsOneServer, "prolog/minor-version", "closed-early", "VERSION was due"),
    Fault(PlaysAnything, "prolog/other-game", "went-on", "plays Halma"),
    Fault(LooksAnywhere, "prolog/other-game", "went-on", "plays Halma"),
    Fault(StaysForNothing, "prolog/other-game", "did-not-end", "had named another game"),
    Fault(TakesTheThirdWord, "names/blanks-and-digits", "closed-early", "THINKING was due"),
    Fault(KnowsAscii, "names/utf-8", "closed-early", "PLAYER was due"),
    Fault(ShortBuffer, "names/long", "closed-early", "PLAYER was due"),
    Fault(FindsTheEndAnywhere, "names/like-words", "silent", "THINKING had not come"),
    Fault(FindsWaitAnywhere, "names/like-signs", "wrong-line", '"OKWAIT" where THINKING'),
    Fault(FindsMinusAnywhere, "names/like-signs", "closed-early", "PLAYER was due"),
    Fault(NoNewline, "wait/long", "unfinished", '"OKWAIT" and no newline', "newline"),
    Fault(SmallLetters, "wait/long", "wrong-line", '"okwait" where OKWAIT', "capital letters"),
    Fault(BlankFirst, "wait/long", "wrong-line", '" OKWAIT" where OKWAIT', "a blank before"),
    Fault(SaysMore, "wait/long", "wrong-line", '"OKWAIT 1" where OKWAIT', "follows the word"),
    Fault(AnswersTwice, "wait/long", "unasked", '"OKWAIT"', "the same line came just before"),
    Fault(EmptyLines, "wait/long", "unasked", '""', "an empty line"),
    Fault(AnswersTwice, "wait/often", "wrong-line", '"OKWAIT" where THINKING', "just before"),
    Fault(Mute, "wait/long", "silent", "OKWAIT had not come after 10 s"),
    Fault(Sleepy, "wait/long", "late", "OKWAIT came after 6.0"),
    Fault(WaitsUnasked, "wait/not-at-all", "unasked", '"OKWAIT" though'),
    Fault(WantsToWait, "wait/move-at-once", "closed-early", "THINKING was due"),
    Fault(ThinksLate, "wait/move-at-once", "late", "THINKING came after 1.5"),
    Fault(Repeats, "silence/id", "unasked", '"ID spielwerk01"', "the same line came just before"),
    Fault(TakesOneLine, "pace/block", "silent", "PLAYER had not come", "one recv is taken for one"),
    Fault(TakesOneBlock, "pace/first-then-rest", "closed-early", "THINKING", "one recv is taken"),
    Fault(TakesPieces, "pieces/byte-by-byte", "closed-early", "VERSION", "a piece of a line"),
    Fault(TakesPieces, "pieces/inside-numbers", "closed-early", "ID was due", "a piece of a line"),
    Fault(StaysRefused, "refusal/no-game", "did-not-end", "the server's negative answer"),
    Fault(StaysAlone, "close/waiting", "did-not-end", "the connection was closed"),
    Fault(StaysForever, "wait/over-at-once", "did-not-end", "the end of the game"),
]


@pytest.mark.parametrize("planted", FAULTS, ids=lambda one: f"{one.client.__name__} {one.case}")
def test_a_planted_fault_is_found_and_named(planted: Fault) -> None:
    verdict = verdicts(planted.client, [planted.case], planted.game)[planted.case]
    first = verdict.faults[0]
    assert not verdict.passed
    assert (first.kind, first.advice) == (planted.kind, False)
    assert planted.problem in first.problem
    assert planted.hint in first.hint
    assert bool(planted.hint) == bool(first.hint)
