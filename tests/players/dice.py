"""A bot for the dice server: it saves as soon as a turn has brought twenty points.

python dice.py -n NAME [-p PORT] HOST
"""

from __future__ import annotations

import argparse
import signal
import socket
import sys

from faults import Faults  # type: ignore[import-not-found]  # it lies beside this

ENOUGH = 20  # points in a turn
MYSELF = 2  # what the server calls me; 0 plays after me, then 1
EVERYBODY = (MYSELF, 0, 1)  # as BYE names them


class Score:
    """Everybody's points; nobody tells when somebody saves, but then another one throws."""

    def __init__(self) -> None:
        self.saved = [0, 0, 0]
        self.turn = [0, 0, 0]

    def save(self, players: tuple[int, ...]) -> None:
        for player in players:
            self.saved[player] += self.turn[player]
            self.turn[player] = 0

    def thrown(self, player: int, first: int, second: int) -> None:
        self.save(tuple(other for other in EVERYBODY if other != player))
        self.turn[player] += first + second
        if first == second:
            self.turn[player] = 0

    def bye(self) -> str:
        self.save(EVERYBODY)
        return " ".join(str(self.saved[player]) for player in EVERYBODY)


def play(line: socket.socket, name: str, faults: Faults) -> None:
    """Answer what comes until the server says BYE."""
    score = Score()
    for message in line.makefile("r", encoding="ascii", errors="replace", newline="\n"):
        word, *words = message.split()
        if word == "HELO":
            answer = f"AUTH {name}"
        elif word == "TURN":
            score.save((0, 1))
            faults.deciding(line)
            answer = faults.move("SAVE" if score.turn[MYSELF] >= ENOUGH else "ROLL", "PASS")
            if answer == "SAVE":
                score.save((MYSELF,))
        elif word == "THRW":
            score.thrown(*map(int, words[:3]))
            if words[0] != str(MYSELF):
                faults.waiting(line)
            continue
        elif word in ("WIN", "DEF"):
            faults.answering("bye")
            answer = faults.bye(f"BYE {score.bye()}", "BYE 1 2 3")
        else:
            sys.exit(0 if word == "BYE" else message)
        line.sendall(f"{answer}\n".encode())
    sys.exit("the server has hung up")


def terminate(*_: object) -> None:
    """What the document wants to be said."""
    sys.exit("Received termination request - terminating...")


def main() -> None:
    """Connect, and play one game."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", dest="name", required=True)
    parser.add_argument("-p", dest="port", type=int, default=9001)
    parser.add_argument("host")
    Faults.add_to(parser)
    options = parser.parse_args()
    faults = Faults(options)
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, terminate)
    faults.starting()
    with socket.create_connection((options.host, options.port)) as line:
        faults.connected(line)
        play(line, options.name, faults)


if __name__ == "__main__":
    main()
