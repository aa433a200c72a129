"""A dice server with one bot, as a script tells it to be."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

from spielwerk.check.dice.race import BOT, LARGE, CheckedRace, climb, throws_to
from spielwerk.check.dice.talk import DECISION, LIMITS, DiceTalk, DueAnswer, shown
from spielwerk.check.texts import sentence
from spielwerk.check.trial import ENDING, CheckSettings
from spielwerk.wire.dice import words
from spielwerk.wire.dice.server import BotParted, Decided, DiceServerSide, Named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from spielwerk.check.case import Wording
    from spielwerk.check.dice.race import Score
    from spielwerk.games.dice.rules import Throw

NAME: Final = "checkbot"
NEVER_WINS: Final = 60  # rounds after which we do not hope that the bot wins


class DiceTrial(DiceTalk):
    """A game; each verb blames the bot for what the server would."""

    race: CheckedRace

    def __init__(self, settings: CheckSettings, target: int, answer: float) -> None:
        super().__init__(settings, answer)
        self.target = target
        self.name = NAME
        self.rivals = ("dice2", "dice3")  # how identifiers 0 and 1 are called

    # before the game

    async def connect(
        self, name: str = NAME, begins: int = BOT, places: Mapping[str, str] = {}
    ) -> None:
        """Start the bot and take its connection; nothing has been said."""
        self.race = CheckedRace(self.target, begins)
        self.name = name
        port = await self.listen()
        self.start({"port": str(port), "name": name, **places})
        self.connection = await self.accept()
        limits = replace(LIMITS, answer=self.patience)
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

    # the game

    async def ask(self) -> bool:
        """TURN, and the bot's decision: whether it rolls."""
        self.nothing_unasked()
        self.race.asked()
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

    async def own_turn(self, dice: Callable[[CheckedRace], Throw] | None = None) -> None:
        """The bot's turn to its end; the dice fall as they are told, or well and do not win."""
        turn = self.race.state.turns
        dice = dice or climb(self.target - 1)
        while not self.race.over and self.race.state.turns == turn and await self.ask():
            await self.throw(dice(self.race))

    async def other_turn(self, *throws: Throw) -> None:
        """The turn of the opponent who is next: these throws, and SAVE unless they end it."""
        turn = self.race.state.turns
        for throw in throws:
            await self.throw(throw)
        if not self.race.over and self.race.state.turns == turn:
            self.race.save()

    async def others(self, *turns: tuple[Throw, ...]) -> None:
        """Opponents have their turns, one after the other."""
        for throws in turns:
            await self.other_turn(*throws)

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

    async def finish(self) -> None:
        """If there is no winner, an opponent wins; WIN or DEF, both BYEs, and the bot must end."""
        await self.lose()
        outcome = self.race.state.outcome
        if outcome and outcome.void:
            self.machine.error(f"{outcome.reason}.")
        else:
            await self.part()
            self.machine.bye()
        await self.flush()
        self.connection.close()
        await self.over("game-over")

    async def part(self) -> None:
        """WIN or DEF, and the bot's BYE with the right points."""
        outcome = self.race.state.outcome
        said = words.won if outcome and outcome.winner == BOT else words.lost
        self.nothing_unasked()
        self.machine.ended(said(self.target), self.now)
        due = DueAnswer((" ".join(map(str, ("BYE", *self.race.score))),))
        parted = await self.hear(BotParted, due)
        told = words.read_points(parted.points)
        if told != self.race.score:
            self._wrong_points(parted.points, told, due)

    def _wrong_points(self, text: str, told: Score | None, due: DueAnswer) -> NoReturn:
        """Say what is wrong with the numbers of a BYE."""
        start = self.answered
        if told is None:
            hint = self.misspelt(f"BYE {text}".encode(), due)
            self.fail_at(start, "bye-form", due, hint=hint, got=shown(text.encode()))
        right = self.race.score
        values = {"got": shown(text.encode()), "right": " ".join(map(str, right))}
        if sorted(told) == sorted(right):
            self.fail_at(start, "bye-order", due, hint="order", **values)
        hint = self.race.mistake(told)
        self.fail_at(start, "bye-points", due, hint=hint, which=_which(told, right), **values)

    async def over(self, moment: str) -> None:
        """The program has to end, and with it its connection."""
        await self.ends(moment)
        still_runs = self.program is not None and self.program.running
        if not still_runs and not await self.gone(ENDING):
            what = sentence(self.package, "moment", moment, {})
            self.blame("did-not-close", seconds=ENDING, what=what, timed=True)

    async def gone(self, seconds: float) -> bool:
        """Whether the bot closes its connection within so many seconds, whatever it sends."""
        deadline = self.now + seconds
        while not self.connection.gone and self.now < deadline:
            await self.connection.changed(deadline - self.now)
            self.connection.take()
        return bool(self.connection.gone)


def _which(told: Score, right: Score) -> Wording:
    """The numbers that are wrong, in words."""
    wrong = "".join(str(number) for number in range(3) if told[number] != right[number])
    return sentence(DiceTrial.package, "number", wrong, {})
