"""One game of Connect Four for a bot: found at an index server, joined, and played."""

from __future__ import annotations

import asyncio
import random
import socket
import time
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.connect4.index import INDEX_PORT, IndexClient
from spielwerk.clients.connect4.join import JoinError, find, listed
from spielwerk.engines.players import PlayerFailed
from spielwerk.errors import cause, quote
from spielwerk.games.record import Record
from spielwerk.wire.connect4.host import PeerBreach
from spielwerk.wire.connect4.join import Confirmed, InitiatorMoved, JoinSide
from spielwerk.wire.connect4.messages import GameMessage, Status

if TYPE_CHECKING:
    from spielwerk.clients.bots import BotOrder
    from spielwerk.clients.connect4.join import Invitation
    from spielwerk.engines.players import Player

CHUNK: Final = 65536
CONNECTING: Final = 10.0  # seconds
ANSWER: Final = 9.5  # seconds that a bot has, of the document's ten


def play_bot(order: BotOrder) -> str:
    """Join the game of that name, or the first open one, and play it; how it ended."""
    index = IndexClient(order.place(INDEX_PORT))
    invitation = asyncio.run(_invited(index, order.game_id))
    return JoinedGame(order.player, invitation, order.name).run()


async def _invited(index: IndexClient, name: str) -> Invitation:
    if not name:
        joinable = [one for one in await listed(index) if one.status is Status.OPEN]
        name = next((one.name for one in joinable if not one.problem), "")
        if not name:
            raise JoinError(f"the index server {index.place} has no open game; name one with -g")
    return await find(index, name)


class JoinedGame:
    """The conversation with the initiator."""

    def __init__(self, player: Player, invitation: Invitation, name: str) -> None:
        self._player = player
        self._invitation = invitation
        self._machine = JoinSide(invitation.game, name, invitation.name, time.monotonic())
        self._rng = random.Random()
        self._record: Record | None = None

    def run(self) -> str:
        """Play to the end; JoinError if there is none."""
        try:
            with socket.create_connection(self._invitation.place, CONNECTING) as connection:
                return self._talk(connection)
        except OSError as error:
            place = self._invitation.place
            raise JoinError(f"no connection to the host {place}: {cause(error)}") from None

    def _talk(self, connection: socket.socket) -> str:
        while True:
            connection.sendall(self._machine.segment())
            event = self._machine.next_event(time.monotonic())
            if event is not None:
                ended = self._handle(event)
                connection.sendall(self._machine.segment())
                if ended:
                    return ended
                continue
            left = self._machine.due - time.monotonic()
            connection.settimeout(None if left == float("inf") else max(left, 0.001))
            try:
                data = connection.recv(CHUNK)
            except TimeoutError:
                continue
            if not data:
                raise JoinError("the host has closed the connection")
            self._machine.receive(data, time.monotonic())

    def _handle(self, event: Any) -> str:
        """Do what is due; how the game ended, if it has."""
        match event:
            case GameMessage("join_game_failed" | "moved_failed" | "abort_game", (why,)):
                raise JoinError(f"the host says {event.header}: {quote(why)}")
            case PeerBreach(problem):
                raise JoinError(f"the host broke the protocol: {problem}")
            case GameMessage("end_game", (outcome,)):
                return ("drawn", "lost", "won")[outcome]
            case GameMessage("start_game"):
                self._move()
            case InitiatorMoved(field):
                self._played(field)
                if not self._machine.state.outcome:
                    self._move()
            case Confirmed(field):
                self._played(field)
        return ""

    def _played(self, field: int) -> None:
        start = self._machine.state.game.start()
        self._record = (self._record or Record((start,))).play(field)

    def _move(self) -> None:
        record = self._record or Record((self._machine.state,))
        try:
            field = self._player.decide(record, self._rng, ANSWER)
        except PlayerFailed as failed:
            self._machine.abort(str(failed.fault))
            raise
        self._machine.move(field, time.monotonic())
