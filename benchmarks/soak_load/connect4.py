"""Connect Four with strangers: games found at the index server, joined, and played to their end.

An answer is the time from a move until the host shows it on the board.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from benchmarks.soak_load.visitors import come, timed
from benchmarks.web_load.sockets import ask
from spielwerk.games import find_game

if TYPE_CHECKING:
    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders

NAME: Final = "soak"
VALUES: Final = 8  # of a game in the list
HOSTS: Final = "1"  # the state of a field with a stone of the host
GAME: Final = {
    "type": "connect4",
    "players": [{"type": "ENGINE", "engine": "random"}, {"type": "COMPUTER"}],
}


async def begin(load: Load, orders: Orders) -> None:
    """Have so many play."""
    come(load, partial(_play, load, orders), orders.groups)


async def _play(load: Load, orders: Orders, number: int) -> None:
    name = f"{NAME} {orders.seed} {number} {load.rng.random()}"
    wish = GAME | {"gameGeneric": {"name": name, "timeout": 60_000}}
    made, _ = await ask(orders.web, "POST", "/api/v1/matches", wish)
    if "id" not in made:
        raise RuntimeError(f"no game: {made}")
    host, port = await _found(orders.port, name)
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(f"join_game;anna;{name};V2\n".encode())
        if not (await reader.readline()).startswith(b"join_game_success"):
            raise RuntimeError("it could not be joined")
        await Opponent(load, reader, writer).play()
    finally:
        writer.close()


async def _found(index: int, name: str) -> tuple[str, int]:
    """Where the game of this name is hosted, as the index server tells."""
    reader, writer = await asyncio.open_connection("127.0.0.1", index, limit=1 << 24)
    try:
        for _ in range(100):
            writer.write(b"request_game_list\n")
            _, _, *values = (await reader.readline()).decode().strip().split(";")
            for at in range(0, len(values) - VALUES + 1, VALUES):
                if values[at + 2] == name:
                    return values[at + 6], int(values[at + 7])
            await asyncio.sleep(0.1)
    finally:
        writer.close()
    raise RuntimeError("it is not in the list")


class Opponent:
    """Plays anywhere, to the end."""

    def __init__(
        self, load: Load, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._load, self._reader, self._writer = load, reader, writer
        self._state = find_game("connect4").from_text([]).start()

    async def play(self) -> None:
        """Answer the host until the game is over."""
        message = await self._heard()
        while message[0] != "end_game":
            ours = message[0] == "start_game" or message[2:] == [HOSTS]
            if ours and not self._state.outcome:
                await asyncio.sleep(self._load.interval or 0.0)
                field = self._load.rng.choice(self._state.legal_moves())
                self._writer.write(f"move;{field}\n".encode())
                message = await timed(self._load, self._heard())
                self._load.counts["decisions"] += 1
            else:
                message = await self._heard()

    async def _heard(self) -> list[str]:
        message = (await self._reader.readline()).decode().strip().split(";")
        if message[0] == "updated_game_board":
            self._state = self._state.play(int(message[1]))
        elif message[0] not in ("start_game", "end_game"):
            raise RuntimeError(f"the host says {message}")
        return message
