"""A move server whose moves are a bot's: it listens, and answers one request after the other."""

from __future__ import annotations

import random
import socket
from typing import TYPE_CHECKING, Final

from spielwerk.clients.oware import PORT
from spielwerk.wire.oware import RequestReading, ServerIdentity, Task, judge

if TYPE_CHECKING:
    from spielwerk.clients.bots import BotOrder
    from spielwerk.engines.players import Player

CHUNK: Final = 65536
SILENCE: Final = 30.0  # seconds for a request to arrive
ANSWER: Final = 60.0  # seconds that a bot has for a move


def play_bot(order: BotOrder) -> str:
    """Answer requests at the place that is given, until the process is ended."""
    identity = ServerIdentity(order.name, (order.name, order.name))
    with socket.create_server(order.place(PORT)) as listener:
        while True:
            connection, _ = listener.accept()
            with connection:
                connection.settimeout(SILENCE)
                _serve(connection, identity, order.player)


def _serve(connection: socket.socket, identity: ServerIdentity, player: Player) -> None:
    reading = RequestReading()
    try:
        while not reading.complete and (data := connection.recv(CHUNK)):
            reading.receive(data)
    except OSError:
        pass  # what has come is judged, as after the end of the stream
    judged = judge(reading.lines, identity)
    if isinstance(judged, Task):
        judged = judged.answer(player.choose(judged.state, random.Random(), ANSWER))
    connection.sendall(judged)
