"""Clients over real sockets: one that plays as the documents say, and all the ways to stop that."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spielwerk.games import NOBODY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from random import Random

    from spielwerk.tables.table import Table

Address = tuple[str, int]
STATES = ["VERSION", "ID", "PLAYER", "OKWAIT", "IDLE", "THINKING", "PLAY", "WRITING", "OVER"]
RIGHT = {
    "VERSION": b"VERSION 1.0\n",
    "ID": b"ID abcdefghijk\n",
    "PLAYER": b"PLAYER   0\n",
    "OKWAIT": b"OKWAIT\n",
    "IDLE": b"OKWAIT\n",
    "THINKING": b"THINKING\n",
    "PLAY": b"PLAY A1,1\n",
    "WRITING": b"OKWAIT\n",
    "OVER": b"OKWAIT\n",
}
OPENING = 6  # moves, with the drawing of the first stone
DRIP = 0.4  # seconds between two bytes, so that no line is complete in time


class Wire:
    """A socket that is read line by line, and can be ended in every way there is."""

    def __init__(self, stream: socket.socket) -> None:
        self.socket = stream
        self.lines: list[str] = []
        self.broken = False  # the connection was reset, not closed
        self._rest = b""

    @classmethod
    async def open(cls, address: Address, *, deaf: bool = False) -> Wire:
        """Connect; a deaf client has hardly any room for what it does not read."""
        stream = socket.socket()
        stream.setblocking(False)
        if deaf:
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        await asyncio.get_running_loop().sock_connect(stream, address)
        return cls(stream)

    async def read(self) -> AsyncIterator[str]:
        """Every line until the end."""
        while True:
            while b"\n" in self._rest:
                line, _, self._rest = self._rest.partition(b"\n")
                self.lines.append(line.decode())
                yield self.lines[-1]
            try:
                data = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
            except OSError:
                self.broken = True
                return
            if not data:
                return
            self._rest += data

    async def send(self, data: bytes) -> None:
        """Send, unless nobody listens any more."""
        with contextlib.suppress(OSError):
            await asyncio.get_running_loop().sock_sendall(self.socket, data)

    async def listen(self) -> None:
        """Hear everything that is still to be said."""
        async for _ in self.read():
            pass

    def half_close(self) -> None:
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.socket.close()

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@dataclass
class Player:
    """A client that plays at random, and stops where it is told to."""

    address: Address
    table: Table
    seat: int
    rng: Random
    stop_at: str = ""  # a state in which it is to go wrong
    may_move: asyncio.Event | None = None  # held back before every move but the first
    deaf: bool = False
    positions: list[list[str]] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)  # seconds from PLAY to MOVEOK
    wire: Wire = field(init=False)

    @property
    def lines(self) -> list[str]:
        return self.wire.lines

    @property
    def confirmed(self) -> int:
        """How many moves the server has acknowledged."""
        return self.lines.count("+ MOVEOK")

    def hang_up(self) -> None:
        """Close the connection, if there is one."""
        if hasattr(self, "wire"):
            self.wire.close()

    async def play(self) -> None:
        """Play to the end, or to the state in which to stop; the wire stays open."""
        self.wire = await Wire.open(self.address, deaf=self.deaf)
        lines = self.wire.read()
        async for line in lines:
            word = line.split(" ")[1] if " " in line else ""
            if word == "PLAYING":
                await anext(lines)  # the game's name may be anything
            if word in ("FIELD", "PIECELIST"):
                self.positions.append([line])
            elif self.positions and not self.positions[-1][-1].startswith("+ END"):
                self.positions[-1].append(line)
            if await self._answer(word):
                return

    def _stops(self, state: str) -> bool:
        """Whether this is where it is to stop; in the game that is after the first move."""
        before = {"WRITING": 2, "VERSION": 0, "ID": 0, "PLAYER": 0}.get(state, 1)
        return state == self.stop_at and len(self.played) >= before

    async def _answer(self, word: str) -> bool:
        """Answer a line; True if this is the place to stop."""
        asked = {
            "MNM": "VERSION",
            "Client": "ID",
            "PLAYING": "PLAYER",
            "WAIT": "OKWAIT",
            "ENDFIELD": "THINKING",
            "ENDPIECELIST": "THINKING",
            "OKTHINK": "PLAY",
            "GAMEOVER": "OVER",
        }.get(word)
        if word == "MOVEOK":
            self.waits[-1] = time.perf_counter() - self.waits[-1]
        if asked is None or (asked == "THINKING" and self._over):
            return False
        if self._stops(asked):
            return True
        if asked != "OVER":
            await self._say(asked)
        after = {"OKWAIT": "IDLE", "PLAY": "WRITING"}.get(asked)
        return after is not None and self._stops(after)

    @property
    def _over(self) -> bool:
        return any(line.startswith("+ GAMEOVER") for line in self.lines)

    async def _say(self, asked: str) -> None:
        text = {"VERSION": "VERSION 1.7", "ID": f"ID {self.table.id}"}.get(asked, asked)
        if asked == "PLAYER":
            text = f"PLAYER {self.seat}"
        if asked == "PLAY":
            if self.may_move and self.played:
                await self.may_move.wait()
            self.played.append(self._move())
            self.waits.append(time.perf_counter())
            text = f"PLAY {self.played[-1]}"
        await self.wire.send(f"{text}\n".encode())

    def _move(self) -> str:
        """A random move; the first few do not win if they can, or faults would come too late."""
        state, moves = self.table.state, self.table.state.legal_moves()
        if len(self.table.history) < OPENING:
            moves = [move for move in moves if state.play(move).turn != NOBODY] or moves
        return self.table.game.format_move(self.rng.choice(moves))


# the faults; each gets a wire, and the state that it is in


async def fin(wire: Wire, state: str) -> None:  # noqa: ARG001
    wire.close()


async def reset(wire: Wire, state: str) -> None:  # noqa: ARG001
    wire.reset()


async def half_close(wire: Wire, state: str) -> None:  # noqa: ARG001
    wire.half_close()


async def silence(wire: Wire, state: str) -> None:
    """Say nothing, and do not close when the server does."""


async def garbage(wire: Wire, state: str) -> None:  # noqa: ARG001
    await wire.send(b"\xff\xfe\x00 garbage \x80\r\n\n\n+ WAIT\n")


async def no_newline(wire: Wire, state: str) -> None:  # noqa: ARG001
    await asyncio.gather(wire.send(b"x" * 10_000_000), wire.listen())


async def many_lines(wire: Wire, state: str) -> None:  # noqa: ARG001
    await asyncio.gather(wire.send(b"OKWAIT\n" * 100_000), wire.listen())


async def empty_lines(wire: Wire, state: str) -> None:  # noqa: ARG001
    await asyncio.gather(wire.send(b"\n" * 100_000), wire.listen())


async def drip(wire: Wire, state: str) -> None:
    """The right line, but far too slowly."""
    listening = asyncio.create_task(wire.listen())
    for byte in RIGHT[state]:
        await wire.send(bytes([byte]))
        await asyncio.sleep(DRIP)
        if listening.done():
            break
    await listening


async def deaf(wire: Wire, state: str) -> None:
    """Say nothing and never read again."""


FAULTS: dict[str, Callable[[Wire, str], Awaitable[None]]] = {
    fault.__name__: fault
    for fault in (
        fin,
        reset,
        half_close,
        silence,
        garbage,
        no_newline,
        many_lines,
        empty_lines,
        drip,
        deaf,
    )
}
GONE = ("fin", "reset")  # nobody is there to hear a refusal
