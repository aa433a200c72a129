"""An index server for tests, in a thread of its own: it does what it is told, also wrong things."""

from __future__ import annotations

import socket
import threading
import uuid
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Self

from spielwerk.wire.connect4.messages import (
    GAME_LIST,
    GameMessage,
    ListedGame,
    Status,
    message,
    read_message,
    write_message,
)
from tests.waiting import PATIENCE


class ScriptedIndex:
    """TCP and UDP on one port; `answers` replaces the answer to a header, None says nothing."""

    def __init__(self) -> None:
        self.games: dict[str, ListedGame] = {}
        self.asked: Counter[str] = Counter()
        self.heartbeats: Counter[tuple[str, int]] = Counter()
        self.answers: dict[str, bytes | None] = {}
        self.deaf = False  # sends no heartbeats back
        self.hold: threading.Event | None = None  # what answers to register_game wait for
        self._tcp, self._udp = _sockets()
        self.address: tuple[str, int] = self._tcp.getsockname()
        self._open: list[socket.socket] = []
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._accept, self._beat)
        ]

    @property
    def text(self) -> str:
        return f"127.0.0.1:{self.address[1]}"

    @property
    def clean(self) -> bool:
        return not self.games

    def named(self, name: str) -> ListedGame | None:
        return next((game for game in list(self.games.values()) if game.name == name), None)

    def status(self, name: str) -> Status | None:
        game = self.named(name)
        return game.status if game else None

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def kill(self) -> None:
        """Be gone: nothing listens here any more."""
        for end in (self._tcp, self._udp, *self._open):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _beat(self) -> None:
        with suppress(OSError):
            while True:
                data, address = self._udp.recvfrom(65536)
                if not data:
                    return  # shut down
                assert data == b"heartbeat\n"
                self.heartbeats[address] += 1
                if not self.deaf:
                    self._udp.sendto(data, address)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._tcp.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection, connection.makefile("rb") as lines:
            for line in lines:
                asked = read_message(line.rstrip(b"\n"))
                self.asked[asked.header] += 1
                answer = self._answer(asked)
                if self.hold and asked.header == "register_game":
                    self.hold.wait(PATIENCE)
                if answer is not None:
                    connection.sendall(answer)

    def _answer(self, asked: GameMessage) -> bytes | None:
        if asked.header in self.answers:
            return self.answers[asked.header]
        return write_message(self._judged(asked))

    def _judged(self, asked: GameMessage) -> GameMessage:
        match asked.header, asked.values:
            case "register_game", (player, name, *place):
                if self.named(name):
                    return message("register_failed", "there is such a game")
                guid = str(uuid.uuid4())
                self.games[guid] = ListedGame(Status.OPEN, player, name, *place)
                return message("register_success", guid)
            case "request_game_list", ():
                return message(GAME_LIST, tuple(self.games.values()))
            case (("seal_game" | "unregister_game") as header, (guid,)):
                if guid not in self.games:
                    return message(f"{header}_failed", "no such game")
                game = self.games.pop(guid)
                if header == "seal_game":
                    self.games[guid] = replace(game, status=Status.SEALED)
                return message(f"{header}_success")
        raise AssertionError(asked)


def _sockets() -> tuple[socket.socket, socket.socket]:
    """A listener, and a socket for datagrams on the same port."""
    while True:
        tcp = socket.create_server(("127.0.0.1", 0))
        udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            udp.bind(tcp.getsockname())
        except OSError:
            tcp.close()
            udp.close()
        else:
            return tcp, udp
