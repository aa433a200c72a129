"""Programs that join: the honest one passes, and every fault is found where it must be."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from spielwerk.check.connect4 import JOIN
from tests.check.connect4.honest_join import THEIRS, HonestJoin
from tests.check.connect4.peers import Lost, Peer, find, told, verdicts


@pytest.mark.parametrize(
    ("size", "version"), [("7x6", "both"), ("4x4x4", "both"), ("7x6", "V1"), ("5x4x3", "V2")]
)
def test_an_honest_program_passes(size: str, version: str) -> None:
    check = replace(JOIN, choices=lambda: {**JOIN.choices(), "size": (size,)})
    judged = verdicts(check, HonestJoin, size=size, version=version)
    assert told(judged, advice=True) == []
    assert len(judged) > 40


# planted faults


class NoNewline(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(text.encode())


class UpperCase(HonestJoin):
    async def say(self, text: str) -> None:
        word, _, rest = text.partition(";")
        await super().say(f"{word.upper()};{rest}")


class BlankBeforeNumber(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(text.replace("move;", "move; "))


class Comma(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(text.replace("move;", "move,"))


class SemicolonAtEnd(HonestJoin):
    async def say(self, text: str) -> None:
        await super().say(f"{text};" if text.startswith("move") else text)


class CString(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"{text}\n\0".encode())


class UnknownVersion(HonestJoin):
    version = "V3"


class WrongRequest(HonestJoin):
    def request(self) -> bytes:
        return b"get_game_list\n"


class ListWithoutNewline(HonestJoin):
    def request(self) -> bytes:
        return b"request_game_list"


class ColumnNumbers(HonestJoin):
    def number(self, field: int) -> int:
        layer, rest = divmod(field, self.board.width * self.board.height)
        return layer * self.board.width + rest % self.board.width


class RowsFromTop(HonestJoin):
    def number(self, field: int) -> int:
        row, column = divmod(field, self.board.width)
        return (self.board.height - 1 - row) * self.board.width + column


class CountsFromOne(HonestJoin):
    def number(self, field: int) -> int:
        return field + 1


class ColumnsFirst(HonestJoin):
    def number(self, field: int) -> int:
        row, column = divmod(field, self.board.width)
        return column * self.board.height + row


class LayersFirst(HonestJoin):
    def number(self, field: int) -> int:
        board = self.board
        layer, rest = divmod(field, board.width * board.height)
        row, column = divmod(rest, board.width)
        return (row * board.layers + layer) * board.width + column


class NoGravity(HonestJoin):
    def landing(self) -> list[int]:
        return [max(field for field, state in enumerate(self.stones) if state == "0")]


class OverlooksOurStones(HonestJoin):
    async def placed(self, field: int, state: str) -> None:
        if state == THEIRS:
            await self.move()
        else:
            self.stones[field] = state


class FirstInList(HonestJoin):
    def chosen(self, games: list[list[str]]) -> list[str]:
        return games[0]


class RecvIsAList(HonestJoin):
    """Takes what one recv gives for the whole list."""

    async def find(self) -> Any:
        index = await Peer.at(self.places["index_host"], int(self.places["index_port"]))
        await index.say(self.request())
        cells = (await index.stream.read(1024)).decode().rstrip("\n").split(";")[2:]
        games = [cells[start : start + 8] for start in range(0, len(cells), 8)]
        _, _, name, width, height, depth, host, port = self.chosen(games)
        return name, (int(width), int(height), int(depth)), (host, int(port))


class RecvIsALine(HonestJoin):
    """Takes what one recv gives for one message."""

    async def heard(self) -> list[str]:
        data = await self.line.stream.read(1024)
        if not data:
            raise Lost
        return data.decode().split("\n")[0].split(";")


class DepthNothing(HonestJoin):
    async def join(self, name: str) -> None:
        if self.board.depth == 0:
            raise Lost
        await super().join(name)


class NameInLatin1(HonestJoin):
    async def join(self, name: str) -> None:
        await self.line.say(f"join_game;student;{name};V2\n".encode("latin-1"))


class NameInAscii(HonestJoin):
    async def join(self, name: str) -> None:
        await super().join(name.encode("ascii", "replace").decode())


class MovesOnConfirmation(HonestJoin):
    async def placed(self, field: int, state: str) -> None:
        self.stones[field] = state
        await self.move()


class MovesAtOnce(HonestJoin):
    async def act(self, word: str, values: list[str]) -> None:
        await super().act(word, values)
        if word == "join_game_success":
            await self.move()


class OnlyV2(HonestJoin):
    async def synchronize(self, values: list[str]) -> None:  # noqa: ARG002
        raise Lost


class NeedsStart(HonestJoin):
    started = False

    async def act(self, word: str, values: list[str]) -> None:
        self.started = self.started or word == "start_game"
        if word.startswith("update") and not self.started:
            raise Lost
        await super().act(word, values)


class DoesNotHearTheEnd(HonestJoin):
    async def ended(self, word: str) -> None:  # noqa: ARG002
        await self.move()


class Slow(HonestJoin):
    async def move(self) -> None:
        await self.pause(11)
        await super().move()


class GivesUp(HonestJoin):
    async def move(self) -> None:
        await self.say("abort_game;I do not know what to do")


class Impatient(HonestJoin):
    async def heard(self) -> list[str]:
        async with asyncio.timeout(2.5):
            return await super().heard()


FAULTS: list[tuple[type[HonestJoin], str, str, tuple[str, ...]]] = [
    (NoNewline, "list/one-game", "no-newline", ("join_game", "ends with a newline")),
    (UpperCase, "list/one-game", "no-message", ("JOIN_GAME", "lower case")),
    (BlankBeforeNumber, "begin/initiator", "no-message", ("field is ' ", "a blank too many")),
    (Comma, "begin/initiator", "no-message", ("is no message", "semicolons")),
    (SemicolonAtEnd, "begin/initiator", "no-message", ("after the last parameter",)),
    (CString, "begin/initiator", "no-message", ("NUL byte",)),
    (UnknownVersion, "join/v1", "no-message", ("neither V1 nor V2",)),
    (WrongRequest, "list/one-game", "index-refuses", ("get_game_list",)),
    (ListWithoutNewline, "list/empty", "no-newline", ("request_game_list",)),
    (ColumnNumbers, "game/v1-won", "move-occupied", ("occupied", "numbers of columns")),
    (RowsFromTop, "begin/initiator", "move-floating", ("still free", "from the top")),
    (CountsFromOne, "game/v1-draw", "move-floating", ("counted from 1",)),
    (ColumnsFirst, "game/v1-won", "move-floating", ("column * height + row;",)),
    (LayersFirst, "size/solid", "move-floating", ("row * width * depth",)),
    (NoGravity, "begin/initiator", "move-floating", ("below it is still free",)),
    (OverlooksOurStones, "game/v1-draw", "move-occupied", ("already occupied",)),
    (FirstInList, "list/sealed", "joined-sealed", ("Sealed",)),
    (RecvIsAList, "list/long", "never-connected", ("did not connect",)),
    (RecvIsALine, "begin/one-segment", "late", ("move did not come within 10 s", "one recv")),
    (RecvIsALine, "move/bytes", "closed-early", ("closed the connection",)),
    (DepthNothing, "list/depth-0", "closed-early", ("join_game",)),
    (NameInLatin1, "list/odd-names", "no-message", ("is no UTF-8",)),
    (NameInAscii, "list/odd-names", "other-name", ("J?rgen",)),
    (MovesOnConfirmation, "move/waits", "not-its-turn", ("not the program's turn",)),
    (MovesAtOnce, "begin/patience", "not-its-turn", ("not the program's turn",)),
    (OnlyV2, "join/v1", "closed-early", ("where move was due",)),
    (NeedsStart, "begin/initiator", "closed-early", ("where move was due",)),
    (DoesNotHearTheEnd, "abort/our-turn", "plays-on", ("although the game was over",)),
    (DoesNotHearTheEnd, "move/refused", "plays-on", ("although the game was over",)),
    (DoesNotHearTheEnd, "join/refused", "plays-on", ("although the game was over",)),
    (Slow, "join/v2", "late", ("move did not come within 10 s",)),
    (GivesUp, "join/v2", "gave-up", ("I do not know",)),
    (Impatient, "gone/slow", "closed-early", ("where nothing was due",)),
]


@pytest.mark.parametrize(
    ("player", "case", "kind", "words"), FAULTS, ids=[f"{f[0].__name__}-{f[1]}" for f in FAULTS]
)
def test_a_fault_is_found(
    player: type[HonestJoin], case: str, kind: str, words: tuple[str, ...]
) -> None:
    find(verdicts(JOIN, player, [case], seed=10), case, kind, *words)


# harmless oddities


class AsksForV1(HonestJoin):
    version = "V1"


class WindowsLines(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"{text}\r\n".encode())


class EmptyLines(HonestJoin):
    async def say(self, text: str) -> None:
        await self.line.say(f"\n{text}\n\n".encode())


class EmptyParameter(HonestJoin):
    def request(self) -> bytes:
        return b"request_game_list;\n"


class ByteByByte(HonestJoin):
    async def say(self, text: str) -> None:
        for byte in f"{text}\n":
            await self.line.say(byte.encode())
            await self.pause(0.005)


class TwoSecondsForAMove(HonestJoin):
    async def move(self) -> None:
        await self.pause(2)
        await super().move()


class StaysConnected(HonestJoin):
    def leave(self) -> None:
        pass


class AsksTwice(HonestJoin):
    async def find(self) -> Any:
        await super().find()
        await self.pause(0.5)
        return await super().find()


class GoesStraight(HonestJoin):
    """Knows where the game is, and its size, without the index server."""

    async def find(self) -> Any:
        if "list/" in self.places["case"] or "size/" in self.places["case"]:
            return await super().find()
        return "whatever", (7, 6, 1), (self.places["host"], int(self.places["port"]))


class SaysGoodbye(HonestJoin):
    async def ended(self, word: str) -> None:
        await self.say("abort_game;goodbye")
        await super().ended(word)


class OddName(HonestJoin):
    async def join(self, name: str) -> None:
        await self.say(f"join_game;  Søren \t(2)  ;{name};{self.version}")


@pytest.mark.parametrize(
    "player",
    [
        AsksForV1,
        WindowsLines,
        EmptyLines,
        EmptyParameter,
        ByteByByte,
        TwoSecondsForAMove,
        StaysConnected,
        AsksTwice,
        GoesStraight,
        SaysGoodbye,
        OddName,
    ],
)
def test_an_oddity_does_no_harm(player: type[HonestJoin]) -> None:
    assert told(verdicts(JOIN, player)) == []
