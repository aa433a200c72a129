"""A player for Connect Four, flat and solid: any move that is allowed.

python connect4.py --index HOST:PORT --name NAME [--game GAME]      joins a game that is open
python connect4.py --index HOST:PORT --name NAME --game GAME --host [--size WxHxD]   offers one
"""

from __future__ import annotations

import argparse
import random
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from itertools import product

from faults import Faults  # type: ignore[import-not-found]  # it lies beside this

INITIATOR, OPPONENT = 1, 2  # as the board shows their stones
HEARTBEAT = 10.0  # seconds
DIRECTIONS = [d for d in product((-1, 0, 1), repeat=3) if d > (0, 0, 0)]


class Peer:
    """The other end of a line, where messages are words with semicolons between them."""

    def __init__(self, line: socket.socket) -> None:
        self.line = line
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # messages are short
        self._lines = line.makefile("r", encoding="utf-8", newline="\n")

    def say(self, *words: object) -> None:
        self.line.sendall((";".join(map(str, words)) + "\n").encode())

    def hear(self) -> list[str]:
        message = self._lines.readline()
        if not message:
            sys.exit("the other side has hung up")
        return message.rstrip("\r\n").split(";")

    def expect(self, wanted: str) -> list[str]:
        """What comes behind the word that must come now."""
        word, *words = self.hear()
        if word != wanted:
            sys.exit(f"expected {wanted}, got {word}: {' '.join(words)}")
        return words


@dataclass
class Board:
    """Fields are numbered along the width, then the height, then the depth."""

    width: int
    height: int
    depth: int  # 0 and 1 are the flat game
    fields: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.fields = [0] * (self.width * self.height * max(1, self.depth))

    def allowed(self) -> list[int]:
        """The free fields with nothing free below them."""
        return [n for n, state in enumerate(self.fields) if not state and self._supported(n)]

    def _supported(self, number: int) -> bool:
        row = number // self.width % self.height
        return row == 0 or self.fields[number - self.width] != 0

    def won_at(self, number: int) -> bool:
        """Whether the stone there is one of four in a line."""
        return any(
            1 + self._count(number, step) + self._count(number, [-s for s in step]) >= 4
            for step in map(list, DIRECTIONS)
        )

    def over_at(self, number: int) -> bool:
        """Whether the stone there was the last one."""
        return self.won_at(number) or all(self.fields)

    def _count(self, number: int, step: list[int]) -> int:
        """How many of the same kind follow in this direction."""
        k, rest = divmod(number, self.width * self.height)
        place, sizes = [k, *divmod(rest, self.width)], [max(1, self.depth), self.height, self.width]
        count = 0
        while True:
            place = [here + there for here, there in zip(place, step, strict=True)]
            if not all(0 <= here < size for here, size in zip(place, sizes, strict=True)):
                return count
            if self.fields[self._number(place)] != self.fields[number]:
                return count
            count += 1

    def _number(self, place: list[int]) -> int:
        return (place[0] * self.height + place[1]) * self.width + place[2]


def index_at(options: argparse.Namespace) -> Peer:
    """A line to the index server."""
    host, _, port = options.index.rpartition(":")
    return Peer(socket.create_connection((host, int(port))))


# joining


def find(options: argparse.Namespace) -> tuple[str, Board, tuple[str, int]]:
    """A game that is open: its name, its board, and where its initiator is."""
    index = index_at(options)
    index.say("request_game_list")
    _, *cells = index.expect("answer_game_list")
    index.line.close()
    for start in range(0, len(cells), 8):
        status, _, name, width, height, depth, host, port = cells[start : start + 8]
        if status == "Open" and options.game in ("", name):
            return name, Board(int(width), int(height), int(depth)), (host, int(port))
    sys.exit("there is no open game")


def join(options: argparse.Namespace, faults: Faults) -> None:
    """Play a game that another one has offered."""
    name, board, place = find(options)
    with socket.create_connection(place) as line:
        faults.connected(line)
        initiator = Peer(line)
        initiator.say("join_game", options.name, name, options.version)
        initiator.expect("join_game_success")
        while (message := initiator.hear())[0] != "end_game":
            number = look(board, message, options)
            if number is None or (board.fields[number] == INITIATOR and not board.over_at(number)):
                give_up(options, initiator)
                faults.deciding(line)
                right = str(random.choice(board.allowed()))
                initiator.say("move", faults.move(right, str(len(board.fields))))
            else:
                faults.waiting(line)
        faults.parting(line)


def words_of(options: argparse.Namespace) -> dict[str, str]:
    """The words that this program knows, and no others."""
    words = ("register_success", "updated_game_board", "moved_failed")
    variants = ("register_game_success", "update_game_board", "move_failed")
    return dict(zip(words, variants if options.spelling == "variant" else words, strict=True))


def look(board: Board, message: list[str], options: argparse.Namespace) -> int | None:
    """Take over what the initiator tells; the field of the new stone, if there is one."""
    word, *words = message
    before = list(board.fields)
    if word == "start_game":
        return None
    if word == words_of(options)["updated_game_board"]:
        board.fields[int(words[0])] = int(words[1])
    elif word == "synchronize_game_board":
        board.fields = [int(state) for state in words[2::2]]
    else:
        sys.exit(f"the initiator says: {' '.join(message)}")
    (new,) = [number for number, state in enumerate(board.fields) if state != before[number]]
    return new


def give_up(options: argparse.Namespace, other: Peer) -> None:
    """Say why we do not go on, if we do not."""
    if options.give_up is not None:
        other.say("abort_game", options.give_up)
        sys.exit(0)


# offering


def host(options: argparse.Namespace, faults: Faults) -> None:
    """Offer a game, and play it with the first who comes."""
    board = Board(*(int(side) for side in options.size.split("x")))
    with socket.socket() as server:
        server.bind(("127.0.0.1", options.port))
        if not options.listen_after:
            server.listen()
        address, port = server.getsockname()
        index = index_at(options)
        index.say(
            "register_game", options.name, options.game, *options.size.split("x"), address, port
        )
        (guid,) = index.expect(words_of(options)["register_success"])
        beat(index, port)
        time.sleep(options.listen_after)
        server.listen()
        line, _ = server.accept()
        if options.listen_once:
            server.close()
        with line:
            faults.connected(line)
            opponent = Peer(line)
            *_, version = opponent.expect("join_game")
            opponent.say("join_game_success", version)
            index.say("seal_game", guid)
            index.expect("seal_game_success")
            lead(board, opponent, version, options, faults)
            faults.parting(line)
    index.say("unregister_game", guid)
    index.expect("unregister_game_success")


def beat(index: Peer, port: int) -> None:
    """Tell the index server now and then that we are still there."""
    place = index.line.getpeername()
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.bind((index.line.getsockname()[0], port))

    def go_on() -> None:
        while True:
            sender.sendto(b"heartbeat\n", place)
            time.sleep(HEARTBEAT)

    threading.Thread(target=go_on, daemon=True).start()


def lead(
    board: Board, opponent: Peer, version: str, options: argparse.Namespace, faults: Faults
) -> None:
    """Play, tell every move, and tell the end."""
    turn = random.choice((INITIATOR, OPPONENT))
    if turn == OPPONENT:
        opponent.say("start_game")
    while True:
        if turn == INITIATOR:
            give_up(options, opponent)
        number = choose(board, faults, opponent) if turn == INITIATOR else ask(board, opponent)
        board.fields[number] = turn
        if turn == INITIATOR or not options.silent:
            tell(board, number, opponent, version)
        if board.over_at(number):
            outcome = turn if board.won_at(number) else 0
            if options.end != "none":
                opponent.say("end_game", outcome if options.end == "right" else (outcome + 1) % 3)
            return
        turn = INITIATOR + OPPONENT - turn


def choose(board: Board, faults: Faults, opponent: Peer) -> int:
    """Our own move."""
    faults.deciding(opponent.line)
    wrong = next((n for n, state in enumerate(board.fields) if state == OPPONENT), 0)
    return int(faults.move(str(random.choice(board.allowed())), str(wrong)))


def ask(board: Board, opponent: Peer) -> int:
    """The opponent's move."""
    (number,) = opponent.expect("move")
    if int(number) not in board.allowed():
        opponent.say("moved_failed", "this field cannot be taken")
        opponent.say("abort_game", "invalid move")
        sys.exit(f"invalid move {number}")
    return int(number)


def tell(board: Board, number: int, opponent: Peer, version: str) -> None:
    """The move, or with the first version of the protocol the whole board."""
    if version == "V2":
        opponent.say("updated_game_board", number, board.fields[number])
    else:
        cells = [cell for pair in enumerate(board.fields) for cell in pair]
        opponent.say("synchronize_game_board", len(board.fields), *cells)


def main() -> None:
    """Join a game, or offer one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--index", default="127.0.0.1:9090")
    parser.add_argument("--name", required=True)
    parser.add_argument("--game", default="")
    parser.add_argument("--version", choices=("V1", "V2"), default="V2")
    parser.add_argument("--spelling", choices=("document", "variant"), default="document")
    parser.add_argument("--host", action="store_true")
    parser.add_argument("--silent", action="store_true", help="confirm no move of the opponent")
    parser.add_argument("--size", default="7x6x0")
    parser.add_argument("--port", type=int, default=0, help="to listen on; any if not given")
    parser.add_argument("--listen-after", type=float, default=0.0, metavar="SECONDS")
    parser.add_argument("--listen-once", action="store_true", help="till somebody has come")
    parser.add_argument("--give-up", metavar="REASON", help="at the first move")
    parser.add_argument("--end", choices=("right", "wrong", "none"), default="right")
    Faults.add_to(parser)
    options = parser.parse_args()
    faults = Faults(options)
    faults.starting()
    (host if options.host else join)(options, faults)


if __name__ == "__main__":
    main()
