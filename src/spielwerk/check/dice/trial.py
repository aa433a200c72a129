"""A dice server with one bot, as a script tells it to be."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from spielwerk.check.case import Wording
from spielwerk.check.dice.race import (
    BOT,
    DOUBLE,
    LARGE,
    SMALL,
    CheckedRace,
    climb,
    throws,
    throws_to,
)
from spielwerk.check.started import ProgramTrial
from spielwerk.check.texts import Scripts
from spielwerk.check.trial import CaseOver, CheckSettings
from spielwerk.check.visible import alike
from spielwerk.errors import quote
from spielwerk.wire.dice import words
from spielwerk.wire.dice.server import (
    BotBreach,
    BotFault,
    BotParted,
    Decided,
    DiceLimits,
    DiceServerSide,
    Named,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from spielwerk.games.dice.rules import Throw

NAME: Final = "checkbot"
SLACK: Final = 0.25  # seconds that we do not count
BREATH: Final = 0.006  # seconds after a message, so that the next does not come with it
ROUNDS: Final = 100  # of the longest game
NEVER_WINS: Final = 60  # rounds after which we do not hope that the bot wins
LIMITS: Final = DiceLimits()
_HEADS: Final = {"HELO": 1, "TURN": 2, "WIN": 1, "DEF": 1, "ERR": 1}  # words before the free text
_PADDING: Final = b"\0"  # C programs send the ends of their strings; the server does not mind

M = TypeVar("M", Named, Decided, BotParted)

script: Final = Scripts()


@dataclass(frozen=True, slots=True)
class DueAnswer:
    """What the bot has to say: any of these lines."""

    lines: tuple[str, ...]

    @property
    def heads(self) -> list[str]:
        """The words that would do."""
        return [line.split(" ")[0] for line in self.lines]

    @property
    def said(self) -> Wording:
        """The same for readers."""
        return Wording(" or ".join(self.heads), " oder ".join(self.heads))

    @property
    def expected(self) -> tuple[bytes | str, ...]:
        """As a fault tells it."""
        return (self.said,) if len(self.lines) > 1 else (f"{self.lines[0]}\n".encode(),)

    def differs(self, came: bytes) -> int:
        """The first byte that fits none of the lines."""
        return max(alike(came, f"{line}\n".encode()) for line in self.lines)


DECISION: Final = DueAnswer((words.ROLL, words.SAVE))
NOTHING: Final = DueAnswer(())


class DiceTrial(ProgramTrial):
    """A game with one bot; lines go out as a case wants them, and answers are judged."""

    package: ClassVar = "spielwerk.check.dice"
    scripts: ClassVar = script
    one_connection: ClassVar = True
    most_connections: ClassVar = 64
    machine: DiceServerSide
    race: CheckedRace

    def __init__(self, settings: CheckSettings, target: int, answer: float) -> None:
        super().__init__(settings)
        self.target = target
        self.answer = answer
        self.hoped = 2 * answer + 1  # seconds after which no answer is hoped for
        self.name = NAME
        self.rivals = ["dice2", "dice3"]  # how identifiers 0 and 1 are called
        self.texts: Mapping[str, str] = {}  # free text by message, where it is not the usual one
        self.together = False  # messages come in one segment until an answer is due
        self._read = 0  # lines of the bot

    # what is said

    async def speak(self) -> None:
        """Send what the machine has to say, unless it waits for more."""
        if not self.together:
            await self.flush()
            await asyncio.sleep(BREATH)

    async def flush(self) -> None:
        """Send all that the machine has to say, in the pieces that the case wants."""
        lines = self.machine.segment().decode().splitlines()
        await self.say("".join(f"{self._with_text(line)}\n" for line in lines).encode())

    def _with_text(self, line: str) -> str:
        """The message with the free text that the case wants."""
        parts = line.split(" ")
        if parts[0] not in self.texts:
            return line
        head = " ".join(parts[: _HEADS[parts[0]]])
        return f"{head} {self.texts[parts[0]]}".rstrip(" ")

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
                self._read += 1
                if (seconds := arrived - asked) > self.answer + SLACK:
                    limits = {"seconds": seconds, "limit": self.answer}
                    self.fail("late", due=due.said, timed=True, everywhere=True, **limits)
                return message
            if self.connection.gone:
                self.look_for_crash()
                told = {"due": due.said, "expected": due.expected}
                self.fail("closed-early", **told, **self.parting_words())
            if await self.connection.changed(self.machine.due - self.now):
                arrived = self.pull() or arrived

    def pull(self) -> float:
        """Give the machine what has come; when the last of it came, or 0 if there is nothing."""
        arrived = 0.0
        for arrived, data in self.heard():
            self.machine.receive(data, arrived)
        return arrived

    def line(self, number: int) -> bytes:
        """A line of the bot, with its newline if it has one."""
        lines = self.said().splitlines(keepends=True)
        return b"".join(lines[number : number + 1]).lstrip(_PADDING)

    async def idle(self, seconds: float) -> None:
        """Say nothing for so long; the bot has to wait."""
        deadline = self.now + seconds
        while self.now < deadline:
            await asyncio.sleep(min(0.05, max(0.0, deadline - self.now)))
            self.nothing_unasked()
            if self.connection.gone:
                self.look_for_crash()
                self.fail("left", **self.last_words())

    def nothing_unasked(self) -> None:
        """Blame a line that came when nothing was to be said."""
        self.pull()
        if not self.machine.silent:
            line = self.line(self._read)
            self.fail_at(line, "unasked", NOTHING, hint="" if line.strip() else "empty-line")

    # what is wrong

    def fail_at(
        self, line: bytes, kind: str, due: DueAnswer, *, hint: str = "", **values: Any
    ) -> NoReturn:
        """Blame a line of the bot."""
        column = due.differs(line) if due.lines else 0
        early = self.reading_hint() == "early"
        told = {"got": shown(line), "due": due.said, "hint": "early" if early else hint}
        expected = due.expected if due.lines else ()
        self.fail(kind, expected=expected, **{**told, **values}, **self.where(line, column))

    def _refuse(self, breach: BotBreach, due: DueAnswer) -> NoReturn:
        """Blame the bot for what the machine refuses."""
        line = self.line(self._read)
        if breach.fault is BotFault.LATE:
            if line.strip(_PADDING):
                self.fail_at(line, "no-newline", due)
            told = {"due": due.said, "expected": due.expected, "seconds": self.hoped}
            self.fail("no-answer", hint=self.reading_hint(), timed=True, **told)
        if breach.violation == words.too_much(LIMITS.backlog):
            self.fail("flood", count=LIMITS.backlog, due=due.said)
        if breach.violation == words.too_long(LIMITS.line):
            self.fail("too-long", limit=LIMITS.line, due=due.said, expected=due.expected)
        named = due.heads == [words.AUTH] and line.startswith(b"AUTH ")
        kind = "bad-name" if named else "wrong-message"
        self.fail_at(line, kind, due, hint=misspelt(line, due))

    # before the game

    async def connect(
        self, name: str = NAME, begins: int = BOT, places: Mapping[str, str] = {}
    ) -> None:
        """Start the bot and take its connection; nothing has been said."""
        self.race = CheckedRace(self.target, begins)
        self.name = name
        self.start({"port": str(await self.listen()), "name": name, **places})
        self.connection = await self.accept()
        limits = replace(LIMITS, answer=self.hoped)
        self.machine = DiceServerSide(words.Mode.TRAIN, limits, self.now)

    async def greet(self) -> None:
        """HELO, and the bot's AUTH with a name; which one it is, is not judged here."""
        self.name = (await self.hear(Named, DueAnswer((f"AUTH {self.name}",)))).name

    async def join(self, begins: int = BOT) -> None:
        """The bot connects and says who it is; `begins` has the first turn."""
        await self.connect(begins=begins)
        await self.greet()

    async def has_connected(self, seconds: float) -> bool:
        """Whether the bot connects within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                self.connection = await self._arrived.get()
                return True
        return False

    async def begin(self) -> None:
        """See the base."""
        await self.join()

    # the game

    async def next_move(self, _: int) -> None:
        """One decision of the bot, as long as a game lasts, in which no player gets on."""
        race = self.race
        if race.state.turns > 3 * (ROUNDS - 3):
            raise CaseOver
        if await self.ask():
            small = not race.state.points and race.total + sum(SMALL) < self.target
            await self.throw(SMALL if small else DOUBLE)
        while race.player != BOT:
            await self.other_turn()

    async def ask(self) -> bool:
        """TURN, and the bot's decision: whether it rolls."""
        self.nothing_unasked()
        self.machine.turn(self.race.total, self.now)
        decided = await self.hear(Decided, DECISION)
        if decided.choice == words.ROLL:
            return True
        self.race.save()
        return False

    async def throw(self, throw: Throw) -> None:
        """The player at turn throws, and the bot is told."""
        player = self.race.player
        name = (self.name, *self.rivals)[player]
        self.race.throw(throw)
        number = words.identifier(player, BOT)
        self.machine.threw(number, f"{throw.first} {throw.second}", name)
        await self.speak()

    async def throw_all(self, text: str) -> None:
        """The player at turn throws again and again, as `12 56`."""
        for throw in throws(text):
            await self.throw(throw)

    async def own_turn(self, dice: Callable[[CheckedRace], Throw] | None = None) -> None:
        """The bot's turn to its end; the dice fall as they are told, or well and do not win."""
        turn = self.race.state.turns
        dice = dice or climb(self.target - 1)
        while not self.race.over and self.race.state.turns == turn and await self.ask():
            await self.throw(dice(self.race))

    async def other_turn(self, *thrown: Throw) -> None:
        """The turn of the opponent who is next: these throws, and SAVE unless they end it."""
        turn = self.race.state.turns
        for throw in thrown:
            await self.throw(throw)
        if not self.race.over and self.race.state.turns == turn:
            self.race.save()

    async def others(self, turns: str) -> None:
        """Opponents have their turns, one after the other, as `12 56 / 44`."""
        for text in turns.split("/"):
            await self.other_turn(*throws(text))

    async def win(self) -> None:
        """The bot gets good dice until it wins; a bot that never rolls does not."""
        while not self.race.over and self.race.state.turns < 3 * NEVER_WINS:
            await self.own_turn(lambda _: LARGE)
            while self.race.player != BOT and not self.race.over:
                self.race.save()
        if not self.race.over:
            self.happened("never-wins", rounds=NEVER_WINS)

    async def lose(self, exactly: int = 0) -> None:
        """The next opponent wins, with this number of points or a few more."""
        if self.race.player == BOT and not self.race.over:
            await self.own_turn()
        if not self.race.over:
            missing = (exactly or self.target + 2) - self.race.total
            await self.other_turn(*throws_to(missing))

    # its end

    async def finish(self) -> None:
        """If there is no winner, an opponent wins; WIN or DEF, both BYEs, and the bot must end."""
        await self.lose()
        outcome = self.race.state.outcome
        if outcome and outcome.void:
            self.machine.error(f"{outcome.reason}.")
        else:
            await self.part()
            self.machine.bye()
        await self.over()

    async def over(self) -> None:
        """All is said; the bot must end."""
        await self.flush()
        self.connection.close()
        await self.ends("game-over")

    async def part(self) -> None:
        """WIN or DEF, and the bot's BYE with the right points."""
        outcome, right = self.race.state.outcome, self.race.score
        said = words.won if outcome and outcome.winner == BOT else words.lost
        self.nothing_unasked()
        self.machine.ended(said(self.target), self.now)
        due = DueAnswer((" ".join(map(str, ("BYE", *right))),))
        text = (await self.hear(BotParted, due)).points
        told, line = words.read_points(text), self.line(self._read - 1)
        if told is None:
            self.fail_at(line, "bye-form", due, hint=misspelt(line, due), got=quote(text))
        values = {"got": quote(text), "right": " ".join(map(str, right))}
        if told != right and sorted(told) == sorted(right):
            self.fail_at(line, "bye-order", due, hint="order", **values)
        if told != right:
            wrong = "".join(str(place) for place in range(3) if told[place] != right[place])
            which = self.told("number", wrong)
            self.fail_at(
                line, "bye-points", due, hint=self.race.mistake(told), which=which, **values
            )


def shown(line: bytes) -> str:
    """A line as it stands in a sentence."""
    return quote(line.removesuffix(b"\n").strip(_PADDING).decode(errors="replace"))


def misspelt(line: bytes, due: DueAnswer) -> str:
    """The hint for a line that is nearly right."""
    text = line.decode(errors="replace").strip(" \r\n\0")
    if not text:
        return "empty-line"
    if '"' in text:
        return "quotation-marks"
    if " ".join(text.split()) in due.lines:
        return "blanks"
    head = text.split(" ")[0]
    return "capitals" if head not in due.heads and head.upper() in due.heads else ""
