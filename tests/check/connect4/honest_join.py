"""A small honest program that joins a game, in steps that a variant can do wrong or otherwise."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from random import Random

from spielwerk.games.connect4.rules import ConnectFour
from tests.check.planting import Line, Lost

OURS, THEIRS = "2", "1"


class HonestJoin:
    """One game, from the list to the end."""

    version = "V2"
    line: Line

    def __init__(self, places: Mapping[str, str], rng: Random) -> None:
        self.places = places
        self.rng = rng
        self.spoken = self.version  # until the initiator says otherwise
        self.over = False

    async def run(self) -> None:
        """Find, join, play."""
        name, size, place = await self.find()
        self.board = ConnectFour(*size)
        self.stones = ["0"] * self.board.size
        self.line = await Line.at(*place)
        try:
            await self.join(name)
            while not self.over:
                word, *values = await self.heard()
                await self.act(word, values)
        finally:
            self.leave()

    def leave(self) -> None:
        """Close the connection."""
        self.line.close()

    # the list

    async def find(self) -> tuple[str, tuple[int, int, int], tuple[str, int]]:
        """The game that is open: name, size and place."""
        index = await Line.at(self.places["index_host"], int(self.places["index_port"]))
        await index.say(self.request())
        word, _, *cells = (await index.hear()).decode().split(";")
        index.close()
        if word != "answer_game_list":
            raise Lost
        games = [cells[start : start + 8] for start in range(0, len(cells), 8)]
        _, _, name, width, height, depth, host, port = self.chosen(games)
        return name, (int(width), int(height), int(depth)), (host, int(port))

    def request(self) -> bytes:
        """What we ask for."""
        return b"request_game_list\n"

    def chosen(self, games: list[list[str]]) -> list[str]:
        """The game that we join."""
        return next(game for game in games if game[0] == "Open")

    # messages

    async def say(self, text: str) -> None:
        """Send a message."""
        await self.line.say(f"{text}\n".encode())

    async def heard(self) -> list[str]:
        """The words of the next message."""
        return (await self.line.hear()).decode().split(";")

    async def join(self, name: str) -> None:
        """Ask to join."""
        await self.say(f"join_game;student;{name};{self.version}")

    async def act(self, word: str, values: list[str]) -> None:
        """Do what a message asks for."""
        if word == "join_game_success":
            (self.spoken,) = values
        elif word == "start_game":
            await self.move()
        elif word in ("updated_game_board", "update_game_board"):
            await self.placed(int(values[0]), values[1])
        elif word == "synchronize_game_board":
            await self.synchronize(values)
        else:
            await self.ended(word)

    async def synchronize(self, values: list[str]) -> None:
        """The whole board."""
        states = values[2::2]
        if len(states) != len(self.stones):
            raise Lost
        changed = [n for n, state in enumerate(states) if state != self.stones[n]]
        for field in changed:
            await self.placed(field, states[field])

    async def placed(self, field: int, state: str) -> None:
        """A stone lies on the board; after the initiator's it is our turn."""
        if not 0 <= field < len(self.stones) or self.stones[field] != "0":
            raise Lost
        self.stones[field] = state
        if state == THEIRS:
            await self.move()

    async def ended(self, word: str) -> None:  # noqa: ARG002
        """The game is over, or something is not understood."""
        self.over = True

    # moves

    def landing(self) -> list[int]:
        """Where stones can fall."""
        columns = self.board.columns()
        free = [[field for field in column if self.stones[field] == "0"] for column in columns]
        return [column[0] for column in free if column]

    async def move(self) -> None:
        """Say our move."""
        if landing := self.landing():
            await self.say(f"move;{self.number(self.rng.choice(landing))}")

    def number(self, field: int) -> int:
        """The field as it is sent."""
        return field

    async def pause(self, seconds: float) -> None:
        """Do nothing for a while."""
        await asyncio.sleep(seconds)
