"""A move server for Oware: any move that is allowed. Requests are taken to be right.

python oware.py [-p PORT] [-a ADDRESS]
"""

from __future__ import annotations

import argparse
import random
import socket
from contextlib import suppress

from faults import Faults  # type: ignore[import-not-found]  # it lies beside this

AUTHOR, STRATEGY = "Karl Muster", "Any move"
HOUSES = {0: range(2, 8), 1: range(8, 14)}  # where the players' houses are on the board


def allowed(board: list[int], player: int) -> list[int]:
    """The houses with stones; an opponent without any must get some."""
    own = [board[place] for place in HOUSES[player]]
    starving = not any(board[place] for place in HOUSES[1 - player])
    return [h for h, stones in enumerate(own) if stones and (not starving or h + stones > 5)]


def played(board: list[int], player: int, house: int) -> list[int]:
    """Sow from the house, then reap; nothing is reaped if that would be all."""
    sown, origin = list(board), HOUSES[player][house]
    stones, sown[origin], place = board[origin], 0, origin
    while stones:
        place = place + 1 if place < 13 else 2
        if place != origin:
            sown[place], stones = sown[place] + 1, stones - 1
    reaped = list(sown)
    while place in HOUSES[1 - player] and reaped[place] in (2, 3):
        reaped[player] += reaped[place]
        reaped[place] = 0
        place -= 1
    return reaped if any(reaped[place] for place in HOUSES[1 - player]) else sown


def answer(request: list[str], faults: Faults) -> str:
    """The five lines that answer four."""
    _strategy, _depth, numbers, history = request
    board = [int(number) for number in numbers.split(" ")]
    for turn, digit in enumerate(history):
        board = played(board, turn % 2, int(digit))
    player = len(history) % 2
    house = random.choice(allowed(board, player))
    move = faults.move(str(house), "6")
    after = " ".join(map(str, played(board, player, house)))
    return f"OK\n{AUTHOR}\n{STRATEGY}\n{move}\n{after}\n"


def serve(line: socket.socket, faults: Faults) -> None:
    """Answer one request; whoever only looks whether we are there asks for nothing."""
    with line.makefile("r", encoding="ascii", newline="\n") as lines:
        request = [lines.readline() for _ in range(4)]
    if not request[3].endswith("\n"):
        return
    faults.deciding(line)
    line.sendall(answer([text.rstrip("\n") for text in request], faults).encode())
    faults.parting(line)


def main() -> None:
    """Listen, and answer one after the other."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-p", dest="port", type=int, default=7889)
    parser.add_argument("-a", dest="address", default="127.0.0.1")
    Faults.add_to(parser)
    options = parser.parse_args()
    faults = Faults(options)
    faults.starting()
    with socket.create_server((options.address, options.port)) as server:
        faults.connected(server)
        while True:
            line, _ = server.accept()
            with line, suppress(OSError):  # nobody may wait for the answer any more
                serve(line, faults)


if __name__ == "__main__":
    main()
