"""One game on a game server for a player in this process: no thinker, no board, one connection."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any, Final

from spielwerk.clients.mnm.connector import Reserve
from spielwerk.clients.mnm.program import CHUNK, dial
from spielwerk.clients.mnm.sentences import ClientError
from spielwerk.clients.mnm.settings import PORTNUMBER
from spielwerk.clients.mnm.thinker import decide
from spielwerk.errors import ProtocolError, UsageError, cause
from spielwerk.wire.mnm.client import (
    Banner,
    Cue,
    GameOver,
    MnmClientSide,
    MoveAsked,
    Playing,
    SeatTaken,
    ServerRefused,
)
from spielwerk.wire.mnm.words import game_kinds

if TYPE_CHECKING:
    import socket

    from spielwerk.clients.bots import BotOrder
    from spielwerk.engines.players import Player
    from spielwerk.games import State

CONNECTING: Final = 10.0  # seconds


class BotGame:
    """The game, from the banner to its end."""

    def __init__(self, player: Player, kind: str, game: str, seat: int | None) -> None:
        self._player = player
        self._kind = kind
        self._game = game
        self._wanted = seat
        self._machine = MnmClientSide()
        self._reserve = Reserve()
        self._rng = random.Random()
        self._asked: MoveAsked | None = None
        self.seat = 0
        self.over: GameOver | None = None

    def run(self, host: str, port: int) -> GameOver:
        """Play to the end, or ClientError; what the player did wrong is PlayerFailed."""
        try:
            with dial(host, port, CONNECTING) as connection:
                connection.settimeout(None)
                self._talk(connection)
        except ProtocolError as error:
            raise ClientError("garbage", expected=error.expected, got=error.got) from None
        except OSError as error:
            raise ClientError("connection-lost", problem=cause(error)) from None
        if self.over is None:
            raise ClientError("connection-lost", problem="EOF")
        return self.over

    def _talk(self, connection: socket.socket) -> None:
        while not self._machine.finished:
            event = self._machine.next_event()
            if event:
                connection.sendall(self._answer(event))
            elif data := connection.recv(CHUNK):
                self._machine.receive(data, time.monotonic())
            else:
                return

    def _answer(self, event: Any) -> bytes:
        """What is to be said to that."""
        machine = self._machine
        match event:
            case Banner():
                return machine.version()
            case Cue.ACCEPTED:
                return machine.join(self._game)
            case Playing(kind, _):
                if kind != self._kind:
                    raise ClientError("wrong-kind", kind=kind, wanted=self._kind)
                return machine.choose(self._wanted)
            case SeatTaken():
                self.seat = event.number
            case Cue.WAIT:
                return machine.ok_wait()
            case MoveAsked():
                self._asked = event
                return machine.thinking()
            case Cue.THINK:
                return machine.play(self._turn())
            case GameOver():
                self.over = event
            case ServerRefused(text):
                raise ClientError("refused", text=text, game=self._game, move="?")
        return b""

    def _turn(self) -> str:
        """The player's turn, in the time that the server gives less what the network needs."""
        assert self._asked is not None  # noqa: S101 - the machine asks before it lets us think
        state: State[Any] = self._asked.position
        announced = self._asked.milliseconds / 1000
        deadline = self._reserve.deadlines(self._asked.asked, announced).connector
        moves = decide(self._player, state, self._rng, deadline)
        return ";".join(state.game.format_move(move) for move in moves)


def play_bot(order: BotOrder) -> str:
    """Play one game; how it ended, in a sentence."""
    if not order.game_id:
        raise UsageError("which game? write -g GAME-ID; the server's page shows it")
    kind = game_kinds()[order.game]
    game = BotGame(order.player, kind, order.game_id, order.seat)
    over = game.run(*order.place(PORTNUMBER))
    if over.winner is None:
        return "drawn"
    return "won" if over.winner == game.seat else "lost"
