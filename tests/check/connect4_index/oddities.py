"""Index servers that are right in their own way."""

# ruff: noqa: ARG002

from __future__ import annotations

import asyncio
import re
import uuid

from tests.check.connect4_index.faults import ClosesAfterEveryAnswer
from tests.check.connect4_index.index_server import Game, IndexServer
from tests.check.planting import Odd

harmless, harmless_by_document = Odd(), Odd()  # cases that we have decided are not for these


@harmless
class PutsGuidsInBraces(IndexServer):
    def guid(self) -> str:
        return f"{{{str(uuid.uuid4()).upper()}}}"


@harmless
class SpeaksOddly(IndexServer):
    """The variant's words, a semicolon behind the last parameter, \\r\\n, and empty lines."""

    def sent(self, answer: str) -> bytes:
        return super().sent(re.sub("^register_", "register_game_", answer) + ";\r\n\r")


@harmless
class ExplainsAtLength(IndexServer):
    def failed(self, what: str, why: str) -> str:
        return f"{what}_failed; Fehler: {why}; bitte später nochmal (ÄÖÜ) "


@harmless
class WritesByteByByte(IndexServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await self.read(reader):
            for byte in self.sent(await self.handled(line))[:-1]:
                writer.write(bytes([byte]))
                await asyncio.sleep(0)
            writer.write(b"\n")
            await writer.drain()


@harmless
class HasGamesOfOthers(IndexServer):
    def listed(self) -> list[Game]:
        odd = [
            Game("", "", "", ["x", "", "-1"], ("nirgends", ""), 0.0),
            Game("", "Spielwerk", "game", ["7", "6", "0"], ("::1", "99999"), 0.0, "Sealed"),
        ]
        return [odd[0], *reversed(self.games), odd[1]]


@harmless
class LooksAtNoNumbers(IndexServer):
    def fits(self, values: list[str]) -> bool:
        return len(values) >= 7

    def register(self, values: list[str]) -> str:
        return super().register(values[:7])

    async def beats(self) -> None:
        while True:
            for host, port in {game.address for game in self.games}:
                if port.isdigit() and 0 < int(port) < 65536:
                    self.udp.sendto(self.heartbeat, (host, int(port)))
            await asyncio.sleep(self.beat)


@harmless
class BreaksWithWrongClients(IndexServer):
    def unknown(self, line: str) -> str:
        raise OSError

    def failed(self, what: str, why: str) -> str:
        if why == "wrong parameters":
            raise OSError
        return super().failed(what, why)


@harmless
class SaysNothingToWrongClients(IndexServer):
    def unknown(self, line: str) -> str:
        return ""

    def failed(self, what: str, why: str) -> str:
        return "" if why == "wrong parameters" else super().failed(what, why)


@harmless
class HasALargestBoard(IndexServer):
    def fits(self, values: list[str]) -> bool:
        return super().fits(values) and int(values[2]) <= 12


@harmless
class RefusesToSealTwice(IndexServer):
    def seal(self, values: list[str]) -> str:
        game = self.found(values)
        if game and game.status == "Sealed":
            return self.failed("seal_game", "sealed already")
        return super().seal(values)


@harmless
class BeatsSeldomAndWithoutNewline(IndexServer):
    beat = 45.0
    heartbeat = b"heartbeat"


@harmless
class NoticesTimeOutsLate(IndexServer):
    look = 25.0


@harmless_by_document
class KnowsInitiatorsByAddressOnly(IndexServer):
    def comes_from(self, game: Game, source: tuple[str, int]) -> bool:
        return game.address[0] == source[0]


@harmless_by_document
class TakesOneRequestAConnection(ClosesAfterEveryAnswer):
    pass
