"""A game server for tests: one client, one script, on the loopback."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

from spielwerk.games import CHANCE, NOBODY, Game, State
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import (
    Choose,
    ClientBreach,
    Join,
    MnmServerSide,
    Pace,
    Play,
    Timing,
    Waited,
)
from spielwerk.wire.mnm.words import board_for, game_kinds
from tests.clients.peer import Peer

PROLOG = [
    "+ MNM Gameserver v1.0 accepting connections",
    "VERSION 1.0",
    "+ Client version accepted - please send Game-ID to join",
    "ID mqKgzIfxb5Y",
    "+ PLAYING Quarto",
    "+ le_game2",
    "PLAYER",
    "+ YOU 0 Player 1",
    "+ TOTAL 2",
    "+ 1 Player 2 0",
    "+ ENDPLAYERS",
]
EMPTY_FIELD = [
    "+ NEXT 3",
    "+ FIELD 4,4",
    "+ 4 * * * *",
    "+ 3 * * * *",
    "+ 2 * * * *",
    "+ 1 * * * *",
    "+ ENDFIELD",
]
LARGE_FIELD = [
    "+ NEXT 3",
    "+ FIELD 6,6",
    *(f"+ {row} * * * * * *" for row in range(6, 0, -1)),
    "+ ENDFIELD",
]


def follow(script: list[str], then: Callable[[Peer], Any] | None = None) -> Callable[[Peer], Any]:
    """A server that says and expects these lines."""

    def run(peer: Peer) -> Any:
        peer.follow(script)
        return then(peer) if then else None

    return run


def wait_for_the_end(peer: Peer) -> None:
    """Hear the client out until it goes."""
    with suppress(ConnectionResetError):
        while peer.line():
            pass


class Table:
    """A game between the client and a player who moves at random, by the rules."""

    def __init__(self, game: Game[Any], seat: int = 0, seed: int = 0) -> None:
        self.rng = Random(seed)
        self.seat = seat
        self.state: State[Any] = game.start()
        self.board = board_for(game)
        self.turns: list[str] = []  # the client's
        self._others()

    def take(self, turn: str) -> None:
        """The client's decisions, and then the other's."""
        self.turns.append(turn)
        moves = self.state.game.parse_turn(turn)
        self.state.play_turn(moves)
        for move in moves:
            self._play(move)
        self._others()

    def _others(self) -> None:
        while self.state.turn not in (self.seat, NOBODY):
            assert self.state.turn in (CHANCE, 1 - self.seat)
            self._play(random_move(self.state, self.rng))

    def _play(self, move: Any) -> None:
        self.board.played(self.state, move)
        self.state = self.state.play(move)


def host_game(
    peer: Peer,
    table: Table,
    dialect: int = 1,
    pace: Pace = Pace.FIRST_THEN_REST,
    milliseconds: int = 60_000,
) -> Table:
    """Referee a whole game with the real server's machine and the real clock."""
    now = time.monotonic
    side = MnmServerSide(words.DIALECTS[dialect], pace, Timing(thinking=60.0, okwait=60.0), now())
    greeted = False  # one WAIT is said, before the first move
    while not side.finished:
        _write(peer, side)
        match side.next_message(now()):
            case Join():
                kind = game_kinds()[table.state.game.name]
                side.playing(kind, "ein Spiel", now())
            case Choose():
                side.seated((table.seat, "Wir"), [(1 - table.seat, "Uli der Erste", False)], now())
            case Waited():
                greeted = True
            case Play(move):
                table.take(move)
                side.move_ok(now())
            case ClientBreach() as broken:
                raise AssertionError(broken)
            case None if not side.closing:
                _read(peer, side)
        if side.idle:
            _go_on(side, table, greeted, milliseconds)
    return table


def _write(peer: Peer, side: MnmServerSide) -> None:
    for segment in side.segments(time.monotonic()):
        peer.socket.sendall(segment)


def _read(peer: Peer, side: MnmServerSide) -> None:
    _write(peer, side)
    peer.socket.settimeout(max(side.due - time.monotonic(), 0.001))
    try:
        data = peer.socket.recv(4096)
    except TimeoutError:
        return
    assert data, "the client has gone"
    side.receive(data, time.monotonic())


def _go_on(side: MnmServerSide, table: Table, greeted: bool, milliseconds: int) -> None:
    now = time.monotonic()
    outcome = table.state.outcome
    if outcome:
        names = ("Wir", "Uli der Erste") if table.seat == 0 else ("Uli der Erste", "Wir")
        side.game_over(outcome.winner, names, table.board.ended(table.state, side.dialect), now)
    elif not greeted:
        side.wait(now)
    else:
        side.move(milliseconds, table.board.asked(table.state), now)
