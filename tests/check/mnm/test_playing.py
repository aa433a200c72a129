"""Clients that play wrongly are found by the case for it; odd ones that play rightly are not."""

from __future__ import annotations

import asyncio
from typing import Any, NamedTuple

import pytest

from spielwerk.check.case import CaseFault
from spielwerk.games import NOBODY, State
from spielwerk.games.morris.rules import FREE, MILLS_OF, NEIGHBOURS, Decision, Morris, MorrisState
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Placement, QuartoState
from tests.check.mnm.honest import HonestClient, Lost, verdicts, wrong

PLAYING = ("time", "position", "game", "end")


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


class RowsFromTheTop(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return (state.game.n - 1 - row) * state.game.n + column


class ColumnsFromTheRight(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return row * state.game.n + state.game.n - 1 - column


class RowForColumn(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        row, column = divmod(free[0], state.game.n)
        return column * state.game.n + row


class RowsFromZero(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        row, column = divmod(move.square, state.game.n)
        stone = "" if move.stone is None else f",{move.stone}"
        return f"{'ABCDEFGH'[column]}{row}{stone}"


class ZeroIsFree(QuartoClient):
    def square(self, state: QuartoState, free: list[int]) -> int:
        return state.board.index(0) if 0 in state.board else free[0]


class HandsOnItsOwn(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return state.stone


class HandsOnTwice(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        placed = [stone for stone in state.board if stone is not None]
        return placed[0] if placed else super().stone(state)


class HandsOnNothing(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:  # noqa: ARG002
        return None


class HandsOnAfterTheLast(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return next(iter(state.supply()), 0)


class SeventeenStones(QuartoClient):
    def stone(self, state: QuartoState) -> int | None:
        return len(state.board) if state.supply() else None


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


class LowerCase(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).lower()


class BlankInside(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).replace(",", ", ")


class LeadingZero(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).replace(",", ",0")


class WholeBuffer(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return f"{super().written(state, move)}\x01~"


class NoComma(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:
        return super().written(state, move).replace(",", " ")


class SquareAsNumber(QuartoClient):
    def written(self, state: QuartoState, move: Placement) -> str:  # noqa: ARG002
        return str(move.square)


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


def _fields(state: MorrisState, content: str) -> list[int]:
    return [field for field, found in enumerate(state.board) if found == content]


def _far(state: MorrisState) -> str:
    """A stone of the player who moves that jumps."""
    mine = _fields(state, str(state.player))[0]
    free = [field for field in _fields(state, FREE) if field not in NEIGHBOURS[mine]]
    return state.game.format_move(Decision(free[0], mine))


class FliesWithFour(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        few = len(_fields(state, str(state.player))) <= 4
        return _far(state) if few and not state.capture and not any(state.hand) else None


class FliesWhilePlacing(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        three = len(_fields(state, str(state.player))) == 3
        return _far(state) if three and not state.capture else None


class MovesTooEarly(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        return _far(state) if state.hand[state.player] == 1 and not state.capture else None


class CannotFly(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = _fields(state, str(state.player))
        stuck = all(state.board[at] != FREE for field in mine for at in NEIGHBOURS[field])
        if mine and stuck and not state.capture and not state.hand[state.player]:
            raise Lost
        return None


class PlacesForEver(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        placing = not state.capture and not state.hand[state.player]
        return state.game.format_move(Decision(_fields(state, FREE)[0])) if placing else None


class CapturesItsOwn(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = _fields(state, str(state.player))
        return state.game.format_move(Decision(mine[0])) if state.capture else None


class ForgetsToCapture(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        return _far(state) if state.capture else None


class SparesMills(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        other = str(1 - state.player)
        mills = [
            field
            for field in _fields(state, other)
            if any(all(state.board[at] == other for at in mill) for mill in MILLS_OF[field])
        ]
        if state.capture and len(mills) == len(_fields(state, other)):
            raise Lost
        return None


class CapturesTooMuch(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        theirs = _fields(state, str(1 - state.player))[:2]
        both = ";".join(state.game.format_move(Decision(field)) for field in theirs)
        return both if state.capture == 1 and len(theirs) == 2 else None


class TargetFirst(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        move = random_move(state, self.rng)
        swapped = None if move.origin is None else Decision(move.origin, move.target)
        return None if swapped is None else state.game.format_move(swapped)


class CornersAreJoined(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        mine = [field for field in _fields(state, str(state.player)) if field % 2 == 0]
        steps = [(field, field + 8) for field in mine if field < 16]
        free = [(field, to) for field, to in steps if state.board[to] == FREE]
        if not free or state.capture or any(state.hand):
            return None
        return state.game.format_move(Decision(free[0][1], free[0][0]))


class ThinksItIsWhite(MorrisClient):
    def wrong(self, state: MorrisState) -> str | None:
        if state.player == 0 or state.capture or any(state.hand):
            return None
        parts = str(state).replace("player 1", "player 0")
        return super(MorrisClient, self).chosen(Morris().parse_state(parts))


# time and the end, done wrongly


class SilentThinker(HonestClient):
    async def think(self) -> None:
        """Say nothing, and play."""

    async def move(self, milliseconds: int, state: State[Any]) -> None:  # noqa: ARG002
        await self.say(f"PLAY {self.chosen(state)}")
        await self.heard()


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


class TimeReadOnce(Slow):
    first = 0

    def seconds(self, milliseconds: int) -> float:
        self.first = self.first or milliseconds
        return self.first * 0.9 / 1000


class SecondsForMilliseconds(Slow):
    def seconds(self, milliseconds: int) -> float:
        return milliseconds * 0.9


class WholeTime(Slow):
    def seconds(self, milliseconds: int) -> float:
        return milliseconds * 0.95 / 1000


class ThinksBeforeItSaysSo(HonestClient):
    async def think(self) -> None:
        await asyncio.sleep(1.5)
        await super().think()


class OneMoveOnly(HonestClient):
    async def move(self, milliseconds: int, state: State[Any]) -> None:
        await super().move(milliseconds, state)
        raise Lost


class NeverEnds(HonestClient):
    async def over(self) -> bool:
        await super().over()
        await asyncio.sleep(3600)
        return False


class WaitsForAWinner(HonestClient):
    """Ends when it has read who won, and hangs where the game is drawn."""

    async def course(self, text: str) -> bool:
        if text == "GAMEOVER":
            await asyncio.sleep(3600)
        return await super().course(text)


class Planted(NamedTuple):
    """A client with one fault, and what is said of it."""

    client: type[HonestClient]
    game: str
    case: str
    kind: str
    problem: str
    hint: str = ""


FAULTS = [
    Planted(
        RowsFromTheTop, "quarto", "square-names", "illegal-move", "already occupied", "the top"
    ),
    Planted(ColumnsFromTheRight, "quarto", "square-names", "illegal-move", "occupied", "the right"),
    Planted(RowForColumn, "quarto", "square-names", "illegal-move", "occupied", "exchanged"),
    Planted(RowsFromZero, "quarto", "square-names", "illegal-move", "occupied", "begin with 1"),
    Planted(
        ZeroIsFree, "quarto", "stone-zero-placed", "illegal-move", "occupied", "0 is taken for"
    ),
    Planted(HandsOnItsOwn, "quarto", "one-stone-left", "illegal-move", "being placed", "in hand"),
    Planted(HandsOnTwice, "quarto", "game/first-seat", "illegal-move", "is already on the board"),
    Planted(HandsOnNothing, "quarto", "first-stone", "illegal-move", "must be handed"),
    Planted(HandsOnAfterTheLast, "quarto", "last-stone", "illegal-move", "No stone is left"),
    Planted(SeventeenStones, "quarto", "first-stone", "illegal-move", "There is no such stone"),
    Planted(GivesUpWhenLost, "quarto", "every-stone-loses", "closed-early", "where PLAY was due"),
    Planted(LowerCase, "quarto", "first-stone", "no-move", "is no Quarto move", "are capitals"),
    Planted(BlankInside, "quarto", "first-stone", "no-move", "is no Quarto move", "no blanks"),
    Planted(LeadingZero, "quarto", "first-stone", "no-move", "is no Quarto move", "leading zero"),
    Planted(WholeBuffer, "quarto", "first-stone", "no-move", "is no Quarto move", "of a buffer"),
    Planted(NoComma, "quarto", "first-stone", "no-move", "is no Quarto move"),
    Planted(SquareAsNumber, "quarto", "first-stone", "no-move", "does not look like A1,0"),
    Planted(OldField, "quarto", "game/first-seat", "illegal-move", "already occupied"),
    Planted(FliesWithFour, "morris", "four-slide", "illegal-move", "is not next to the field"),
    Planted(FliesWhilePlacing, "morris", "three-placed", "illegal-move", "must be placed before"),
    Planted(
        MovesTooEarly, "morris", "last-stone-to-place", "illegal-move", "must be placed before"
    ),
    Planted(CannotFly, "morris", "fly", "closed-early", "where PLAY was due"),
    Planted(PlacesForEver, "morris", "game/first-seat", "illegal-move", "one must be moved"),
    Planted(CapturesItsOwn, "morris", "one-capture", "illegal-move", "no stone of the opponent"),
    Planted(ForgetsToCapture, "morris", "two-captures", "illegal-move", "captured first"),
    Planted(SparesMills, "morris", "all-in-mills", "closed-early", "where PLAY was due"),
    Planted(CapturesTooMuch, "morris", "one-capture", "illegal-move", "left over"),
    Planted(TargetFirst, "morris", "only-move", "illegal-move", "occupied", "are exchanged"),
    Planted(CornersAreJoined, "morris", "only-spoke", "illegal-move", "not next to", "are corners"),
    Planted(ThinksItIsWhite, "morris", "black-slides", "illegal-move", "no stone of yours"),
    Planted(SilentThinker, "quarto", "time/three-seconds", "wrong-line", "expected you to THINK"),
    Planted(Slow, "quarto", "time/half-second", "late", "PLAY came after 2.0"),
    Planted(TimeReadOnce, "morris", "time/changes", "late", "the limit is 0.5 s"),
    Planted(SecondsForMilliseconds, "quarto", "time/three-seconds", "silent", "PLAY had not come"),
    Planted(
        ThinksBeforeItSaysSo, "morris", "time/three-seconds", "late", "THINKING came after 1.5"
    ),
    Planted(OneMoveOnly, "morris", "game/first-seat", "closed-early", "where OKWAIT was due"),
    Planted(NeverEnds, "quarto", "end/lost", "did-not-end", "the end of the game"),
    Planted(WaitsForAWinner, "quarto", "end/draw", "did-not-end", "the end of the game"),
]


@pytest.mark.parametrize("planted", FAULTS, ids=lambda one: one.client.__name__)
def test_a_fault_is_found_by_its_case_and_named(planted: Planted) -> None:
    fault = only_fault(planted.client, planted.game, planted.case)
    assert fault.kind.partition(":")[0] == planted.kind
    assert planted.problem in fault.problem
    assert planted.hint in fault.hint
    assert bool(fault.hint) == bool(planted.hint)


def only_fault(client: type[HonestClient], game: str, case: str) -> CaseFault:
    name = case if "/" in case else f"position/{case}"
    (verdict,) = verdicts(client, [name], game).values()
    assert not verdict.passed
    (fault,) = verdict.faults
    return fault


def test_wrong_moves_are_told_where_a_case_is_about_moves_and_nowhere_else() -> None:
    judged = verdicts(LowerCase, ["time", "end", "wait", "game/first-seat"])
    assert [name for name, verdict in judged.items() if verdict.faults] == ["game/first-seat"]
    events = [entry.data.decode() for entry in judged["time/half-second"].transcript]
    assert any("which other cases are about" in event for event in events)


# odd, but right


class TrailingBlank(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text} ")


class CarriageReturn(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(f"{text}\r")


class TwoBlanks(HonestClient):
    async def say(self, text: str) -> None:
        await super().say(text.replace("PLAY ", "PLAY  "))


class ByteByByte(HonestClient):
    async def write(self, data: bytes) -> None:
        for byte in data:
            await super().write(bytes([byte]))
            await asyncio.sleep(0.002)


class BothAtOnce(HonestClient):
    """Does not wait for OKTHINK."""

    async def move(self, milliseconds: int, state: State[Any]) -> None:  # noqa: ARG002
        turn = self.chosen(state)
        await self.write(f"THINKING\nPLAY {turn}\n".encode())
        self.reader.played(turn)
        await self.heard()
        await self.heard()


class LeavesAtGameOver(HonestClient):
    async def over(self) -> bool:
        return False


class StaysToTheLastByte(HonestClient):
    async def over(self) -> bool:
        while True:
            await self.heard()


class AnySeat(HonestClient):
    def wanted(self) -> str:
        return "PLAYER"


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
            return state.game.format_move(Decision(_fields(state, FREE)[0]))
        return super().chosen(state)


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


class WinsWithoutHandingOn(QuartoClient):
    def chosen(self, state: State[Any]) -> str:
        for move in state.winning_candidates():
            if (outcome := state.play(move).outcome) and outcome.winner is not None:
                return state.game.format_move(move._replace(stone=None))
        return super().chosen(state)


class WholeTurns(HonestClient):
    """Joins all its decisions with semicolons."""

    def chosen(self, state: State[Any]) -> str:
        me, turn = state.turn, []
        while state.turn == me != NOBODY:
            move = random_move(state, self.rng)
            turn.append(state.game.format_move(move))
            state = state.play(move)
        return ";".join(turn)


ODDITIES = [
    *((TrailingBlank, "quarto"), (CarriageReturn, "morris"), (TwoBlanks, "quarto")),
    *((ByteByByte, "quarto"), (BothAtOnce, "quarto"), (LeavesAtGameOver, "morris")),
    *((StaysToTheLastByte, "quarto"), (AnySeat, "morris"), (AlwaysTheFirst, "morris")),
    *((WinsWithoutHandingOn, "quarto"), (WholeTurns, "morris"), (WholeTime, "quarto")),
    *((CountsItsOwnMoves, "morris"), (ListsStonesItself, "quarto")),
]


@pytest.mark.parametrize(("client", "game"), ODDITIES)
def test_what_is_only_odd_passes(client: type[HonestClient], game: str) -> None:
    assert wrong(verdicts(client, PLAYING, game)) == []


# what is advised


def test_the_whole_time_for_the_only_move_is_a_waste() -> None:
    (verdict,) = verdicts(WholeTime, ["time/thirty-seconds"]).values()
    assert verdict.advised
    assert [fault.kind for fault in verdict.faults] == ["wasted"]
    assert "after 28." in verdict.faults[0].problem


def test_a_win_that_was_there_is_pointed_out() -> None:
    class Blind(QuartoClient):
        def square(self, state: QuartoState, free: list[int]) -> int:  # noqa: ARG002
            return free[-1]

    (verdict,) = verdicts(Blind, ["position/winning-stone"]).values()
    assert verdict.advised
    assert "A3" in verdict.faults[0].problem


def test_other_sizes_of_the_field_are_only_suggested() -> None:
    class FourByFour(HonestClient):
        def chosen(self, state: State[Any]) -> str:
            assert isinstance(state, QuartoState)
            return super().chosen(state) if len(state.board) == 16 else "E4,3"

    (verdict,) = verdicts(FourByFour, ["position/smaller-field"]).values()
    assert verdict.advised


def test_a_client_with_a_seat_of_its_own_hears_which_cases_it_misses() -> None:
    (verdict,) = verdicts(AlwaysTheFirst, ["position/black-places"], "morris").values()
    assert [fault.kind for fault in verdict.faults] == ["not-shown"]


def test_a_client_that_counts_by_itself_is_told_and_not_blamed() -> None:
    (verdict,) = verdicts(CountsItsOwnMoves, ["position/slide"], "morris").values()
    assert verdict.advised
    assert "counts its own moves" in verdict.faults[0].hint


# what is shown of a wrong move


def test_the_first_wrong_byte_is_marked_and_legal_moves_are_named() -> None:
    (verdict,) = verdicts(SeventeenStones, ["position/one-stone-left"]).values()
    (fault,) = verdict.faults
    assert fault.entry is not None
    assert fault.position is not None
    said = verdict.transcript[fault.entry].data
    assert said.startswith(b"PLAY ")
    assert said[: fault.position] in (b"PLAY A4,1", b"PLAY C3,1")
    (expected,) = fault.expected
    assert isinstance(expected, str)
    assert "C3,13" in expected
    assert "A4,13" in expected


def test_the_only_legal_move_is_expected_as_its_line() -> None:
    fault = only_fault(RowsFromTheTop, "quarto", "square-names")
    assert fault.expected == (b"PLAY D2\n",)
    assert fault.position == len("PLAY D")


def test_a_missing_stone_is_marked_where_the_line_ends() -> None:
    fault = only_fault(HandsOnNothing, "quarto", "first-stone")
    assert fault.position == len("PLAY B4")


def test_the_second_decision_of_a_chain_is_marked() -> None:
    fault = only_fault(CapturesTooMuch, "morris", "one-capture")
    assert fault.position == len("PLAY B2;")
    assert fault.expected == (b"PLAY B2\n",)
