"""Bots that count wrongly, each in one way, and what the check must say about it."""

from __future__ import annotations

from tests.check.dice.honest import OWN, HonestBot
from tests.check.planting import Faults

found = Faults()


@found("score/own-double", "bye-points", "the first number", "does not take the points")
class KeepsOwnLost(HonestBot):
    def double(self, player: int, pips: int) -> None:
        if player == OWN:
            self.settle(player)
        super().double(player, pips)


@found("score/other-double", "bye-points", "both opponents", "does not take the")
class KeepsLost(HonestBot):
    def double(self, player: int, pips: int) -> None:  # noqa: ARG002
        self.settle(player)


@found("score/other-double", "bye-points", "both opponents", "like any other throw")
class NoDoubles(HonestBot):
    def double(self, player: int, pips: int) -> None:
        self.points[player] += pips


@found("score/first-throw-double", "bye-points", "both opponents", "like any other throw")
class LosesOnlyWhatItHas(HonestBot):
    def double(self, player: int, pips: int) -> None:
        self.points[player] = 0 if self.points[player] else pips


@found("score/one-throws", "bye-order", "in the wrong order", "those of identifier 0")
class BelievesInOrder(HonestBot):
    """Takes the first opponent who throws for identifier 0."""

    order: tuple[int, ...] = ()

    def thrower(self, player: int, words: list[str]) -> int:  # noqa: ARG002
        if player != OWN and player not in self.order:
            self.order += (player,)
        return player if player == OWN else self.order.index(player)


@found("score/other-double", "bye-points", "both opponents", "SAVE of others is not told")
class NoticesNoSave(HonestBot):
    def double(self, player: int, pips: int) -> None:
        super().double(player, pips)
        if player != OWN:
            self.saved[player] = 0


@found("score/own-double", "bye-points", "the own points", "takes only those of its turn")
class LosesEverything(HonestBot):
    def double(self, player: int, pips: int) -> None:
        super().double(player, pips)
        self.saved[player] = 0


@found("score/won-by-bot", "bye-points", "the own points", "without the turn that won")
class ForgetsWinningTurn(HonestBot):
    async def over(self, won: bool) -> None:
        if won:
            self.points[OWN] = 0
        await super().over(won)


@found("score/won-by-next", "bye-points", "identifier 0", "without the turn that won")
class ForgetsOthersTurn(HonestBot):
    async def over(self, won: bool) -> None:
        self.points = [0, 0, self.points[OWN]]
        await super().over(won)


@found("turn/third", "bye-points", "both opponents")
class DeafAtFirst(HonestBot):
    async def thrown(self, line: str) -> None:
        if self.turns:
            await super().thrown(line)


@found("score/others-save", "bye-points", "both opponents", "come from the THRW messages")
class CountsItselfOnly(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:  # noqa: ARG002
        await super().part(own, 0, 0)


@found("score/others-save", "bye-order", "in the wrong order", "first the own points")
class SwapsOpponents(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:
        await super().part(own, second, first)


@found("score/won-before-turn", "bye-order", "in the wrong order", "first the own points")
class OwnLast(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:
        await super().part(first, second, own)


@found("score/won-at-once", "bye-form", "'0,152,0'")
class Commas(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:
        await self.say(f"BYE {own},{first},{second}")


@found("score/won-at-once", "bye-form", "''")
class WithoutNumbers(HonestBot):
    async def part(self, own: int, first: int, second: int) -> None:  # noqa: ARG002
        await self.say("BYE")


@found("score/double-beyond", "bye-points", "both opponents", "like any other throw")
class DoubleWins(HonestBot):
    def double(self, player: int, pips: int) -> None:
        if self.saved[player] + self.points[player] + pips >= 150:
            self.points[player] += pips
        else:
            super().double(player, pips)


@found("score/won-by-bot", "closed-early", "when BYE was due")
class LeavesAsWinner(HonestBot):
    async def over(self, won: bool) -> None:
        if won:
            raise OSError
        await super().over(won)
