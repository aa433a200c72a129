"""Index servers with one fault each."""

# ruff: noqa: ARG002

from __future__ import annotations

import asyncio
import uuid

from tests.check.connect4_index.index_server import Game, IndexServer
from tests.check.planting import Faults

Server = type[IndexServer]


caught = Faults()


# the list


@caught("list/game", "unreadable", "take 0 parameters|takes? .* parameters")
class CountsOneTooFew(IndexServer):
    def count(self) -> int:
        return max(0, len(self.games) - 1)


@caught("list/game", "parameter", "width in the list is '5', .* '9'")
class WritesHeightFirst(IndexServer):
    def sides(self, sides: list[str]) -> list[str]:
        return [sides[1], sides[0], sides[2]]


@caught("list/several", "not-listed", "is registered, but not in the list")
class ListsOnlyTheLastGame(IndexServer):
    def listed(self) -> list[Game]:
        return self.games[-1:]


@caught("list/game", "unreadable-game", "status is 'OPEN'")
class ShoutsTheStatus(IndexServer):
    def status(self, game: Game) -> str:
        return game.status.upper()


@caught("list/game", "unreadable", "'game_list' is no message")
class CallsTheListOtherwise(IndexServer):
    def whole_list(self) -> str:
        return super().whole_list().removeprefix("answer_")


@caught("answers/form", "no-explanation", "without its parameter")
class ExplainsNothing(IndexServer):
    def failed(self, what: str, why: str) -> str:
        return f"{what}_failed"


# registering


@caught("register/name-taken", "registered-twice", "is taken")
class AcceptsTakenNames(IndexServer):
    def taken(self, player: str, name: str) -> bool:
        return False


@caught("register/name-taken-by-another", "registered-twice")
class HasNamesForEachPlayer(IndexServer):
    def taken(self, player: str, name: str) -> bool:
        return any((game.player, game.name) == (player, name) for game in self.games)


@caught("register/name-taken-while-sealed", "registered-twice")
class FreesNamesOfSealedGames(IndexServer):
    def taken(self, player: str, name: str) -> bool:
        return any(game.name == name and game.status == "Open" for game in self.games)


@caught("register/name-free-again", "another-answer", "register_failed;.*, not register_success")
class NeverFreesNames(IndexServer):
    def __init__(self) -> None:
        self.names: set[str] = set()

    def taken(self, player: str, name: str) -> bool:
        known = name in self.names
        self.names.add(name)
        return known


@caught("register/utf-8", "parameter", "player in the list is 'JÃ¼rgen", "another charset")
class DecodesLatin1(IndexServer):
    async def handled(self, line: bytes) -> str:
        return self.answer(line.decode("latin-1").rstrip("\r\n"))


@caught("register/utf-8", "parameter", r"\?", "became question marks")
class EncodesAscii(IndexServer):
    def sent(self, answer: str) -> bytes:
        return f"{answer}\n".encode("ascii", "replace")


@caught("register/utf-8", "unreadable", "no UTF-8", "another charset")
class EncodesLatin1(IndexServer):
    def sent(self, answer: str) -> bytes:
        return f"{answer}\n".encode("latin-1", "replace")


@caught("register/blanks", "parameter", "player in the list is 'Anna Maria")
class SquashesBlanks(IndexServer):
    def answer(self, line: str) -> str:
        return super().answer(" ".join(line.split()))


@caught("register/digits", "not-listed")
class TakesNamesForNumbers(IndexServer):
    def name(self, name: str) -> str:
        return str(int(name)) if name.isdigit() else name


@caught("register/depth-0", "parameter", "depth in the list is '1', .* '0'")
class MakesDepthOne(IndexServer):
    def sides(self, sides: list[str]) -> list[str]:
        return [*sides[:2], "1" if sides[2] == "0" else sides[2]]


@caught("register/guid", "guid", "'1' is not written 8-4-4-4-12")
class CountsGames(IndexServer):
    number = 0

    def guid(self) -> str:
        self.number += 1
        return str(self.number)


@caught("register/guids-differ", "same-guid")
class HasOneGuid(IndexServer):
    only = str(uuid.uuid4())

    def guid(self) -> str:
        return self.only


@caught("register/too-few", "missing-parameter", "register_success")
class FillsUpParameters(IndexServer):
    def register(self, values: list[str]) -> str:
        return super().register([*values, *["80"] * (7 - len(values))])


# unregistering and sealing


@caught("unregister/unknown", "another-answer", "'unregister_game_success', not unregister_game_fa")
class RemovesWhatIsNotThere(IndexServer):
    def unregister(self, values: list[str]) -> str:
        super().unregister(values)
        return "unregister_game_success"


@caught("unregister/game", "not-listed", "'stays ")
class RemovesAllGamesOfAnInitiator(IndexServer):
    def remove(self, game: Game) -> None:
        self.games[:] = [other for other in self.games if other.address != game.address]


@caught("unregister/game", "still-listed", "'gone ")
class OnlySaysThatItRemoves(IndexServer):
    def remove(self, game: Game) -> None:
        pass


@caught("unregister/braces", "another-answer", "unregister_game_failed")
class KnowsNoBraces(IndexServer):
    def plain(self, guid: str) -> str:
        return guid.lower()


@caught("seal/game", "status", "is Open in the list, not Sealed")
class NeverSeals(IndexServer):
    def sealed(self, game: Game) -> None:
        pass


@caught("seal/game", "not-listed", "'sealed ")
class HidesSealedGames(IndexServer):
    def listed(self) -> list[Game]:
        return [game for game in self.games if game.status == "Open"]


@caught("unregister/no-guid", "no-guid", "'hallo' is not a GUID")
class RemovesTheLastGameForNoGuid(IndexServer):
    def found(self, values: list[str]) -> Game | None:
        return self.games[-1] if values == ["hallo"] else super().found(values)


# connections


@caught("connection/split", "answered-early", "before the line was complete", "one recv is not")
class TakesARecvForALine(IndexServer):
    async def read(self, reader: asyncio.StreamReader) -> bytes:
        return await reader.read(4096)


@caught("connection/joined", "fewer-answers", "number 2 was not answered", "thrown away")
class ForgetsTheRestOfARecv(IndexServer):
    async def read(self, reader: asyncio.StreamReader) -> bytes:
        data = b""
        while b"\n" not in data and (more := await reader.read(4096)):
            data += more
        return data.partition(b"\n")[0] + b"\n" if data else b""


@caught("connection/kept-open", "not-kept-open", "closed after the answer")
class ClosesAfterEveryAnswer(IndexServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(self.sent(await self.handled(await self.read(reader))))
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@caught("connection/one-each", "not-listed")
class ForgetsGamesWithTheConnection(IndexServer):
    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        before = {game.guid for game in self.games}
        await super().serve(reader, writer)
        self.games[:] = [game for game in self.games if game.guid in before]


@caught("wrong/unknown", "gone-wrong-message", "could no longer be reached")
class EndsAtAnUnknownMessage(IndexServer):
    def unknown(self, line: str) -> str:
        self.die()
        raise OSError


@caught("wrong/datagrams", "unreachable|closed")
class EndsAtAWrongDatagram(IndexServer):
    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        if not data.startswith(b"heartbeat"):
            self.die()


@caught("clients/silent", "held-up-silent-clients", "say nothing more", "one after the other")
class ServesOneAfterTheOther(IndexServer):
    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self.turn:
            await super().client(reader, writer)


@caught("clients/not-reading", "held-up-not-reading", "does not read", "one after the other")
class WritesUnderALock(IndexServer):
    def __init__(self) -> None:
        self.turn = asyncio.Lock()

    async def written(self, writer: asyncio.StreamWriter) -> None:
        async with self.turn:
            await writer.drain()

    async def handled(self, line: bytes) -> str:
        async with self.turn:
            return await super().handled(line)


@caught("clients/one-name", "name-granted", "of 20 clients .* 20 got it")
class LooksBeforeItWaits(IndexServer):
    async def handled(self, line: bytes) -> str:
        free = b"register_game" in line and not self.taken("", line.decode().split(";")[2])
        await asyncio.sleep(0.01)
        self.free = free
        return await super().handled(line)

    def register(self, values: list[str]) -> str:
        if self.free:
            values = [*values]
            known, self.games = self.games, []
            answer = super().register(values)
            self.games = known + self.games
            return answer
        return super().register(values)


# heartbeats


@caught("heartbeat/from-the-index", "no-heartbeat", r"within 60 s .*\(number 1\)")
class SendsNoHeartbeats(IndexServer):
    async def beats(self) -> None:
        pass


@caught("heartbeat/from-the-index", "no-such-heartbeat")
class SendsSomethingElse(IndexServer):
    heartbeat = b"alive\n"


@caught("heartbeat/keeps", "dropped-in-spite-of-heartbeats", "every 10 s")
class HearsNoHeartbeats(IndexServer):
    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        pass


@caught("heartbeat/begins-anew", "dropped-in-spite-of-one-heartbeat", "50 s after a heartbeat")
class AddsTheTimeOnce(IndexServer):
    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        for game in self.games:
            game.heard += 5


@caught("time-out/silent", "not-dropped", "still in the list 90 s after")
class KnowsNoTimeOut(IndexServer):
    limit = 1e9


@caught("time-out/silent", "dropped-early", "gone after 50 s already")
class LosesPatience(IndexServer):
    limit = 30.0


@caught("time-out/silent", "some-not-dropped", "only some games")
class KeepsSealedGames(IndexServer):
    def fallen(self, late: list[Game]) -> list[Game]:
        return [game for game in late if game.status == "Open"]


@caught("time-out/others-stay", "dropped-in-spite-of-heartbeats")
class DropsAllOfAnAddress(IndexServer):
    def fallen(self, late: list[Game]) -> list[Game]:
        hosts = {game.address[0] for game in late}
        return [game for game in self.games if game.address[0] in hosts]
