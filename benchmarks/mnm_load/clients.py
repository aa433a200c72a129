"""Clients that are as light as Python allows: whole lines are looked up, nothing is parsed.

Two clients make a pair, which plays one scripted game after the other. A client is never waited
for; how long an answer took is counted from the moment the move was due, if the server was late to
ask for it, else from the moment it was sent.
"""

from __future__ import annotations

import asyncio
import json
import time
from array import array
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from benchmarks.mnm_load.scripts import Script

NAME: Final = "load"
MOVE_TIME: Final = 60_000
ECHOED: Final = b"PLAY A1:A2\n"


class Load:
    """What all pairs of a process share: the pace, the end, and what was measured."""

    def __init__(self, interval: float | None, rng: Random) -> None:
        self.interval = interval  # seconds between a pair's moves; None: as fast as it can
        self.rng = rng
        self.loop = asyncio.get_running_loop()
        self.begun = False
        self.over = False
        self._held: list[Callable[[], None]] = []  # first moves, until all have joined
        self.window = (float("inf"), float("inf"))
        self.outstanding = 0
        self.turns = 0  # all that were acknowledged, also outside of the window
        self.decisions = 0
        self.latencies = array("d")  # seconds, those in the window
        self.late = 0  # moves that the server asked for only after they were due
        self.games = 0
        self.problem = ""

    def when_begun(self, move: Callable[[], None]) -> None:
        """Do this as soon as all have joined, so that joining does not take for ever."""
        if self.begun:
            move()
        else:
            self._held.append(move)

    def begin(self) -> None:
        """All have joined."""
        self.begun = True
        for move in self._held:
            move()

    def due(self, last: float | None) -> float:
        """When a pair's next move is due; a new game begins somewhere in the interval."""
        now = self.loop.time()
        if self.interval is None:
            return now
        return now + self.interval * self.rng.random() if last is None else last + self.interval

    def acknowledged(self, since: float, decisions: int) -> None:
        """A move has been answered."""
        now = self.loop.time()
        self.outstanding -= 1
        self.turns += 1
        self.decisions += decisions
        if self.window[0] <= now < self.window[1]:
            self.latencies.append(now - since)

    def fail(self, problem: str) -> None:
        """Something happened that must not; the first such thing is told."""
        self.problem = self.problem or problem


class Client(asyncio.Protocol):
    """What both kinds of clients do: send one line when it is due, and clock its answer."""

    transport: asyncio.Transport

    def __init__(self, load: Load) -> None:
        self.load = load
        self.expected = False  # whether the connection may end now
        self._rest = b""
        self._since = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio."""
        self.transport = cast("asyncio.Transport", transport)

    def connection_lost(self, error: Exception | None) -> None:
        """See asyncio."""
        if not (self.expected or self.load.over):
            self.load.fail(f"a connection ended: {error}")

    def send_when(self, due: float, line: bytes) -> None:
        """Send when it is due, which may have been a while ago."""
        if due > self.load.loop.time():
            self.load.loop.call_at(due, self._send, line, None)
        else:
            self.load.late += self.load.interval is not None
            self._send(line, due)

    def _send(self, line: bytes, since: float | None) -> None:
        if self.load.over:
            return
        self.load.outstanding += 1
        self._since = time.monotonic() if since is None else since
        self.transport.write(line)


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
        self.load.acknowledged(self._since, self._lines[self._next].count(b";") + 1)
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
            await self._load.loop.create_connection(lambda p=player: p, "127.0.0.1", self._ports[0])  # type: ignore[misc]
        self._load.games += 1

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


class Echoed(Client):
    """A client of the echo server."""

    partner: Echoed
    due: float | None = None

    def data_received(self, data: bytes) -> None:
        """See asyncio; the answer lets the partner send."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for _ in lines:
            self.load.acknowledged(self._since, 1)
            self.partner.send_next(self.due)

    def send_next(self, last: float | None) -> None:
        """Send a line in its time."""
        self.due = self.load.due(last)
        self.send_when(self.due, ECHOED)
