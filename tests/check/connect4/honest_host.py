"""A small honest program that hosts a game, in steps that a variant can do wrong or otherwise."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random

from spielwerk.errors import IllegalMove
from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState
from tests.check.planting import Line, Lost

INITIATOR, OPPONENT = 0, 1


class HonestHost:
    """One game, from the registration to the end."""

    size = (7, 6, 1)
    best = "V2"
    limit = 10.0  # seconds for the opponent's move
    words = ("updated_game_board", "moved_failed")
    opponent: Line

    def __init__(self, places: Mapping[str, str], rng: Random) -> None:
        self.places = places
        self.rng = rng
        self.address = (places["index_host"], int(places["index_port"]))
        self.guid = ""
        self.version = "V1"
        self.arrived: asyncio.Queue[Line] = asyncio.Queue()
        self.state: ConnectFourState = ConnectFour(*self.size).start()
        self.pending = ""  # the field of a move that was not told yet

    async def run(self) -> None:
        """Offer and play."""
        server = await asyncio.start_server(self.come, self.places["host"], 0, limit=1 << 20)
        self.port = server.sockets[0].getsockname()[1]
        beats = asyncio.create_task(self.beat())
        try:
            (self.guid,) = await self.ask(self.registration())
            await self.game(server)
        finally:
            beats.cancel()
            server.close()

    # the index server

    def registration(self) -> str:
        """What we register."""
        width, height, depth = self.size
        place = f"{self.places['host']};{self.port}"
        return f"register_game;student;{self.places['game']};{width};{height};{depth};{place}"

    async def ask(self, request: str) -> list[str]:
        """The values of the index server's answer, if it says yes."""
        index = await Line.at(*self.address)
        await index.say(f"{request}\n".encode())
        word, *values = (await index.hear()).decode().split(";")
        index.close()
        if not word.endswith("success"):
            raise Lost
        return values

    async def seal(self) -> None:
        """The game is running."""
        await self.ask(f"seal_game;{self.guid}")

    async def unregister(self) -> None:
        """The game is over."""
        await self.ask(f"unregister_game;{self.guid}")

    async def beat(self) -> None:
        """A heartbeat every ten seconds, from the registered port."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.bind((self.places["host"], self.port))
            while True:
                line.sendto(self.heartbeat(), self.address)
                await asyncio.sleep(10)

    def heartbeat(self) -> bytes:
        """The datagram."""
        return b"heartbeat\n"

    # opponents

    async def come(self, stream: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client has connected: the first that asks for our game plays."""
        peer = Line(stream, writer)
        try:
            word, *values = (await peer.hear()).decode().split(";")
            if word == "join_game" and values[1] == self.places["game"] and not self.taken():
                self.version = min(self.best, values[2])
                self.arrived.put_nowait(peer)
                return
        except (Lost, ValueError, IndexError, OSError):
            pass
        await peer.say(b"join_game_failed;no\n")
        peer.close()

    def taken(self) -> bool:
        """Whether the game is running."""
        return self.arrived.qsize() > 0 or hasattr(self, "opponent")

    async def game(self, server: asyncio.Server) -> None:  # noqa: ARG002
        """The whole game with the one who has come."""
        self.opponent = await self.arrived.get()
        try:
            await self.say(f"join_game_success;{self.version}")
            await self.seal()
            await self.play()
        except TimeoutError:
            await self.say("abort_game;too slow")
        except (Lost, ValueError, IndexError, OSError) as problem:
            await self.give_up(problem)
        await self.unregister()
        self.opponent.close()

    async def give_up(self, problem: Exception) -> None:  # noqa: ARG002
        """The opponent has gone or said nonsense, or the index server has gone."""
        with suppress(OSError):
            await self.say("abort_game;that went wrong")

    # the game

    async def say(self, text: str) -> None:
        """Send a message to the opponent."""
        await self.opponent.say(f"{text}\n".encode())

    async def heard(self) -> list[str]:
        """The words of the opponent's message."""
        async with asyncio.timeout(self.limit):
            return (await self.opponent.hear()).decode().split(";")

    def first(self) -> int:
        """Who begins."""
        return self.rng.randrange(2)

    async def play(self) -> None:
        """From the first move to the last."""
        begins = self.first()
        self.state = replace(self.state.game, begins=begins).start()
        if begins == OPPONENT:
            await self.say("start_game")
        while not self.over():
            if self.state.player == INITIATOR:
                await self.place(self.chosen())
            elif not await self.opponents_move():
                return
        await self.tell_end()

    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.outcome is not None

    def chosen(self) -> int:
        """Our move."""
        return self.rng.choice(self.state.legal_moves())

    async def opponents_move(self) -> bool:
        """Hear a move and judge it; False if the game is over then."""
        word, field = await self.heard()
        if word != "move":
            raise Lost
        if not self.possible(int(field)):
            await self.refuse()
            return False
        await self.place(int(field))
        return True

    def possible(self, field: int) -> bool:
        """Whether a stone can be placed there."""
        try:
            self.state.play(field)
        except IllegalMove:
            return False
        return True

    async def refuse(self) -> None:
        """The move is not possible."""
        await self.say(f"{self.words[1]};impossible")
        await self.say("abort_game;impossible move")

    async def place(self, field: int) -> None:
        """A stone falls, and the opponent is told."""
        player = self.state.player
        self.state = self.state.play(field)
        await self.tell(field, player + 1)

    async def tell(self, field: int, who: int) -> None:
        """Tell the board, or what has changed."""
        if self.version == "V2":
            await self.say(f"{self.words[0]};{field};{who}")
        else:
            cells = [f"{n};{'.12'.index(stone)}" for n, stone in enumerate(self.state.board)]
            await self.say(f"synchronize_game_board;{len(cells)};{';'.join(self.order(cells))}")

    def order(self, cells: list[str]) -> list[str]:
        """The fields of a whole board."""
        return cells

    def outcome(self) -> int:
        """How the game has ended."""
        assert self.state.outcome
        winner = self.state.outcome.winner
        return 0 if winner is None else winner + 1

    async def tell_end(self) -> None:
        """Tell the outcome."""
        await self.say(f"end_game;{self.outcome()}")
