"""The initiator's part: register a game, let one player join, referee the game. (MIT licence)"""

from __future__ import annotations

import random
import socket
import sys
import threading
import time
from contextlib import suppress

from board import INITIATOR, OPPONENT, Board
from connection import Aborted, Connection, GameError, ask_index, number
from strategy import choose

HEARTBEAT = 10.0  # seconds between two of ours
OUTCOMES = {"0": "drawn", "1": "won", "2": "lost"}


class Host:
    """One game, from its registration to its end."""

    def __init__(self, index: tuple[str, int], port: int, name: str, game: str, depth: int) -> None:
        self._index = index
        self._port = port
        self._name = name
        self._game = game
        self._depth = depth
        self._board = Board(7, 6, depth)
        self._version = "V1"

    def run(self) -> None:
        """Offer the game, play it, and take it out of the list again."""
        listener = socket.create_server(("", self._port))
        port = listener.getsockname()[1]
        beats = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        beats.bind(("", port))  # heartbeats come from where the game is registered
        size = (self._board.width, self._board.height, self._depth)
        answer = ask_index(
            self._index,
            "register_game",
            self._name,
            self._game,
            *size,
            own_address(self._index),
            port,
        )
        if answer[0] not in ("register_success", "register_game_success") or len(answer) < 2:
            raise GameError(f"the index server says {';'.join(answer)}")
        guid = answer[1]
        print(f"registered as {guid}, waiting at port {port}")
        threading.Thread(target=self._beat, args=(beats,), daemon=True).start()
        try:
            self._play(self._joined(listener), listener, guid)
        finally:
            with suppress(OSError, GameError):
                ask_index(self._index, "unregister_game", guid)

    def _beat(self, beats: socket.socket) -> None:
        while True:
            with suppress(OSError):
                beats.sendto(b"heartbeat\n", self._index)
            time.sleep(HEARTBEAT)

    def _joined(self, listener: socket.socket) -> Connection:
        """The first player who joins our game."""
        while True:
            connection = Connection(listener.accept()[0])
            with suppress(OSError, GameError):
                header, *values = connection.receive()
                if header == "join_game" and len(values) == 3 and values[1] == self._game:
                    self._version = "V2" if values[2] == "V2" else "V1"
                    connection.send("join_game_success", self._version)
                    print(f"{values[0]} has joined ({self._version})")
                    return connection
                connection.send("join_game_failed", f"here is {self._game}")
            connection.close()

    def _play(self, opponent: Connection, listener: socket.socket, guid: str) -> None:
        """Referee the game; whatever ends it, the opponent is told."""
        threading.Thread(target=refuse_others, args=(listener,), daemon=True).start()
        try:
            sealed = ask_index(self._index, "seal_game", guid)
            if sealed[0] != "seal_game_success":
                raise GameError(f"the index server says {';'.join(sealed)}")
            self._referee(opponent)
        except (OSError, GameError) as error:
            if not isinstance(error, Aborted):
                with suppress(OSError):
                    opponent.send("abort_game", error)
            raise
        finally:
            opponent.close()

    def _referee(self, opponent: Connection) -> None:
        # @task Draw who begins, take moves in turn, refuse illegal ones, tell boards and the end.
        player = random.choice((INITIATOR, OPPONENT))
        if player == OPPONENT:
            opponent.send("start_game")
        while self._board.winner() is None:
            field = (
                self._opponents_move(opponent)
                if player == OPPONENT
                else choose(self._board, player)
            )
            self._board.put(field, player)
            self._tell(opponent, field, player)
            player = OPPONENT if player == INITIATOR else INITIATOR
        outcome = self._board.winner() or ""
        opponent.send("end_game", outcome)
        print(OUTCOMES[outcome])
        # @open
        #| raise GameError(f"nothing is refereed yet: {choose}, {random}, {OUTCOMES}")
        # @end

    def _opponents_move(self, opponent: Connection) -> int:
        """The opponent's move, which must be possible and come in time."""
        header, *values = opponent.receive()
        if header == "abort_game":
            raise Aborted(f"the opponent has aborted the game: {';'.join(values)}")
        if header != "move" or len(values) != 1:
            raise GameError(f"a move was due, not {header}")
        field = number(values[0]) if values[0].isdigit() else -1
        if not self._board.is_legal(field):
            opponent.send("moved_failed", f"no stone can lie on field {values[0]}")
            raise GameError(f"the move {values[0]} is not possible")
        return field

    def _tell(self, opponent: Connection, field: int, player: str) -> None:
        if self._version == "V2":
            opponent.send("updated_game_board", field, player)
        else:
            fields = self._board.fields
            pairs = [one for pair in enumerate(fields) for one in pair]
            opponent.send("synchronize_game_board", len(fields), *pairs)


def refuse_others(listener: socket.socket) -> None:
    """Tell players who come too late that the game is running."""
    while True:
        with suppress(OSError, GameError):
            late = Connection(listener.accept()[0])
            late.send("join_game_failed", "the game is running")
            late.close()


def own_address(index: tuple[str, int]) -> str:
    """The address under which others reach us: the one from which we reach the index server."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(index)
        address: str = probe.getsockname()[0]
        return address


def host(index: tuple[str, int], port: int, name: str, game: str, depth: int) -> None:
    """Offer a game, and play it."""
    try:
        Host(index, port, name, game, depth).run()
    except OSError as error:
        raise GameError(error) from None
    finally:
        sys.stdout.flush()
