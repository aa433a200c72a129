"""Clients that play on, however often the server dies: each keeps its seat in one game."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from random import Random
from typing import Any

from spielwerk.games import State
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm import client as mnm
from tests.faults.kill_ledger import Contradiction, Ledger, Turn
from tests.faults.kill_server import Server

PAUSE = 0.02  # seconds before a lost connection is tried again
MOVE_TIME = 3_600_000  # slow machines are no fault


class Client:
    """One player: random moves from whatever position the server sends."""

    def __init__(
        self, server: Server, game_id: str, seat: int, ledger: Ledger, rng: Random
    ) -> None:
        self._server = server
        self._id = game_id
        self._seat = seat
        self._ledger = ledger
        self._rng = rng
        self._position: State[Any]
        self._turn: Turn

    async def play(self) -> None:
        """Play until the result is told, coming back as often as it takes."""
        while self._seat not in self._ledger.winners:
            await self._server.up.wait()
            with suppress(OSError):
                await self._connect()
            await asyncio.sleep(PAUSE)

    async def _connect(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._server.mnm)
        try:
            await self._talk(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        machine = mnm.MnmClientSide()
        while data := await reader.read(65536):
            machine.receive(data, 0.0)
            while event := machine.next_event():
                writer.write(self._answer(machine, event))

    def _answer(self, machine: mnm.MnmClientSide, event: mnm.Event) -> bytes:
        """What to say to an event; nothing, to most."""
        match event:
            case mnm.Banner():
                return machine.version()
            case mnm.Cue.ACCEPTED:
                return machine.join(self._id)
            case mnm.Playing():
                return machine.choose(self._seat)
            case mnm.Cue.WAIT:
                return machine.ok_wait()
            case mnm.MoveAsked(position=position):
                self._ledger.asked(self._seat, position)
                self._position = position
                return machine.thinking()
            case mnm.Cue.THINK:
                return machine.play(self._choose())
            case mnm.Cue.MOVED:
                self._ledger.acknowledged(self._turn)
            case mnm.GameOver(winner=winner, position=position):
                self._ledger.ended(self._seat, winner, position)
            case mnm.ServerRefused(text):
                raise Contradiction(f"seat {self._seat} of {self._id} was refused: {text}")
        return b""

    def _choose(self) -> str:
        """A random turn; what a mill asks for comes with it, or waits to be asked for."""
        state, moves = self._position, list[Any]()
        while state.turn == self._seat and (not moves or self._rng.random() < 0.5):
            moves.append(random_move(state, self._rng))
            state = state.play(moves[-1])
        text = ";".join(self._ledger.game.format_move(move) for move in moves)
        self._turn = self._ledger.sent(self._seat, text)
        return text


async def create(server: Server, kind: str, options: dict[str, int]) -> str:
    """Have a game created, however often the server dies meanwhile, and give back its ID."""
    wish = {"type": kind, "gameSpecific": options, "gameGeneric": {"timeout": MOVE_TIME}}
    while True:
        await server.up.wait()
        with suppress(OSError, ValueError):  # refused, reset, or an answer cut short
            return await _post(server.web, json.dumps(wish).encode())
        await asyncio.sleep(PAUSE)


async def _post(port: int, body: bytes) -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        head = "POST /api/v1/matches HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = json.loads((await reader.read()).partition(b"\r\n\r\n")[2])
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()
    if "id" not in answer:
        raise Contradiction(f"the server would not create a game: {answer}")
    return str(answer["id"])
