"""Programs that host: the honest one passes, and every fault is found where it must be."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from spielwerk.check.connect4 import HOST
from tests.check.connect4.honest_host import INITIATOR, OPPONENT, HonestHost
from tests.check.connect4.peers import Lost, Peer, find, told, verdicts


class Solid(HonestHost):
    size = (4, 4, 4)


class SolidBox(HonestHost):
    size = (5, 4, 3)


@pytest.mark.parametrize("player", [HonestHost, Solid, SolidBox])
@pytest.mark.parametrize("version", ["both", "V1"])
def test_an_honest_program_passes(player: type[HonestHost], version: str) -> None:
    judged = verdicts(HOST, player, version=version, slow="yes")
    assert told(judged, advice=True) == []
    assert len(judged) > 40


# planted faults


class NoDepth(HonestHost):
    def registration(self) -> str:
        return super().registration().replace(";7;6;1;", ";7;6;")


class BlankInNumber(HonestHost):
    def registration(self) -> str:
        return super().registration().replace(";7;6;", "; 7; 6;")


class RegisterWithoutNewline(HonestHost):
    async def ask(self, request: str) -> list[str]:
        index = await Peer.at(*self.address)
        await index.say(request.encode())
        return (await index.line()).decode().split(";")[1:]


class OtherPort(HonestHost):
    def registration(self) -> str:
        return super().registration().replace(f";{self.port}", ";9")


class NoSeal(HonestHost):
    async def seal(self) -> None:
        pass


class SealsAnother(HonestHost):
    async def seal(self) -> None:
        await self.ask("seal_game;00000000-0000-4000-8000-000000000000")


class NoUnregister(HonestHost):
    async def unregister(self) -> None:
        pass


class TakesEveryone(HonestHost):
    async def come(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.taken():
            await Peer(stream, writer).say(b"join_game_success;V1\n")
        else:
            await super().come(stream, writer)


class OnlyV2(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        await self.say(f"updated_game_board;{field};{who}")


class AlwaysV2(HonestHost):
    async def game(self, server: asyncio.Server) -> None:
        self.version = "V2"
        await super().game(server)

    async def say(self, text: str) -> None:
        self.version = "V2"
        await super().say(text.replace("join_game_success;V1", "join_game_success;V2"))


class SwapsStones(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        await super().tell(field, 3 - who)


class RowsFromTop(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        row, column = divmod(field, 7)
        await super().tell((5 - row) * 7 + column, who)


class OldBoard(HonestHost):
    """Tells the whole board before the stone has fallen."""

    def order(self, cells: list[str]) -> list[str]:
        return [f"{number};0" for number in range(len(cells))]


class StartsBoth(HonestHost):
    async def play(self) -> None:
        await self.say("start_game")
        self.first = lambda: INITIATOR  # type: ignore[method-assign]
        await super().play()


class FloatingStone(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        await super().tell(field + 7 if who == 1 else field, who)


def line_of(board: str, field: int, direction: tuple[int, int], *, edges: bool = True) -> int:
    """How many stones like that on a field stand in a row on a board of 7x6."""
    up, right = direction
    count = 1
    for sign in (1, -1):
        row, column = field // 7 + sign * up, field % 7 + sign * right
        while 0 <= row * 7 + column < 42 and (0 <= column < 7 or not edges):
            if board[row * 7 + column] != board[field]:
                break
            count, row, column = count + 1, row + sign * up, column + sign * right
    return count


class OwnEyes(HonestHost):
    """Looks for lines of four by itself, in some directions only."""

    seen: tuple[tuple[int, int], ...] = ()
    last = 0

    async def place(self, field: int) -> None:
        await self.goes_on()
        self.last = field
        await super().place(field)

    def over(self) -> bool:
        if not self.state.outcome:
            return False
        seen = any(line_of(self.state.board, self.last, one) >= 4 for one in self.seen)
        return seen or self.state.outcome.winner is None

    async def opponents_move(self) -> bool:
        return await self.goes_on() or await super().opponents_move()

    def chosen(self) -> int:
        return super().chosen() if not self.state.outcome else -1

    async def goes_on(self) -> bool:
        """The game is over, which was not seen: another stone falls."""
        if self.state.outcome:
            await self.say(f"updated_game_board;{self.state.board.rindex('.')};1")
            await asyncio.sleep(3600)
        return False


class NoColumns(OwnEyes):
    seen = ((0, 1), (1, 1), (1, -1))


class NoRows(OwnEyes):
    seen = ((1, 0), (1, 1), (1, -1))


class NoRising(OwnEyes):
    seen = ((0, 1), (1, 0), (1, -1))


class NoFalling(OwnEyes):
    seen = ((0, 1), (1, 0), (1, 1))


class AcrossTheEdge(HonestHost):
    """Takes stones at both edges for neighbours."""

    last = 0

    async def place(self, field: int) -> None:
        self.last = field
        await super().place(field)

    def over(self) -> bool:
        if self.state.outcome or self.state.board == "." * 42:
            return super().over()
        return line_of(self.state.board, self.last, (0, 1), edges=False) >= 4

    def outcome(self) -> int:
        return int(self.state.board[self.last])


class SwapsOutcomes(HonestHost):
    def outcome(self) -> int:
        return {0: 0, 1: 2, 2: 1}[super().outcome()]


class ForgetsDraws(HonestHost):
    async def tell_end(self) -> None:
        if self.outcome() == 0:
            await asyncio.sleep(3600)
        await super().tell_end()


class TakesAnything(HonestHost):
    def possible(self, field: int) -> bool:  # noqa: ARG002
        return True

    async def place(self, field: int) -> None:
        if super().possible(field):
            await super().place(field)
        else:
            await self.tell(field, 2)


class RefusesInSilence(HonestHost):
    async def refuse(self) -> None:
        await self.say("abort_game;impossible move")


class GoesOnAfterRefusal(HonestHost):
    async def refuse(self) -> None:
        await self.say("moved_failed;impossible")
        await self.opponents_move()


class WaitsForEver(HonestHost):
    limit = 3600.0


class HurriesUs(HonestHost):
    limit = 3.0


class LeavesSilently(HonestHost):
    async def say(self, text: str) -> None:
        if not text.startswith("abort_game;too"):
            await super().say(text)


class WrongBeat(HonestHost):
    def heartbeat(self) -> bytes:
        return b"HEARTBEAT\n"


class NoBeat(HonestHost):
    async def beat(self) -> None:
        pass


class BeatByTcp(HonestHost):
    async def beat(self) -> None:
        line = await Peer.at(*self.address)
        await line.say(b"heartbeat\n")


class IgnoresIndex(HonestHost):
    async def ask(self, request: str) -> list[str]:
        try:
            return await super().ask(request)
        except (OSError, Lost):
            return [""]


class AnswerWithoutNewline(HonestHost):
    async def say(self, text: str) -> None:
        await self.opponent.say(text.encode())


class AlwaysFirst(HonestHost):
    def first(self) -> int:
        return INITIATOR


class ForgetsOnClose(HonestHost):
    async def give_up(self, problem: Exception) -> None:
        raise problem


class RecvIsALine(HonestHost):
    async def heard(self) -> list[str]:
        data = await self.opponent.stream.read(100)
        if not data:
            raise Lost
        return data.decode().rstrip("\n").split(";")


FAULTS: list[tuple[type[HonestHost], str, str, tuple[str, ...]]] = [
    (NoDepth, "register/parameters", "index-refuses", ("takes 7 parameters, 6 came",)),
    (BlankInNumber, "register/parameters", "index-refuses", ("width is", "a blank too many")),
    (RegisterWithoutNewline, "register/parameters", "no-newline", ("register_game",)),
    (OtherPort, "register/parameters", "not-listening", (":9,",)),
    (NoSeal, "seal/sent", "not-sealed", ("seal_game",)),
    (SealsAnother, "seal/sent", "index-refuses", ("no game with this GUID",)),
    (NoUnregister, "game/v2-lost", "not-unregistered", ("unregister_game",)),
    (NoUnregister, "gone/aborts", "not-unregistered", ("unregister_game",)),
    (TakesEveryone, "join/second", "second-joined", ("second opponent",)),
    (OnlyV2, "join/v1", "other-version", ("V1 was agreed",)),
    (AlwaysV2, "join/v1", "no-v1", ("V1 was asked for",)),
    (SwapsStones, "join/v2", "wrong-board", ("and must be",)),
    (RowsFromTop, "join/v2", "wrong-board", ("below must be occupied",)),
    (OldBoard, "join/v1", "wrong-board", ("no field has changed",)),
    (StartsBoth, "begin/one-word", "unexpected", ("updated_game_board",)),
    (FloatingStone, "game/v2-draw", "wrong-board", ("below must be occupied",)),
    (NoColumns, "win/vertical", "unexpected", ("where end_game was due",)),
    (NoRows, "win/horizontal", "unexpected", ("where end_game was due",)),
    (NoRising, "win/rising", "unexpected", ("where end_game was due",)),
    (NoFalling, "win/falling", "unexpected", ("where end_game was due",)),
    (AcrossTheEdge, "game/v2-draw", "wrong-outcome", ("the outcome is not",)),
    (SwapsOutcomes, "win/vertical", "wrong-outcome", ("must be 2: four in a line",)),
    (ForgetsDraws, "game/v1-draw", "late", ("end_game",)),
    (TakesAnything, "illegal/occupied", "took-impossible", ("did not refuse",)),
    (TakesAnything, "illegal/floating", "took-impossible", ("did not refuse",)),
    (TakesAnything, "illegal/outside", "took-impossible", ("field 42",)),
    (RefusesInSilence, "illegal/floating", "no-moved-failed", ("no moved_failed",)),
    (GoesOnAfterRefusal, "illegal/floating", "no-abort-after-illegal", ("no abort_game",)),
    (WaitsForEver, "gone/silent", "no-abort", ("within 14 s",)),
    (HurriesUs, "gone/silent", "timeout-too-soon", ("after 3.0 s",)),
    (LeavesSilently, "gone/silent", "no-abort", ("no abort_game",)),
    (WrongBeat, "heartbeat/in-time", "wrong-heartbeat", ("not a heartbeat",)),
    (NoBeat, "heartbeat/in-time", "no-heartbeat", ("one in 60 s is required",)),
    (BeatByTcp, "seal/sent", "beat-by-tcp", ("UDP",)),
    (IgnoresIndex, "seal/index-gone", "no-abort", ("no abort_game",)),
    (AnswerWithoutNewline, "join/v2", "no-newline", ("answer to join_game",)),
    (ForgetsOnClose, "gone/closed", "not-unregistered", ("14 s",)),
    (RecvIsALine, "join/bytes", "closed-early", ("our stone",)),
]


@pytest.mark.parametrize(
    ("player", "case", "kind", "words"), FAULTS, ids=[f"{f[0].__name__}-{f[1]}" for f in FAULTS]
)
def test_a_fault_is_found(
    player: type[HonestHost], case: str, kind: str, words: tuple[str, ...]
) -> None:
    find(verdicts(HOST, player, [case], seed=3, slow="yes"), case, kind, *words)


def test_who_begins_is_looked_at_over_all_games() -> None:
    judged = verdicts(HOST, AlwaysFirst)
    find(judged, "begin/drawn", "always-begins", "began in all")
    assert told(judged) == []


# harmless oddities


class Braces(HonestHost):
    async def seal(self) -> None:
        await self.ask(f"seal_game;{{{self.guid.upper()}}}")


class DepthNothing(HonestHost):
    size = (7, 6, 0)


class OneConnection(HonestHost):
    """All requests on one connection, as long as it lasts."""

    index: Peer | None = None

    async def ask(self, request: str) -> list[str]:
        self.index = self.index or await Peer.at(*self.address)
        await self.index.say(f"{request}\n".encode())
        word, *values = (await self.index.line()).decode().split(";")
        if not word.endswith("success"):
            raise Lost
        return values


class Synonyms(HonestHost):
    words = ("update_game_board", "move_failed")


class WindowsLines(HonestHost):
    async def say(self, text: str) -> None:
        await self.opponent.say(f"{text}\r\n".encode())


class OnlyV1(HonestHost):
    best = "V1"


class NeverConfirms(HonestHost):
    """Goes on with a stone of its own, which fits the opponent's move."""

    async def tell(self, field: int, who: int) -> None:
        if who == INITIATOR + 1 or self.state.outcome:
            await super().tell(field, who)


class LeavesLastBoardOut(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        if who == INITIATOR + 1 or not self.state.outcome:
            await super().tell(field, who)


class AnyOrder(HonestHost):
    def order(self, cells: list[str]) -> list[str]:
        return cells[::-1]


class DeafToOthers(HonestHost):
    """Listens no more when the first has come."""

    async def game(self, server: asyncio.Server) -> None:
        arrived = await self.arrived.get()
        self.arrived.put_nowait(arrived)
        server.close()
        await super().game(server)


class SealsFirst(HonestHost):
    async def say(self, text: str) -> None:
        if text.startswith("join_game_success"):
            await super().seal()
        await super().say(text)

    async def seal(self) -> None:
        pass


class UnregistersTwice(HonestHost):
    async def unregister(self) -> None:
        await super().unregister()
        with suppress(Lost):
            await super().unregister()


class ThinksForTwoSeconds(HonestHost):
    async def place(self, field: int) -> None:
        if self.state.player != OPPONENT:
            await asyncio.sleep(2)
        await super().place(field)


class BeatsWithoutNewline(HonestHost):
    def heartbeat(self) -> bytes:
        return b"heartbeat"


class AsksForTheListFirst(HonestHost):
    async def run(self) -> None:
        index = await Peer.at(*self.address)
        await index.say(b"request_game_list\n")
        await index.line()
        await super().run()


class AfterAnotherAttempt(HonestHost):
    """Tries again where the name is taken."""

    async def ask(self, request: str) -> Any:
        for _ in range(3):
            try:
                return await super().ask(request)
            except Lost:
                await asyncio.sleep(0.5)
        raise Lost


@pytest.mark.parametrize(
    "player",
    [
        Braces,
        DepthNothing,
        OneConnection,
        Synonyms,
        WindowsLines,
        OnlyV1,
        NeverConfirms,
        LeavesLastBoardOut,
        AnyOrder,
        DeafToOthers,
        SealsFirst,
        ThinksForTwoSeconds,
        UnregistersTwice,
        BeatsWithoutNewline,
        AsksForTheListFirst,
        AfterAnotherAttempt,
    ],
)
def test_an_oddity_does_no_harm(player: type[HonestHost]) -> None:
    assert told(verdicts(HOST, player)) == []


def test_no_heartbeat_is_advice_unless_a_minute_is_waited_for() -> None:
    judged = verdicts(HOST, NoBeat)
    assert told(judged) == []
    find(judged, "heartbeat/in-time", "no-heartbeat", "within 12 s")
