"""A small honest dice bot, in steps that a variant can do wrong or otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tests.check.planting import LinePlayer

OWN = 2  # the bot's identifier
ENOUGH = 20  # points in a turn


class HonestBot(LinePlayer):
    """One game, from HELO to BYE."""

    def __init__(self, places: Mapping[str, str], rng: Random) -> None:
        super().__init__(places)
        self.rng = rng
        self.saved = [0, 0, 0]  # by identifier
        self.points = [0, 0, 0]  # of turns that may be open
        self.turns = 0

    async def play(self) -> None:
        """Answer one line after the other until the last."""
        while await self.answer(await self.line()):
            pass

    # messages

    async def answer(self, line: str) -> bool:
        """React to a line; False if it is the last."""
        match self.word(line):
            case "HELO":
                await self.greeted()
            case "TURN":
                await self.turn(int(line.split()[1]))
            case "THRW":
                await self.thrown(line)
            case "WIN":
                await self.over(won=True)
            case "DEF":
                await self.over(won=False)
            case "BYE":
                return False
            case "ERR":
                return await self.refused()
        return True

    def word(self, line: str) -> str:
        """What kind of message it is."""
        return (line.split() or [""])[0]

    async def greeted(self) -> None:
        """HELO."""
        await self.say(f"AUTH {self.name()}")

    def name(self) -> str:
        """What we are called."""
        return self.places["name"]

    async def refused(self) -> bool:
        """ERR."""
        return False

    async def turn(self, told: int) -> None:  # noqa: ARG002
        """TURN with its figure."""
        self.turns += 1
        self.settle(0, 1)
        rolls = self.decides()
        if not rolls:
            self.settle(OWN)
        await self.decided(rolls)

    def decides(self) -> bool:
        """Whether to roll."""
        return self.points[OWN] < ENOUGH

    async def decided(self, rolls: bool) -> None:
        """Say it."""
        await self.say("ROLL" if rolls else "SAVE")

    async def thrown(self, line: str) -> None:
        """THRW."""
        words = line.split()
        player, first, second = map(int, words[1:4])
        self.count(self.thrower(player, words), first, second)

    def thrower(self, player: int, words: list[str]) -> int:  # noqa: ARG002
        """Who has thrown."""
        return player

    def count(self, player: int, first: int, second: int) -> None:
        """Count a throw: turns of others are over."""
        self.settle(*(other for other in range(3) if other != player))
        if first == second:
            self.double(player, first + second)
        else:
            self.points[player] += first + second

    def double(self, player: int, pips: int) -> None:  # noqa: ARG002
        """All points of the turn are lost."""
        self.points[player] = 0

    def settle(self, *players: int) -> None:
        """The turns of these have ended, and their points are saved."""
        for player in players:
            self.saved[player] += self.points[player]
            self.points[player] = 0

    async def over(self, won: bool) -> None:  # noqa: ARG002
        """WIN or DEF."""
        self.settle(0, 1, OWN)
        await self.part(self.saved[OWN], self.saved[0], self.saved[1])

    async def part(self, own: int, first: int, second: int) -> None:
        """BYE."""
        await self.say(f"BYE {own} {first} {second}")
