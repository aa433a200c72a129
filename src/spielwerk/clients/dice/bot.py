"""The game from HELO to BYE: every message of the server, and the answer to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.clients.dice.connection import BotError
from spielwerk.errors import quote
from spielwerk.wire.dice.client import Asked, ClientSide, Ended, Greeted, Parted, Refused

if TYPE_CHECKING:
    from spielwerk.clients.dice.connection import Connection
    from spielwerk.clients.dice.strategies import Strategy


def play(connection: Connection, name: str, strategy: Strategy) -> Ended:
    """Play until the server has said BYE; how the game ended."""
    side = ClientSide()
    ended: Ended | None = None
    while True:
        match side.next_event():
            case Greeted():
                connection.send(side.auth(name))
            case Asked(position):
                connection.send(side.roll() if strategy(position) else side.save())
            case Ended() as end:
                ended = end
                connection.send(side.bye())
            case Parted() if ended:
                return ended
            case Refused(text):
                raise BotError(f"the server has broken the game off: ERR {quote(text)}")
            case _:
                _listen(connection, side)


def _listen(connection: Connection, side: ClientSide) -> None:
    data = connection.receive()
    if not data:
        raise BotError(f"connection lost: the server closed it, expected {side.expected}")
    side.receive(data)
