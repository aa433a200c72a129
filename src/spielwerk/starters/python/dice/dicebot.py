#!/usr/bin/env python3
"""A bot for the dice contest: dicebot.py -n NAME [-p PORT] HOST (MIT licence)"""

from __future__ import annotations

import argparse
import re
import signal
import sys

from connection import Connection
from race import ME, Race
from strategy import choose


def main() -> int:
    """Play one game; the exit status."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, terminate)
    options = arguments()
    try:
        connection = Connection(options.host, options.port)
        play(connection, options.name)
    except OSError as error:
        print(f"dicebot: {error}", file=sys.stderr)
        return 1
    return 0


def arguments() -> argparse.Namespace:
    """The command line, checked; a wrong one ends the program with a message."""
    parser = argparse.ArgumentParser(prog="dicebot", description="Plays the dice contest.")
    parser.add_argument("-n", dest="name", required=True, help="letters and digits only")
    parser.add_argument("-p", dest="port", type=int, default=9001, help="9001 if not given")
    parser.add_argument("host")
    options = parser.parse_args()
    if not re.fullmatch("[A-Za-z0-9]+", options.name):
        parser.error(f"-n {options.name}: a name has letters and digits only")
    if not 0 < options.port < 65536:
        parser.error(f"-p {options.port}: ports are 1 to 65535")
    return options


def terminate(*_: object) -> None:
    """A signal asks us to end: say so, and end without an error."""
    # @task Write the sentence of the document to stderr, and end with exit status 0.
    sys.stderr.write("Received termination request - terminating...\n")
    sys.stderr.flush()
    raise SystemExit(0)
    # @open
    #| raise SystemExit(1)
    # @end


def play(connection: Connection, name: str) -> None:
    """Answer the server's lines until it says BYE; OSError if it says ERR or closes."""
    # @task Answer every message of the server; answer() is where to begin.
    race = Race()
    while True:
        line = connection.receive()
        if line == "BYE":
            connection.close()
            return
        answer(connection, race, name, line)
    # @open
    #| race = Race()
    #| answer(connection, race, name, connection.receive())
    # @end


def answer(connection: Connection, race: Race, name: str, line: str) -> None:
    """Do what one line of the server asks for."""
    word, *rest = line.split()
    if word == "HELO":
        connection.send(f"AUTH {name}")
    # @task Understand TURN, THRW, WIN, DEF and ERR.
    elif word == "TURN":
        race.turn_of(ME)
        connection.send(choose(race))
    elif word == "THRW":
        player, first, second = map(int, rest[:3])
        race.thrown(player, first, second)
    elif word in ("WIN", "DEF"):
        race.end_turn()  # the winning throw counts
        connection.send(f"BYE {race.saved[ME]} {race.saved[0]} {race.saved[1]}")
    elif word == "ERR":
        raise ConnectionError(f"the server says: {line}")
    # @open
    # @end


if __name__ == "__main__":
    sys.exit(main())
