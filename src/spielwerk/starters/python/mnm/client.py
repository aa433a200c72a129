#!/usr/bin/env python3
"""A client of the game server: client.py -g GAME-ID [-p PLAYER] [-s HOST:PORT] (MIT licence)

It plays Quarto and Nine Men's Morris, whichever the game is, on servers of any year.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import morris
import quarto
from connection import Connection
from strategy import choose

GAMES: dict[str, Any] = {game.KIND: game for game in (quarto, morris)}
RESERVE = 0.3  # seconds of the thinking time that we leave to the network


class ServerError(Exception):
    """The server said no, or something that we do not understand."""


def main() -> int:
    """Play one game; the exit status."""
    options = arguments()
    host, _, port = options.server.partition(":")
    try:
        play(Connection(host, int(port or 1357)), options.game, options.player)
    except (OSError, ServerError) as error:
        print(f"client: {error}", file=sys.stderr)
        return 1
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Plays a game on the game server.")
    parser.add_argument("-g", dest="game", required=True, metavar="GAME-ID")
    parser.add_argument("-p", dest="player", metavar="PLAYER", help="any free one if not given")
    parser.add_argument("-s", dest="server", default="localhost:1357", metavar="HOST:PORT")
    return parser.parse_args()


def heard(connection: Connection) -> str:
    """What the server's next line says behind its +; ServerError if it begins with -."""
    line = connection.receive()
    if line.startswith("+ "):
        return line[2:]
    raise ServerError(f"the server says: {line.removeprefix('- ')}")


def play(connection: Connection, game_id: str, wanted: str | None) -> None:
    """The whole conversation, in its three phases."""
    game, player = prolog(connection, game_id, wanted)
    # @task Write the course of the game: WAIT, MOVE and GAMEOVER until QUIT.
    while True:
        word, _, rest = heard(connection).partition(" ")
        if word == "WAIT":
            connection.send("OKWAIT")
        elif word == "MOVE":
            move(connection, game, player, int(rest) / 1000)
        elif word == "GAMEOVER":
            game_over(connection, player, rest)
            return
        else:
            raise ServerError(f"unexpected: {word} {rest}")
    # @open
    #| raise ServerError(f"the game of player {player} ({game.KIND}) is not written yet")
    # @end


def prolog(connection: Connection, game_id: str, wanted: str | None) -> tuple[Any, int]:
    """Join the game; what is played, and who we are."""
    # @task Write the prolog: VERSION, ID and PLAYER, each when the server expects it.
    version = heard(connection).split()[2]  # MNM Gameserver v1.0 accepting connections
    connection.send(f"VERSION {version.removeprefix('v').partition('.')[0]}.0")
    while not heard(connection).startswith("Client version accepted"):
        pass  # servers of some years greet with more than one line
    connection.send(f"ID {game_id}")
    kind = heard(connection).removeprefix("PLAYING ")
    if kind not in GAMES:
        raise ServerError(f"this game is {kind}; we play {' and '.join(GAMES)}")
    print(f"playing {kind}: {heard(connection)}")
    connection.send("PLAYER" if wanted is None else f"PLAYER {wanted}")
    _, number, *name = heard(connection).split(" ")
    print(f"we are player {number} ({' '.join(name)})")
    while (line := heard(connection)) != "ENDPLAYERS":
        if not line.startswith("TOTAL"):
            other, *name, ready = line.split(" ")
            state = "ready" if ready == "1" else "not ready"
            print(f"player {other} ({' '.join(name)}) is {state}")
    return GAMES[kind], int(number)
    # @open
    #| raise ServerError(f"the prolog for {game_id} ({wanted}) is not written: {heard(connection)}")
    # @end


def lines_to(connection: Connection, end: str) -> list[str]:
    """The server's lines up to this one."""
    lines = [heard(connection)]
    while lines[-1] != end:
        lines.append(heard(connection))
    return lines


def move(connection: Connection, game: Any, player: int, seconds: float) -> None:
    """Read the position, say that we think, and play."""
    # @task Read the position, say THINKING, and PLAY what choose() finds.
    position = game.Position(player, lines_to(connection, game.END))
    connection.send("THINKING")
    if heard(connection) != "OKTHINK":
        raise ServerError("OKTHINK was due")
    connection.send(f"PLAY {choose(position, seconds - RESERVE)}")
    if heard(connection) != "MOVEOK":
        raise ServerError("MOVEOK was due")
    # @open
    #| raise ServerError(f"no move yet: {choose}, {seconds - RESERVE}, {lines_to}, {player}")
    # @end


def game_over(connection: Connection, player: int, winner: str) -> None:
    """Say how the game ended; servers of later years name the winners after the position."""
    won = [winner.split(" ")[0]] if winner else []
    while (line := heard(connection)) != "QUIT":
        if line.startswith("PLAYER") and line.endswith("Yes"):
            won.append(line[len("PLAYER")])
    print("drawn" if len(won) != 1 else "won" if won == [str(player)] else "lost")
    connection.close()


if __name__ == "__main__":
    sys.exit(main())
