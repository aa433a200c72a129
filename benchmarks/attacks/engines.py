"""Engines that think without end, and a person who plays beside them.

The attack is a number of games between two engines of the highest level on a large board, without
a time limit; they are set up from as many addresses as are named (127.0.x.y, so on Linux only).
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

from websockets.asyncio.client import connect

from spielwerk.games import find_game

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TABLES: Final = 40
TURNS: Final = 12  # of a person's game, before it begins another
PAUSE: Final = 0.2  # seconds that a person thinks
BOARD: Final = {"width": 8, "height": 8, "depth": 8, "begins": 0}
STRONG: Final = {"type": "ENGINE", "engine": "level=10"}
BEATABLE: Final = {"type": "ENGINE", "engine": "level=3"}
PERSON: Final = {"type": "HUMAN", "here": True}


def wish(*players: dict[str, Any]) -> dict[str, Any]:
    """A game without a time limit on the large board."""
    generic = {"timeout": 0}
    return {"type": "connect4", "gameGeneric": generic, "gameSpecific": BOARD, "players": players}


async def attack(port: int, addresses: int, tables: int = TABLES) -> int:
    """Have these games set up, and say how many were refused."""
    places = [f"127.0.{1 + number // 250}.{1 + number % 250}" for number in range(addresses)]
    game = wish(STRONG, STRONG)
    asked = [set_up(port, game, places[number % addresses]) for number in range(tables)]
    return [status for status, _, _ in await asyncio.gather(*asked)].count(400)


async def set_up(port: int, game: dict[str, Any], address: str) -> tuple[int, Any, str]:
    """The status and content of the answer to a wish from that address, and the cookie."""
    body = json.dumps(game).encode()
    head = (
        "POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    try:
        writer.write(head.encode() + body)
        top, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    status, *lines = top.decode("latin-1").split("\r\n")
    cookies = [line.partition(":")[2] for line in lines if line.lower().startswith("set-cookie:")]
    cookie = "; ".join(one.partition(";")[0].strip() for one in cookies)
    return int(status.split()[1]), json.loads(answer), cookie


async def answers(port: int, seconds: float, address: str = "127.0.0.1") -> list[float]:
    """A person plays against level 3 for so long: the seconds from each move to the answer."""
    found: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        async with _seated(port, address) as (page, game):
            for _ in range(TURNS):
                found.append(await game.turn(page))
                await asyncio.sleep(PAUSE)
                if game.over or time.monotonic() > end:
                    break
    return found


@asynccontextmanager
async def _seated(port: int, address: str) -> AsyncIterator[tuple[Any, PersonsGame]]:
    status, made, cookie = await set_up(port, wish(PERSON, BEATABLE), address)
    if status != 201:
        raise RuntimeError(f"no game: {made}")
    async with connect(
        f"ws://127.0.0.1:{port}/live?table={made['id']}&seen=0",
        additional_headers={"Cookie": cookie},
        local_addr=(address, 0),
        proxy=None,
    ) as page:
        while json.loads(await page.recv())["type"] != "you":
            pass
        yield page, PersonsGame()


class PersonsGame:
    """The game as the person sees it; any move will do."""

    def __init__(self) -> None:
        options = [f"{name}={value}" for name, value in BOARD.items()]
        self._state = find_game("connect4").from_text(options).start()
        self._ply = 0

    @property
    def over(self) -> bool:
        """Whether the rules end it."""
        return self._state.outcome is not None

    async def turn(self, page: Any) -> float:
        """Move, and say how many seconds later the answer came."""
        text = self._state.game.format_move(random.choice(self._state.legal_moves()))
        began = time.monotonic()
        move = {"type": "move", "id": "one", "seat": 0, "ply": self._ply, "move": text}
        await page.send(json.dumps(move))
        plies = self._ply + 2
        while self._ply < plies and not self.over:
            self._hear(json.loads(await page.recv()))
        return time.monotonic() - began

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "refused":
            raise RuntimeError(f"the move was refused: {message}")
        for ply in message["plies"] if message["type"] == "moved" else ():
            self._state = self._state.play(self._state.game.parse_move(ply["move"]))
            self._ply += 1
