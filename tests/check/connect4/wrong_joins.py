"""Programs that join: wrong ones, and odd ones that are right."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.check.connect4.honest_join import THEIRS, HonestJoin
from tests.check.planting import Faults, Line, Lost, Odd

found, harmless = Faults(), Odd()

# planted faults


@found("list/one-game", "no-newline", "join_game", "ends with a newline")
class NoNewline(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(text.encode())


@found("list/one-game", "no-message", "JOIN_GAME", "lower case")
class UpperCase(HonestJoin):
    async def say(self, text: str) -> None:
        word, _, rest = text.partition(";")
        await super().say(f"{word.upper()};{rest}")


@found("begin/initiator", "no-message", "field is ' ", "a blank too many")
class BlankBeforeNumber(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(text.replace("move;", "move; "))


@found("begin/initiator", "no-message", "is no message", "semicolons")
class Comma(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(text.replace("move;", "move,"))


@found("begin/initiator", "no-message", "", "after the last parameter")
class SemicolonAtEnd(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(f"{text};" if text.startswith("move") else text)


@found("begin/initiator", "no-message", "", "NUL byte")
class CString(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"{text}\n\0".encode())


@found("join/v1", "no-message", "neither V1 nor V2")
class UnknownVersion(HonestJoin):
    version = "V3"


@found("list/one-game", "index-refuses", "get_game_list")
class WrongRequest(HonestJoin):
    def request(self) -> bytes:
        return b"get_game_list\n"


@found("list/empty", "no-newline", "request_game_list", "ends with a newline")
class ListWithoutNewline(HonestJoin):
    def request(self) -> bytes:
        return b"request_game_list"


@found("game/v1-won", "move-occupied", "occupied", "numbers of columns")
class ColumnNumbers(HonestJoin):
    def number(self, field: int) -> int:
        layer, rest = divmod(field, self.board.width * self.board.height)
        return layer * self.board.width + rest % self.board.width


@found("begin/initiator", "move-floating", "still free", "from the top")
class RowsFromTop(HonestJoin):
    def number(self, field: int) -> int:
        row, column = divmod(field, self.board.width)
        return (self.board.height - 1 - row) * self.board.width + column


@found("game/v1-draw", "move-floating", "", "counted from 1")
class CountsFromOne(HonestJoin):
    def number(self, field: int) -> int:
        return field + 1


@found("begin/initiator", "move-floating", "below it is still free", "from the top")
class NoGravity(HonestJoin):
    def landing(self) -> list[int]:
        return [max(field for field, state in enumerate(self.stones) if state == "0")]


@found("game/v1-draw", "move-occupied", "already occupied", "numbers of columns")
class OverlooksOurStones(HonestJoin):
    async def placed(self, field: int, state: str) -> None:
        if state == THEIRS:
            await self.move()
        else:
            self.stones[field] = state


@found("list/sealed", "joined-sealed", "Sealed")
class FirstInList(HonestJoin):
    def chosen(self, games: list[list[str]]) -> list[str]:
        return games[0]


@found("list/long", "never-connected", "did not connect")
class RecvIsAList(HonestJoin):
    """Takes what one recv gives for the whole list."""

    async def find(self) -> Any:
        index = await Line.at(self.places["index_host"], int(self.places["index_port"]))
        await index.say(self.request())
        cells = (await index.stream.read(1024)).decode().rstrip("\n").split(";")[2:]
        games = [cells[start : start + 8] for start in range(0, len(cells), 8)]
        _, _, name, width, height, depth, host, port = self.chosen(games)
        return name, (int(width), int(height), int(depth)), (host, int(port))


@found("begin/one-segment", "late", "move did not come within 10 s", "one recv")
@found("move/bytes", "closed-early", "closed the connection", "a piece of a line")
class RecvIsALine(HonestJoin):
    """Takes what one recv gives for one message."""

    async def heard(self) -> list[str]:
        data = await self.line.stream.read(1024)
        if not data:
            raise Lost
        return data.decode().split("\n")[0].split(";")


@found("list/depth-0", "closed-early", "join_game")
class DepthNothing(HonestJoin):
    async def join(self, name: str) -> None:
        if self.board.depth == 0:
            raise Lost
        await super().join(name)


@found("list/odd-names", "no-message", "is no UTF\\-8")
class NameInLatin1(HonestJoin):
    async def join(self, name: str) -> None:
        await self.line.say(f"join_game;student;{name};V2\n".encode("latin-1"))


@found("list/odd-names", "other-name", "J\\?rgen")
class NameInAscii(HonestJoin):
    async def join(self, name: str) -> None:
        await super().join(name.encode("ascii", "replace").decode())


@found("move/waits", "not-its-turn", "not the program's turn")
class MovesOnConfirmation(HonestJoin):
    async def placed(self, field: int, state: str) -> None:
        self.stones[field] = state
        await self.move()


@found("begin/patience", "not-its-turn", "not the program's turn")
class MovesAtOnce(HonestJoin):
    async def act(self, word: str, values: list[str]) -> None:
        await super().act(word, values)
        if word == "join_game_success":
            await self.move()


@found("join/v1", "closed-early", "where move was due")
class OnlyV2(HonestJoin):
    async def synchronize(self, values: list[str]) -> None:  # noqa: ARG002
        raise Lost


@found("begin/initiator", "closed-early", "where move was due")
class NeedsStart(HonestJoin):
    started = False

    async def act(self, word: str, values: list[str]) -> None:
        self.started = self.started or word == "start_game"
        if word.startswith("update") and not self.started:
            raise Lost
        await super().act(word, values)


@found("abort/our-turn", "plays-on", "although the game was over")
@found("move/refused", "plays-on", "although the game was over")
@found("join/refused", "plays-on", "although the game was over")
class DoesNotHearTheEnd(HonestJoin):
    async def ended(self, word: str) -> None:  # noqa: ARG002
        await self.move()


@found("join/v2", "late", "move did not come within 10 s")
class Slow(HonestJoin):
    async def move(self) -> None:
        await self.pause(11)
        await super().move()


@found("join/v2", "gave-up", "I do not know")
class GivesUp(HonestJoin):
    async def move(self) -> None:
        await self.say("abort_game;I do not know what to do")


@found("gone/slow", "closed-early", "where nothing was due")
class Impatient(HonestJoin):
    async def heard(self) -> list[str]:
        async with asyncio.timeout(2.5):
            return await super().heard()


# harmless oddities


@harmless
class AsksForV1(HonestJoin):
    version = "V1"


@harmless
class WindowsLines(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"{text}\r\n".encode())


@harmless
class EmptyLines(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"\n{text}\n\n".encode())


@harmless
class EmptyParameter(HonestJoin):
    def request(self) -> bytes:
        return b"request_game_list;\n"


@harmless
class ByteByByte(HonestJoin):
    async def say(self, text: str) -> None:
        for byte in f"{text}\n":
            await self.line.say(byte.encode())
            await self.pause(0.005)


@harmless
class TwoSecondsForAMove(HonestJoin):
    async def move(self) -> None:
        await self.pause(2)
        await super().move()


@harmless
class StaysConnected(HonestJoin):
    def leave(self) -> None:
        pass


@harmless
class GoesStraight(HonestJoin):
    """Knows where the game is, and its size, without the index server."""

    async def find(self) -> Any:
        if "list/" in self.places["case"] or "size/" in self.places["case"]:
            return await super().find()
        return "whatever", (7, 6, 1), (self.places["host"], int(self.places["port"]))


@harmless
class SaysGoodbye(HonestJoin):
    async def ended(self, word: str) -> None:
        await self.say("abort_game;goodbye")
        await super().ended(word)


@harmless
class OddName(HonestJoin):
    async def join(self, name: str) -> None:
        await self.say(f"join_game;  Søren \t(2)  ;{name};{self.version}")
