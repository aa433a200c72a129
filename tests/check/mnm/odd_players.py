"""Clients that are odd, and play rightly."""

from __future__ import annotations

import asyncio
from typing import Any

from spielwerk.games import NOBODY, State
from spielwerk.games.morris.rules import FREE, Decision, MorrisState
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import QuartoState
from tests.check.mnm.honest import HonestClient
from tests.check.mnm.wrong_players import QuartoClient, WholeTime, fields_with
from tests.check.mnm.wrong_talkers import Waits
from tests.check.planting import Odd

harmless, harmless_in_morris = Odd([WholeTime]), Odd()


@harmless
class TrailingBlank(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text} ")


@harmless_in_morris
class CarriageReturn(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text}\r")


@harmless
class ByteByByte(HonestClient):
    async def write(self, data: bytes) -> None:
        for byte in data:
            await super().write(bytes([byte]))
            await asyncio.sleep(0.002)


@harmless
class BothAtOnce(HonestClient):
    """Does not wait for OKTHINK."""

    async def move(self, milliseconds: int, state: State[Any]) -> None:  # noqa: ARG002
        turn = self.chosen(state)
        await self.write(f"THINKING\nPLAY {turn}\n".encode())
        self.reader.played(turn)
        await self.heard()
        await self.heard()


@harmless_in_morris
class LeavesAtGameOver(HonestClient):
    async def over(self) -> bool:
        return False


@harmless_in_morris
class AnySeat(HonestClient):
    def wanted(self) -> str:
        return "PLAYER"


@harmless_in_morris
class AlwaysTheFirst(HonestClient):
    def wanted(self) -> str:
        return "PLAYER 0"


class CountsItsOwnMoves(HonestClient):
    """Knows from its own moves, and not from the position, how many stones it has placed."""

    placed = 0

    def chosen(self, state: State[Any]) -> str:
        assert isinstance(state, MorrisState)
        if not state.capture and self.placed < 9:
            self.placed += 1
            return state.game.format_move(Decision(fields_with(state, FREE)[0]))
        return super().chosen(state)


@harmless
class ListsStonesItself(QuartoClient):
    """Knows from what it has handed on and got, and not from the field, which stones are left."""

    gone: frozenset[int | None] = frozenset()

    def stone(self, state: QuartoState) -> int | None:
        placed = [stone for stone in state.board if stone is not None]
        first = placed if len(placed) == 1 else []  # by the other player
        self.gone = self.gone.union([state.stone], first)
        if state.board.count(None) == 1:
            return None
        chosen = next(stone for stone in range(len(state.board)) if stone not in self.gone)
        self.gone = self.gone.union([chosen])
        return chosen


@harmless
class WinsWithoutHandingOn(QuartoClient):
    def chosen(self, state: State[Any]) -> str:
        for move in state.winning_candidates():
            if (outcome := state.play(move).outcome) and outcome.winner is not None:
                return state.game.format_move(move._replace(stone=None))
        return super().chosen(state)


@harmless_in_morris
class WholeTurns(HonestClient):
    """Joins all its decisions with semicolons."""

    def chosen(self, state: State[Any]) -> str:
        me, turn = state.turn, []
        while state.turn == me != NOBODY:
            move = random_move(state, self.rng)
            turn.append(state.game.format_move(move))
            state = state.play(move)
        return ";".join(turn)


@harmless
class TrailingNul(HonestClient):
    async def say(self, text: str) -> None:
        await self.write(f"{text}\n\0".encode())


@harmless
class NoMinorVersion(HonestClient):
    def version(self) -> str:
        return self.major


@harmless
class ThinksOnceMore(HonestClient):
    async def over(self) -> bool:
        await self.say("THINKING")
        return await super().over()


@harmless
class ThinksEarly(HonestClient):
    """Says THINKING as soon as MOVE has come."""

    async def position(self) -> State[Any]:
        await self.say("THINKING")
        return await super().position()

    async def think(self) -> None:
        """It has."""


@harmless
class ChoosesEarly(HonestClient):
    """Says PLAYER as soon as PLAYING has come, and not again."""

    async def look_at_kind(self, kind: str) -> None:
        await super().look_at_kind(kind)
        await super().say(self.wanted())

    async def say(self, text: str) -> None:
        if not text.startswith("PLAYER"):
            await super().say(text)


@harmless
class Leisurely(Waits):
    seconds = 4.0

    async def think(self) -> None:
        await asyncio.sleep(0.3)
        await super().think()
