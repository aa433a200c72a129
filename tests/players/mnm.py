"""A player for the MNM game server: Quarto and Nine Men's Morris, any move that is allowed.

python mnm.py -g GAME-ID [-p PLAYER] -h HOST -P PORT
"""

from __future__ import annotations

import argparse
import random
import socket
import sys

from faults import Faults  # type: ignore[import-not-found]  # it lies beside this


class Server:
    """The other end of the line."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("r", encoding="utf-8", newline="\n")

    def say(self, line: str) -> None:
        self._connection.sendall(f"{line}\n".encode())

    def hear(self) -> list[str]:
        """The words of the next line, without its plus."""
        line = self._lines.readline()
        if not line.startswith("+ "):
            sys.exit(f"the server says: {line.strip() or 'nothing more'}")
        return line[2:].split()

    def hear_until(self, last: str) -> list[list[str]]:
        """All lines up to the one that starts like this."""
        lines = [self.hear()]
        while lines[-1][:1] != [last]:
            lines.append(self.hear())
        return lines


# the prolog


def join(server: Server, game_id: str, wanted: str) -> tuple[str, int]:
    """Take a seat; the game and our number in it."""
    server.hear()
    server.say("VERSION 1.0")
    server.hear()
    server.say(f"ID {game_id}")
    _, game = server.hear()
    server.hear()
    server.say(f"PLAYER {wanted}".rstrip())
    you, *_ = server.hear_until("ENDPLAYERS")
    return game, int(you[1])


# Quarto


def quarto_move(position: list[list[str]]) -> str:
    """A stone on a free field, and one for the opponent if any are left."""
    (_, mine), (_, size), *rows, _ = position
    stones = {stone for row in rows for stone in row[1:]} | {mine}
    free = [f"{chr(ord('A') + x)}{y}" for y, *row in rows for x, s in enumerate(row) if s == "*"]
    width, height = map(int, size.split(","))
    left = [stone for stone in map(str, range(width * height)) if stone not in stones]
    return ",".join([random.choice(free), *random.sample(left, min(1, len(left)))])


def quarto_mistake(position: list[list[str]]) -> str:
    """The stone that we set ourselves is handed on."""
    return f"{quarto_move(position).partition(',')[0]},{position[0][1]}"


# Nine Men's Morris

FIELDS = [f"{ring}{number}" for ring in "ABC" for number in range(8)]


def neighbours(field: str) -> list[str]:
    """Along the ring, and on the spokes, which are at 1, 3, 5 and 7, to the next ring."""
    ring, number = field[0], int(field[1])
    along = [f"{ring}{(number + 1) % 8}", f"{ring}{(number - 1) % 8}"]
    across = {"A": "B", "B": "AC", "C": "B"}[ring] if number % 2 else ""
    return along + [f"{other}{number}" for other in across]


def morris_move(position: list[list[str]], me: int) -> str:
    """Capture a stone, set one, or move one."""
    (_, captures), _, *pieces, _ = position
    mine = [place for name, place in pieces if name.startswith(f"PIECE{me}.")]
    others = [place for name, place in pieces if not name.startswith(f"PIECE{me}.")]
    free = [field for field in FIELDS if field not in mine + others]
    if captures != "0":
        return random.choice([place for place in others if place in FIELDS])
    if "A" in mine:
        return random.choice(free)
    standing = [place for place in mine if place in FIELDS]
    ways = {place: neighbours(place) if len(standing) > 3 else FIELDS for place in standing}
    return random.choice([f"{a}:{b}" for a, reach in ways.items() for b in reach if b in free])


MORRIS_MISTAKE = "A0:C7"  # too far for a stone that moves


# the game


def play(server: Server, options: argparse.Namespace, faults: Faults, line: socket.socket) -> None:
    """Answer what comes until the game is over."""
    game, me = join(server, options.game, options.player)
    while (words := server.hear())[0] != "GAMEOVER":
        if words[0] == "WAIT":
            faults.answering("okwait")
            faults.waiting(line)
            server.say("OKWAIT")
            continue
        position = server.hear_until("ENDFIELD" if game == "Quarto" else "ENDPIECELIST")
        faults.answering("thinking")
        server.say("THINKING")
        server.hear()
        faults.deciding(line, int(words[1]) / 1000)
        if game == "Quarto":
            move = faults.move(quarto_move(position), quarto_mistake(position))
        else:
            move = faults.move(morris_move(position, me), MORRIS_MISTAKE)
        server.say(f"PLAY {move}")
        server.hear()
    faults.parting(line)
    server.hear_until("QUIT")


def main() -> None:
    """Connect, and play one game."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-g", dest="game", required=True)
    parser.add_argument("-p", dest="player", default="")
    parser.add_argument("-h", dest="host", default="sysprak.priv.lab.nm.ifi.lmu.de")
    parser.add_argument("-P", dest="port", type=int, default=1357)
    Faults.add_to(parser)
    options = parser.parse_args()
    faults = Faults(options)
    faults.starting()
    with socket.create_connection((options.host, options.port)) as line:
        faults.connected(line)
        play(Server(line), options, faults, line)


if __name__ == "__main__":
    main()
