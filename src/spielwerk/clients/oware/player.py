"""A player whose moves come from a move server somewhere else."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Any, cast

from spielwerk.clients.oware.address import Address
from spielwerk.clients.oware.exchange import exchange
from spielwerk.engines.players import REMOTE, Fault, Player, PlayerFailed
from spielwerk.engines.players import make_player as make_local_player
from spielwerk.errors import NotationError
from spielwerk.games.oware.rules import Oware, format_board
from spielwerk.games.record import Record
from spielwerk.wire.oware.client import AnswerError, IllegalAnswer, read_answer, request

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from spielwerk.games import Game, State
    from spielwerk.games.oware.rules import Board, OwareState


class RemotePlayer(Player):
    """Asks the server at an address for every move, each time with the whole game so far."""

    def __init__(
        self,
        name: str,
        address: Address,
        clock: Callable[[], float] = time.monotonic,
        stream: Callable[[int], socket.socket] = socket.socket,
    ) -> None:
        super().__init__(name)
        self.address = address
        self._clock = clock
        self._stream = stream

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:
        """The server's move; of the game it is told as much as the state remembers."""
        return self.decide(Record((state,)), rng, within)

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:  # noqa: ARG002
        """The server's move where the record stands, or PlayerFailed."""
        address = self.address
        initial, history, state = game_so_far(record)
        asked = request(address.strategy, address.depth, initial, history)
        try:
            return read_answer(self._exchange(asked, within), state).move
        except AnswerError as error:
            fault = Fault.ILLEGAL if isinstance(error, IllegalAnswer) else Fault.PROTOCOL
            raise PlayerFailed(fault, f"{address}: {error}") from None

    def _exchange(self, asked: bytes, within: float | None) -> bytes:
        return exchange(self.address, asked, within, self._clock, self.heard, self._stream)


def game_so_far(record: Record) -> tuple[Board, str, OwareState]:
    """The first board, all moves from there, and where they lead, as the protocol tells a game.

    There A always begins. Where B began, the sides change their names and nothing else.
    """
    first, state = cast("OwareState", record.states[0]), cast("OwareState", record.state)
    initial = first.seen[0] if first.seen else first.board
    history = first.moves + "".join(map(str, record.moves))
    if (state.player + len(history)) % 2:
        initial = (initial[1], initial[0], *initial[8:], *initial[2:8])
        moves = f" moves {history}" if history else ""
        state = Oware().parse_state(f"{format_board(initial)}{moves}")
    return initial, history, state


def make_remote(text: str, game: Game[Any]) -> Player:
    """The remote player that the text describes, or NotationError."""
    address = Address.parse(text)
    if not isinstance(game, Oware):
        raise NotationError("player", text, f"there are remote players for Oware, not {game.name}")
    return RemotePlayer(text, address)


def make_player(text: str, game: Game[Any]) -> Player:
    """The player that the text describes, here or elsewhere; or NotationError."""
    return (make_remote if text.startswith(REMOTE) else make_local_player)(text, game)
