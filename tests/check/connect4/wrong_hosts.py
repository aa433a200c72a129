"""Programs that host: wrong ones, and odd ones that are right."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from tests.check.connect4.honest_host import INITIATOR, HonestHost
from tests.check.planting import Faults, Line, Lost, Odd

found, harmless = Faults(), Odd()

# planted faults


@found("register/parameters", "index-refuses", "takes 7 parameters, 6 came")
class NoDepth(HonestHost):
    def registration(self) -> str:
        return super().registration().replace(";7;6;1;", ";7;6;")


@found("register/parameters", "no-newline", "register_game", "ends with a newline")
class RegisterWithoutNewline(HonestHost):
    async def ask(self, request: str) -> list[str]:
        index = await Line.at(*self.address)
        await index.say(request.encode())
        return (await index.hear()).decode().split(";")[1:]


@found("register/parameters", "not-listening", ":9,")
class OtherPort(HonestHost):
    def registration(self) -> str:
        return super().registration().replace(f";{self.port}", ";9")


@found("seal/sent", "not-sealed", "seal_game")
class NoSeal(HonestHost):
    async def seal(self) -> None:
        pass


@found("seal/sent", "index-refuses", "no game with this GUID")
class SealsAnother(HonestHost):
    async def seal(self) -> None:
        await self.ask("seal_game;00000000-0000-4000-8000-000000000000")


@found("game/v2-lost", "not-unregistered", "unregister_game")
@found("gone/aborts", "not-unregistered", "unregister_game")
class NoUnregister(HonestHost):
    async def unregister(self) -> None:
        pass


@found("join/second", "second-joined", "second opponent")
class TakesEveryone(HonestHost):
    async def come(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.taken():
            await Line(stream, writer).say(b"join_game_success;V1\n")
        else:
            await super().come(stream, writer)


@found("join/v1", "other-version", "V1 was agreed")
class OnlyV2(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        await self.say(f"updated_game_board;{field};{who}")


@found("join/v1", "no-v1", "V1 was asked for")
class AlwaysV2(HonestHost):
    async def game(self, server: asyncio.Server) -> None:
        self.version = "V2"
        await super().game(server)

    async def say(self, text: str) -> None:
        self.version = "V2"
        await super().say(text.replace("join_game_success;V1", "join_game_success;V2"))


@found("join/v2", "wrong-board", "and must be")
class SwapsStones(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        await super().tell(field, 3 - who)


@found("join/v2", "wrong-board", "below must be occupied")
class RowsFromTop(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        row, column = divmod(field, 7)
        await super().tell((5 - row) * 7 + column, who)


@found("join/v1", "wrong-board", "no field has changed")
class OldBoard(HonestHost):
    """Tells the whole board before the stone has fallen."""

    def order(self, cells: list[str]) -> list[str]:
        return [f"{number};0" for number in range(len(cells))]


@found("begin/one-word", "unexpected", "updated_game_board")
class StartsBoth(HonestHost):
    async def play(self) -> None:
        await self.say("start_game")
        self.first = lambda: INITIATOR  # type: ignore[method-assign]
        await super().play()


def line_of(board: str, field: int, direction: tuple[int, int]) -> int:
    """How many stones like that on a field stand in a row on a board of 7x6."""
    up, right = direction
    count = 1
    for sign in (1, -1):
        row, column = field // 7 + sign * up, field % 7 + sign * right
        while 0 <= row * 7 + column < 42 and 0 <= column < 7:
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


@found("win/vertical", "unexpected", "where end_game was due")
class NoColumns(OwnEyes):
    seen = ((0, 1), (1, 1), (1, -1))


@found("win/horizontal", "unexpected", "where end_game was due")
class NoRows(OwnEyes):
    seen = ((1, 0), (1, 1), (1, -1))


@found("win/rising", "unexpected", "where end_game was due")
class NoRising(OwnEyes):
    seen = ((0, 1), (1, 0), (1, -1))


@found("win/falling", "unexpected", "where end_game was due")
class NoFalling(OwnEyes):
    seen = ((0, 1), (1, 0), (1, 1))


@found("win/vertical", "wrong-outcome", "must be 2: four in a line")
class SwapsOutcomes(HonestHost):
    def outcome(self) -> int:
        return {0: 0, 1: 2, 2: 1}[super().outcome()]


@found("game/v1-draw", "late", "end_game")
class ForgetsDraws(HonestHost):
    async def tell_end(self) -> None:
        if self.outcome() == 0:
            await asyncio.sleep(3600)
        await super().tell_end()


@found("illegal/occupied", "took-impossible", "did not refuse")
@found("illegal/floating", "took-impossible", "did not refuse")
@found("illegal/outside", "took-impossible", "field 42")
class TakesAnything(HonestHost):
    def possible(self, field: int) -> bool:  # noqa: ARG002
        return True

    async def place(self, field: int) -> None:
        if super().possible(field):
            await super().place(field)
        else:
            await self.tell(field, 2)


@found("illegal/floating", "no-moved-failed", "no moved_failed")
class RefusesInSilence(HonestHost):
    async def refuse(self) -> None:
        await self.say("abort_game;impossible move")


@found("illegal/floating", "no-abort-after-illegal", "no abort_game")
class GoesOnAfterRefusal(HonestHost):
    async def refuse(self) -> None:
        await self.say("moved_failed;impossible")
        await self.opponents_move()


@found("gone/silent", "no-abort", "within 14 s")
class WaitsForEver(HonestHost):
    limit = 3600.0


@found("gone/silent", "timeout-too-soon", "after 3\\.0 s")
class HurriesUs(HonestHost):
    limit = 3.0


@found("heartbeat/in-time", "wrong-heartbeat", "not a heartbeat")
class WrongBeat(HonestHost):
    def heartbeat(self) -> bytes:
        return b"HEARTBEAT\n"


@found("heartbeat/in-time", "no-heartbeat", "one in 60 s is required")
class NoBeat(HonestHost):
    async def beat(self) -> None:
        pass


@found("seal/sent", "beat-by-tcp", "UDP")
class BeatByTcp(HonestHost):
    async def beat(self) -> None:
        line = await Line.at(*self.address)
        await line.say(b"heartbeat\n")


@found("seal/index-gone", "no-abort", "no abort_game")
class IgnoresIndex(HonestHost):
    async def ask(self, request: str) -> list[str]:
        try:
            return await super().ask(request)
        except (OSError, Lost):
            return [""]


@found("join/v2", "no-newline", "answer to join_game", "ends with a newline")
class AnswerWithoutNewline(HonestHost):
    async def say(self, text: str) -> None:
        await self.opponent.say(text.encode())


class AlwaysFirst(HonestHost):
    def first(self) -> int:
        return INITIATOR


@found("join/bytes", "closed-early", "our stone", "a piece of a line")
class RecvIsALine(HonestHost):
    async def heard(self) -> list[str]:
        data = await self.opponent.stream.read(100)
        if not data:
            raise Lost
        return data.decode().rstrip("\n").split(";")


# harmless oddities


@harmless
class Braces(HonestHost):
    async def seal(self) -> None:
        await self.ask(f"seal_game;{{{self.guid.upper()}}}")


@harmless
class DepthNothing(HonestHost):
    size = (7, 6, 0)


@harmless
class OneConnection(HonestHost):
    """All requests on one connection, as long as it lasts."""

    index: Line | None = None

    async def ask(self, request: str) -> list[str]:
        self.index = self.index or await Line.at(*self.address)
        await self.index.say(f"{request}\n".encode())
        word, *values = (await self.index.hear()).decode().split(";")
        if not word.endswith("success"):
            raise Lost
        return values


@harmless
class Synonyms(HonestHost):
    words = ("update_game_board", "move_failed")


@harmless
class WindowsLines(HonestHost):
    async def say(self, text: str) -> None:
        await self.opponent.say(f"{text}\r\n".encode())


@harmless
class OnlyV1(HonestHost):
    best = "V1"


@harmless
class NeverConfirms(HonestHost):
    """Goes on with a stone of its own, which fits the opponent's move."""

    async def tell(self, field: int, who: int) -> None:
        if who == INITIATOR + 1 or self.state.outcome:
            await super().tell(field, who)


@harmless
class LeavesLastBoardOut(HonestHost):
    async def tell(self, field: int, who: int) -> None:
        if who == INITIATOR + 1 or not self.state.outcome:
            await super().tell(field, who)


@harmless
class AnyOrder(HonestHost):
    def order(self, cells: list[str]) -> list[str]:
        return cells[::-1]


@harmless
class DeafToOthers(HonestHost):
    """Listens no more when the first has come."""

    async def game(self, server: asyncio.Server) -> None:
        arrived = await self.arrived.get()
        self.arrived.put_nowait(arrived)
        server.close()
        await super().game(server)


@harmless
class SealsFirst(HonestHost):
    async def say(self, text: str) -> None:
        if text.startswith("join_game_success"):
            await super().seal()
        await super().say(text)

    async def seal(self) -> None:
        pass


@harmless
class UnregistersTwice(HonestHost):
    async def unregister(self) -> None:
        await super().unregister()
        with suppress(Lost):
            await super().unregister()


@harmless
class BeatsWithoutNewline(HonestHost):
    def heartbeat(self) -> bytes:
        return b"heartbeat"
