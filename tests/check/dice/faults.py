"""Bots with one fault each in what they say and hear, and what the check must say about it."""

from __future__ import annotations

import asyncio

from tests.check.dice.honest import OWN, HonestBot
from tests.check.planting import Faults

found = Faults()

# names


@found("auth/name", "other-name", "the bot was called dice1, but AUTH says 'mybot'")
class OtherName(HonestBot):
    def name(self) -> str:
        return "mybot"


@found("auth/letters", "other-name", "AUTH says 'az'")
class SmallName(HonestBot):
    def name(self) -> str:
        return self.places["name"].lower()


@found("auth/digits", "other-name", "but AUTH says '815'")
class NumberForName(HonestBot):
    def name(self) -> str:
        name = self.places["name"]
        return str(int(name)) if name.isdigit() else name


@found("auth/name", "bad-name", "'AUTH \"dice1\"'", "quotation marks")
class QuotedName(HonestBot):
    def name(self) -> str:
        return f'"{self.places["name"]}"'


@found("auth/name", "bad-name", "'AUTH  dice1'", "only the blanks are wrong")
class TwoBlanks(HonestBot):
    def name(self) -> str:
        return f" {self.places['name']}"


@found("auth/name", "wrong-message", "AUTH was due, but the bot said 'NAME dice1'")
class NameForAuth(HonestBot):
    async def greeted(self) -> None:
        await self.say(f"NAME {self.name()}")


@found("auth/name", "no-answer", "AUTH was due")
class NeverNamed(HonestBot):
    async def greeted(self) -> None:
        pass


# lines that are sent


@found("auth/name", "no-newline", "'AUTH dice1' came without a newline")
class WithoutNewline(HonestBot):
    async def say(self, text: str) -> None:
        await self.write(text.encode())


@found("turn/first", "wrong-message", "ROLL or SAVE was due, but the bot said 'roll'", "capital")
class SmallLetters(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await self.say("roll" if rolls else "save")


@found("turn/first", "wrong-message", "said 'HOLD'")
class OtherWord(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await self.say("ROLL" if rolls else "HOLD")


@found("turn/first", "wrong-message", "said 'SAVE 22'")
class WithPoints(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await self.say("ROLL" if rolls else f"SAVE {self.saved[OWN]}")


@found("turn/first", "unasked", "the bot said 'ROLL' when it had nothing to say")
class SaysItTwice(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await self.write(b"ROLL\nROLL\n" if rolls else b"SAVE\n")


@found("turn/first", "unasked", "the bot said ''", "one newline too many")
class TwoNewlines(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await self.say("ROLL\n" if rolls else "SAVE\n")


@found("turn/first", "flood", "more than 4096 bytes came when ROLL or SAVE was due")
class Floods(HonestBot):
    async def decided(self, rolls: bool) -> None:  # noqa: ARG002
        await self.write(b"ROLL\n" * 2000)


@found("auth/name", "too-long", "more than 100 characters")
class LongLine(HonestBot):
    def name(self) -> str:
        return self.places["name"] * 50


# waiting


@found("wait/for-others", "unasked", "the bot said 'ROLL' when it had nothing to say")
class AnswersThrows(HonestBot):
    async def thrown(self, line: str) -> None:
        await super().thrown(line)
        if not line.startswith(f"THRW {OWN}"):
            await self.say("ROLL")


@found("wait/for-throw", "unasked", "the bot said 'ROLL'")
class RepeatsRoll(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await super().decided(rolls)
        if rolls:
            self.again = asyncio.create_task(self.repeat(self.points[OWN]))

    async def repeat(self, points: int) -> None:
        await asyncio.sleep(1)
        if self.points[OWN] == points:
            await self.say("ROLL")


@found("wait/for-game", "left", "closed the connection while it had to wait")
class Impatient(HonestBot):
    async def line(self) -> str:
        return await asyncio.wait_for(super().line(), 2)

    async def run(self) -> None:
        try:
            await super().run()
        except TimeoutError:
            self.leave()


@found("time/answers", "late", "ROLL or SAVE came after 2.5 s; 2 s are allowed")
class Slow(HonestBot):
    async def decided(self, rolls: bool) -> None:
        await asyncio.sleep(2.5)
        await super().decided(rolls)


# turns


@found("turn/behind", "closed-early", "closed the connection when ROLL or SAVE was due")
class SmallTable(HonestBot):
    def decides(self) -> bool:
        chances = [0.5] * 140
        return chances[max(self.saved)] > 0 and super().decides()


@found("turn/first", "closed-early", "ROLL or SAVE was due")
class NeverFirst(HonestBot):
    def decides(self) -> bool:
        if self.saved == [0, 0, 0] and self.turns == 1:
            raise OSError
        return super().decides()


@found("game/hundred-rounds", "no-answer", "ROLL or SAVE was due")
class ShortBreath(HonestBot):
    async def turn(self, told: int) -> None:
        if self.turns < 50:
            await super().turn(told)


# lines that are read


class Reads(HonestBot):
    """Takes what one read brings."""

    async def line(self) -> str:
        data = await self.stream.read(4096)
        if not data:
            raise OSError
        return self.first(data.decode())

    def first(self, text: str) -> str:
        """What it makes of it."""
        return text


@found("lines/bytes", "no-answer", "AUTH was due", "came in pieces")
class ReadIsLine(Reads):
    pass


@found("lines/together", "no-answer", "was due", "several lines came")
class FirstLineOnly(Reads):
    def first(self, text: str) -> str:
        return text.partition("\n")[0]


@found("lines/many", "no-answer", "ROLL or SAVE was due", "several lines came")
class SmallBuffer(HonestBot):
    """Drops what does not fit into its buffer."""

    rest = b""

    async def line(self) -> str:
        while b"\n" not in self.rest:
            data = await self.stream.read(65536)
            if not data:
                raise OSError
            self.rest = (self.rest + data)[:1024]
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()


@found("lines/numbers", "bye-points", "wrong: ", "a piece of a line")
class HastyReader(HonestBot):
    """Takes a piece for a line if it looks like one."""

    async def line(self) -> str:
        data = b""
        while not data.endswith(b"\n") and not (data.startswith(b"TURN ") and len(data) > 5):
            more = await self.stream.read(1)
            if not more:
                raise OSError
            data += more
        return data.decode()

    async def turn(self, told: int) -> None:
        self.saved[OWN] = told - self.points[OWN]
        await super().turn(told)


@found("text/words", "closed-early", "was due")
class WordsAnywhere(HonestBot):
    def word(self, line: str) -> str:
        known = ("BYE", "ERR", "WIN", "DEF", "TURN", "THRW", "HELO")
        return next((word for word in known if word in line), "")


@found("text/same-name", "bye-points", "wrong: ")
class KnowsItselfByName(HonestBot):
    def thrower(self, player: int, words: list[str]) -> int:
        return OWN if words[4] == self.places["name"] else player


@found("text/names-of-digits", "closed-early", "was due")
class LastNumbers(HonestBot):
    async def thrown(self, line: str) -> None:
        numbers = [int(word) for word in line.split() if word.isdigit()]
        self.count(*numbers[-3:])


@found("text/longest", "closed-early", "was due")
class ShortLines(HonestBot):
    """Has room for 98 characters of a message, and gives up when it does not know one."""

    rest = ""

    async def line(self) -> str:
        text = self.rest or await super().line()
        self.rest = text[98:]
        return text[:98]

    def word(self, line: str) -> str:
        word = super().word(line)
        if word not in ("BYE", "ERR", "WIN", "DEF", "TURN", "THRW", "HELO"):
            raise OSError
        return word


# ends


@found("score/won-at-once", "did-not-close", "still open 5 s after the end of the game")
class StaysAfterBye(HonestBot):
    async def answer(self, line: str) -> bool:
        if line == "BYE":
            await asyncio.sleep(3600)
        return await super().answer(line)


@found("err/watching", "did-not-close", "still open 5 s after ERR")
class StaysAfterError(HonestBot):
    async def refused(self) -> bool:
        await asyncio.sleep(3600)
        return True


@found("lost/closed-named", "did-not-close", "still open 5 s after the connection was closed")
class StaysAfterClose(HonestBot):
    async def give_up(self, problem: Exception) -> None:  # noqa: ARG002
        await asyncio.sleep(3600)
