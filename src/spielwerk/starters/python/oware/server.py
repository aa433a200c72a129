#!/usr/bin/env python3
"""An Oware move server: server.py [--port PORT] (MIT licence)

A client sends four lines (strategy, search depth, board, moves so far); the answer has five
(status, author, strategy's name, details, board), then the connection is closed. Every client has
a thread of its own.
"""

from __future__ import annotations

import argparse
import re
import socketserver

from oware import START, STONES, Game, finished
from strategy import AUTHOR, STRATEGIES, choose

LINES = ("strategy", "search-depth", "initial-board", "move-history")
LONGEST = 65536  # bytes of a line
PATIENCE = 30  # seconds for a request to arrive


class Handler(socketserver.StreamRequestHandler):
    """One client: its request is read and answered."""

    timeout = PATIENCE

    def handle(self) -> None:
        """Read four lines, answer with five."""
        self.wfile.write(answer(self.lines()))

    def lines(self) -> list[bytes]:
        """The lines that came whole: only a newline ends a line, and only whole lines count."""
        found: list[bytes] = []
        try:
            while len(found) < len(LINES):
                line = self.rfile.readline(LONGEST + 2)
                if not line.endswith(b"\n"):
                    break
                found.append(line[:-1])
        except OSError:
            pass  # silence for too long, or the client has gone: what has come is judged
        return found


class Server(socketserver.ThreadingTCPServer):
    """Serves any number of clients side by side."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


def answer(lines: list[bytes]) -> bytes:
    """The five lines for a request: the first thing that is wrong, or a move."""
    if len(lines) < len(LINES):
        return written("ERROR read-failure", LINES[len(lines)].encode(), START)
    strategy, depth, board, history = lines
    # @task Test the four lines in the order of section 5.4, and repeat a wrong one as it came.
    if not re.fullmatch(rb"0|[1-9][0-9]{0,8}", strategy) or int(strategy) >= len(STRATEGIES):
        return written("ERROR strategy", strategy, START)
    number = int(strategy)
    if not re.fullmatch(rb"[1-9]", depth):
        return written("ERROR search-depth", depth, START, number)
    stones = read_board(board)
    if stones is None:
        return written("ERROR initial-board", board, START, number)
    game = Game(stones)
    for place, character in enumerate(history):
        house = character - ord("0")
        if game.over() or house not in game.moves():
            return written(f"ERROR move-history {place}", history, game.board, number)
        game.play(house)
    if game.over():
        return written("OK", b"finish", finished(game.board), number)
    # @open
    #| number, game = 0, Game(read_board(board) or list(START))
    # @end
    house = choose(game, number, int(depth))
    game.play(house)
    return written("OK", str(house).encode(), game.board, number)


def read_board(line: bytes) -> list[int] | None:
    """The 14 numbers of a board, or None if the line is anything else."""
    words = line.split(b" ")
    if len(words) != len(START) or not all(re.fullmatch(rb"0|[1-9][0-9]?", word) for word in words):
        return None
    board = [int(word) for word in words]
    return board if sum(board) == STONES else None


def written(status: str, details: bytes, board: list[int], strategy: int = 0) -> bytes:
    """An answer; the details are bytes, because a wrong line is repeated as it came."""
    head = f"{status}\n{AUTHOR}\n{STRATEGIES[strategy]}\n".encode("ascii")
    return head + details + b"\n" + " ".join(map(str, board)).encode("ascii") + b"\n"


def main() -> None:
    """Serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Finds moves in Oware.")
    parser.add_argument("--port", type=int, default=7889)
    port = parser.parse_args().port
    with Server(("", port), Handler) as server:
        print(f"listening on port {server.server_address[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
