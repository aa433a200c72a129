"""Clients that are as light as Python allows: whole lines are looked up, nothing is parsed.

Two clients make a pair, which plays one scripted game after the other. A client is never waited
for; how long an answer took is counted from the moment the move was due, if the server was late to
ask for it, else from the moment it was sent.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final

from benchmarks.load.clients import Client
from benchmarks.mnm_load.scripts import scripts

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.load.clients import Load
    from benchmarks.load.generator import Orders
    from benchmarks.mnm_load.scripts import Script

NAME: Final = "load"
MOVE_TIME: Final = 60_000


class Player(Client):
    """One player of a scripted game."""

    def __init__(self, load: Load, pair: Pair, seat: int, game_id: str, lines: list[bytes]) -> None:
        super().__init__(load)
        self._pair = pair
        self._seat = seat
        self._id = game_id
        self._lines = lines
        self._next = 0
        self._asked = False

    def data_received(self, data: bytes) -> None:
        """See asyncio."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            action = ACTIONS.get(line)
            if action:
                action(self)
            elif line[:1] != b"+":
                self.load.fail(f"the server said {line!r}")

    def greet(self) -> None:
        """Answer the banner."""
        self.transport.write(b"VERSION 1.0\n")

    def join(self) -> None:
        """Say which game."""
        self.transport.write(f"ID {self._id}\n".encode())

    def choose(self) -> None:
        """Say which seat."""
        self.transport.write(f"PLAYER {self._seat}\n".encode())

    def wait(self) -> None:
        """Be there."""
        self.transport.write(b"OKWAIT\n")

    def asked(self) -> None:
        """A position follows."""
        self._asked = True

    def position(self) -> None:
        """The position is complete; after GAMEOVER nothing is asked."""
        if self._asked:
            self._asked = False
            self.transport.write(b"THINKING\n")

    def play(self) -> None:
        """Send the next move of the script in its time."""
        self.load.when_begun(self._play)

    def _play(self) -> None:
        self.send_when(self._pair.next_due(), self._lines[self._next])

    def kept(self) -> None:
        """The move is on the board."""
        self.load.answered(self.since)
        self.load.counts["decisions"] += self._lines[self._next].count(b";") + 1
        self._next += 1

    def leave(self) -> None:
        """The game is over."""
        self.expected = True
        self.transport.close()
        self._pair.left()


ACTIONS: Final[dict[bytes, Callable[[Player], None]]] = {
    b"+ MNM Gameserver v1.0 accepting connections": Player.greet,
    b"+ Client version accepted - please send Game-ID to join": Player.join,
    f"+ {NAME}".encode(): Player.choose,
    b"+ WAIT": Player.wait,
    f"+ MOVE {MOVE_TIME}".encode(): Player.asked,
    b"+ ENDFIELD": Player.position,
    b"+ ENDPIECELIST": Player.position,
    b"+ OKTHINK": Player.play,
    b"+ MOVEOK": Player.kept,
    b"+ QUIT": Player.leave,
}


class Pair:
    """Two clients that play one game after the other."""

    def __init__(self, load: Load, ports: tuple[int, int], scripts: list[Script]) -> None:
        self._load = load
        self._ports = ports  # of the game server and of its HTTP interface
        self._scripts = scripts
        self._due: float | None = None
        self._left = 0
        self._task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Have a game created, and join it."""
        script = self._load.rng.choice(self._scripts)
        game_id = await create(self._ports[1], script)
        self._due, self._left = None, 0
        for seat in (0, 1):
            player = Player(self._load, self, seat, game_id, script.of_seat(seat))
            await player.connect(self._ports[0])

    def next_due(self) -> float:
        """When the next move of this pair is due."""
        self._due = self._load.due(self._due)
        return self._due

    def left(self) -> None:
        """A player has heard the end; when both have, the next game begins."""
        self._left += 1
        if self._left == 2 and not self._load.over:
            self._task = self._load.loop.create_task(self._again())

    async def _again(self) -> None:
        try:
            await self.begin()
        except (OSError, ValueError) as error:
            self._load.fail(f"no new game: {error}")


async def create(port: int, script: Script) -> str:
    """Have the server create a game, as the courses' own scripts did, and give back its ID."""
    wish = script.wish | {"gameGeneric": {"name": NAME, "timeout": MOVE_TIME}}
    body = json.dumps(wish).encode()
    head = (
        "POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head.encode() + body)
        answer: dict[str, Any] = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
    finally:
        writer.close()
    return str(answer["id"])


async def begin(load: Load, orders: Orders) -> None:
    """Have every pair join its first game."""
    written = scripts(orders.seed)
    for _ in range(orders.groups):
        await Pair(load, (orders.port, orders.web), written).begin()
