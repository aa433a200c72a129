"""Clients that play wrongly, each in one thing."""

from __future__ import annotations

import asyncio
from typing import Any

from spielwerk.games import State
from spielwerk.games.morris.rules import FREE, MILLS_OF, NEIGHBOURS, Decision, Morris, MorrisState
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Placement, QuartoState
from tests.check.mnm.honest import HonestClient
from tests.check.planting import Faults, Lost

found = Faults()

# Quarto, done wrongly


class QuartoClient(HonestClient):
    """Chooses a square and a stone, and writes them."""

    def chosen(self, state: State[Any]) -> str:
        assert isinstance(state, QuartoState)
        free = [n for n, stone in enumerate(state.board) if stone is None]
        move = Placement(self.square(state, free), self.stone(state))
        return self.written(state, move)

    def square(self, state: QuartoState, free: list[int]) -> int:  # noqa: ARG002
        return self.rng.choice(free)

    def stone(self, state: QuartoState) -> int | None:
        return next(iter(state.supply()), None)

    def written(self, state: QuartoState, move: Placement) -> str:
        return state.game.format_move(move)


@found("position/square-names", "illegal-move", "already occupied", "the top")
class RowsFromTheTop(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return (state.game.n - 1 - row) * state.game.n + column


@found("position/square-names", "illegal-move", "occupied", "the right")
class ColumnsFromTheRight(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return row * state.game.n + state.game.n - 1 - column


@found("position/square-names", "illegal-move", "occupied", "exchanged")
class RowForColumn(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return column * state.game.n + row


@found("position/square-names", "illegal-move", "occupied", "begin with 1")
class RowsFromZero(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        row, column = divmod(move.square, state.game.n)
        stone = "" if move.stone is None else f",{move.stone}"
        return f"{'ABCDEFGH'[column]}{row}{stone}"


@found("position/stone-zero-placed", "illegal-move", "occupied", "0 is taken for")
class ZeroIsFree(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        return state.board.index(0) if 0 in state.board else free[0]


@found("position/one-stone-left", "illegal-move", "being placed", "in hand")
class HandsOnItsOwn(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return state.stone


@found("game/first-seat", "illegal-move", "is already on the board")
class HandsOnTwice(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        placed = [stone for stone in state.board if stone is not None]
        return placed[0] if placed else super().stone(state)


@found("position/first-stone", "illegal-move", "must be handed")
class HandsOnNothing(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:  # noqa: ARG002
        return None


@found("position/last-stone", "illegal-move", "No stone is left")
class HandsOnAfterTheLast(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return next(iter(state.supply()), 0)


@found("position/first-stone", "illegal-move", "There is no such stone")
class SeventeenStones(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return len(state.board) if state.supply() else None


@found("position/every-stone-loses", "closed-early", "where PLAY was due")
class GivesUpWhenLost(QuartoClient):
    def chosen(self, state: State[Any]) -> str:
        if all(_loses(state.play(move)) for move in state.legal_moves()):
            raise Lost
        return super().chosen(state)


def _loses(after: State[Any]) -> bool:
    """Whether the other player can win at once."""
    if after.outcome:
        return False
    replies = [after.play(move).outcome for move in after.winning_candidates()]
    return any(outcome and outcome.winner is not None for outcome in replies)


def _with(state: QuartoState, square: int) -> tuple[int | None, ...]:
    return (*state.board[:square], state.stone, *state.board[square + 1 :])


@found("position/first-stone", "no-move", "is no Quarto move", "are capitals")
class LowerCase(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).lower()


@found("position/first-stone", "no-move", "is no Quarto move", "no blanks")
class BlankInside(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).replace(",", ", ")


@found("position/first-stone", "no-move", "is no Quarto move", "leading zero")
class LeadingZero(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).replace(",", ",0")


@found("position/first-stone", "no-move", "is no Quarto move", "of a buffer")
class WholeBuffer(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return f"{super().written(state, move)}\x01~"


@found("position/first-stone", "no-move", "does not look like A1,0")
class SquareAsNumber(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:  # noqa: ARG002
        return str(move.square)


@found("game/first-seat", "illegal-move", "already occupied")
class OldField(QuartoClient):
    """Looks at the first position only, and goes on from there alone."""

    seen: QuartoState | None = None

    def chosen(self, state: State[Any]) -> str:
        assert isinstance(state, QuartoState)
        before = self.seen or state
        square = before.board.index(None)
        self.seen = QuartoState(before.game, None, _with(before, square), state.stone)
        return self.written(state, Placement(square, self.stone(state)))


# Morris, done wrongly


class MorrisClient(HonestClient):
    def chosen(self, state: State[Any]) -> str:
        assert isinstance(state, MorrisState)
        wrong = self.wrong(state)
        return super().chosen(state) if wrong is None else wrong

    def wrong(self, state: MorrisState) -> str | None:
        """What this client does where it errs."""
        raise NotImplementedError


def fields_with(state: MorrisState, content: str) -> list[int]:
    return [field for field, found in enumerate(state.board) if found == content]


def _far(state: MorrisState) -> str:
    """A stone of the player who moves that jumps."""
    mine = fields_with(state, str(state.player))[0]
    free = [field for field in fields_with(state, FREE) if field not in NEIGHBOURS[mine]]
    return state.game.format_move(Decision(free[0], mine))


@found("position/four-slide", "illegal-move", "is not next to the field", game="morris")
class FliesWithFour(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        few = len(fields_with(state, str(state.player))) <= 4
        return _far(state) if few and not state.capture and not any(state.hand) else None


@found("position/last-stone-to-place", "illegal-move", "must be placed before", game="morris")
class MovesTooEarly(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        return _far(state) if state.hand[state.player] == 1 and not state.capture else None


@found("position/fly", "closed-early", "where PLAY was due", game="morris")
class CannotFly(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = fields_with(state, str(state.player))
        stuck = all(state.board[at] != FREE for field in mine for at in NEIGHBOURS[field])
        if mine and stuck and not state.capture and not state.hand[state.player]:
            raise Lost
        return None


@found("game/first-seat", "illegal-move", "one must be moved", game="morris")
class PlacesForEver(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        placing = not state.capture and not state.hand[state.player]
        return state.game.format_move(Decision(fields_with(state, FREE)[0])) if placing else None


@found("position/one-capture", "illegal-move", "no stone of the opponent", game="morris")
class CapturesItsOwn(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = fields_with(state, str(state.player))
        return state.game.format_move(Decision(mine[0])) if state.capture else None


@found("position/two-captures", "illegal-move", "captured first", game="morris")
class ForgetsToCapture(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        return _far(state) if state.capture else None


@found("position/all-in-mills", "closed-early", "where PLAY was due", game="morris")
class SparesMills(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        other = str(1 - state.player)
        mills = [
            field
            for field in fields_with(state, other)
            if any(all(state.board[at] == other for at in mill) for mill in MILLS_OF[field])
        ]
        if state.capture and len(mills) == len(fields_with(state, other)):
            raise Lost
        return None


@found("position/one-capture", "illegal-move", "left over", game="morris")
class CapturesTooMuch(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        theirs = fields_with(state, str(1 - state.player))[:2]
        both = ";".join(state.game.format_move(Decision(field)) for field in theirs)
        return both if state.capture == 1 and len(theirs) == 2 else None


@found("position/only-move", "illegal-move", "occupied", "are exchanged", game="morris")
class TargetFirst(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        move = random_move(state, self.rng)
        swapped = None if move.origin is None else Decision(move.origin, move.target)
        return None if swapped is None else state.game.format_move(swapped)


@found("position/only-spoke", "illegal-move", "not next to", "are corners", game="morris")
class CornersAreJoined(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = [field for field in fields_with(state, str(state.player)) if field % 2 == 0]
        steps = [(field, field + 8) for field in mine if field < 16]
        free = [(field, to) for field, to in steps if state.board[to] == FREE]
        if not free or state.capture or any(state.hand):
            return None
        return state.game.format_move(Decision(free[0][1], free[0][0]))


@found("position/black-slides", "illegal-move", "no stone of yours", game="morris")
class ThinksItIsWhite(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        if state.player == 0 or state.capture or any(state.hand):
            return None
        parts = str(state).replace("player 1", "player 0")
        return super(MorrisClient, self).chosen(Morris().parse_state(parts))


# time and the end, done wrongly


@found("time/three-seconds", "wrong-line", "expected you to THINK")
class SilentThinker(HonestClient):
    async def think(self) -> None:
        """Say nothing, and play."""

    async def move(self, milliseconds: int, state: State[Any]) -> None:  # noqa: ARG002
        await self.say(f"PLAY {self.chosen(state)}")
        await self.heard()


@found("time/half-second", "late", r"PLAY came after 2\.0")
class Slow(HonestClient):
    """Takes its time between OKTHINK and PLAY."""

    def seconds(self, milliseconds: int) -> float:  # noqa: ARG002
        return 2.0

    async def move(self, milliseconds: int, state: State[Any]) -> None:
        await self.think()
        await self.heard()
        await asyncio.sleep(self.seconds(milliseconds))
        turn = self.chosen(state)
        await self.say(f"PLAY {turn}")
        self.reader.played(turn)
        await self.heard()


@found("time/changes", "late", r"the limit is 0\.5 s", game="morris")
class TimeReadOnce(Slow):
    first = 0

    def seconds(self, milliseconds: int) -> float:
        self.first = self.first or milliseconds
        return self.first * 0.9 / 1000


@found("time/three-seconds", "silent", "PLAY had not come")
class SecondsForMilliseconds(Slow):
    def seconds(self, milliseconds: int) -> float:
        return milliseconds * 0.9


class WholeTime(Slow):
    def seconds(self, milliseconds: int) -> float:
        return milliseconds * 0.95 / 1000


@found("game/first-seat", "closed-early", "where OKWAIT was due", game="morris")
class OneMoveOnly(HonestClient):
    async def move(self, milliseconds: int, state: State[Any]) -> None:
        await super().move(milliseconds, state)
        raise Lost


@found("end/draw", "did-not-close", "the end of the game")
class WaitsForAWinner(HonestClient):
    """Ends when it has read who won, and hangs where the game is drawn."""

    async def course(self, text: str) -> bool:
        if text == "GAMEOVER":
            await asyncio.sleep(3600)
        return await super().course(text)
