"""The opponent's part: find a game in the list, join it, play it. (MIT licence)"""

from __future__ import annotations

import sys

from board import INITIATOR, OPPONENT, Board
from connection import Aborted, Connection, GameError, ask_index, number
from strategy import choose

OUTCOMES = {"0": "drawn", "1": "lost", "2": "won"}
BOARDS = ("synchronize_game_board", "updated_game_board", "update_game_board")  # V1, V2, V2


def join(index: tuple[str, int], name: str, wanted: str | None) -> None:
    """Join the game of that name, or the first open one that lets us."""
    for status, _, game, width, height, depth, host, port in listed(index):
        if status != "Open" or wanted not in (None, game):
            continue
        try:
            board = Board(number(width), number(height), number(depth))
            connection = Connection.to(host, number(port))
        except (OSError, GameError) as error:
            print(f"{game}: {error}", file=sys.stderr)
            continue
        connection.send("join_game", name, game, "V2")
        answer = connection.receive(30)
        if answer[0] == "join_game_success":
            print(f"joined {game}")
            play(connection, board)
            return
        print(f"{game}: {';'.join(answer)}", file=sys.stderr)
    raise GameError("there is no open game that can be joined")


def listed(index: tuple[str, int]) -> list[list[str]]:
    """The games in the list, eight values each."""
    header, *values = ask_index(index, "request_game_list")
    if header != "answer_game_list" or not values:
        raise GameError(f"the index server says {header}")
    count = number(values.pop(0))
    if len(values) < 8 * count:
        raise GameError("the list is shorter than it says")
    return [values[8 * one : 8 * one + 8] for one in range(count)]


def play(connection: Connection, board: Board) -> None:
    """Answer the initiator's messages until the game is over."""
    # @task Play: start_game, the two kinds of boards, moved_failed, end_game and abort_game.
    patience = None  # the initiator may think as long as it likes
    while True:
        header, *values = connection.receive(patience)
        if header == "end_game":
            print(OUTCOMES.get(values[0] if values else "", "over"))
            connection.close()
            return
        if header == "abort_game":
            raise Aborted(f"the initiator has aborted the game: {';'.join(values)}")
        if header in ("moved_failed", "move_failed"):
            patience = 10.0  # now abort_game is due
            continue
        if header not in ("start_game", *BOARDS):
            connection.send("abort_game", f"what is {header}?")
            raise GameError(f"the initiator says {header}")
        if (header == "start_game" or update(board, header, values)) and board.winner() is None:
            connection.send("move", choose(board, OPPONENT))
    # @open
    #| raise GameError(f"playing is not written yet: {connection.receive(None)}")
    # @end


def update(board: Board, header: str, values: list[str]) -> bool:
    """Take over what the initiator tells; whether a stone of its own is new, so that we move."""
    if header == BOARDS[0]:
        values = values[1:]  # how many fields follow
    moved = False
    for place, state in zip(values[::2], values[1::2]):
        field = number(place)
        board_had = board.fields[field] if field < len(board.fields) else ""
        board.put(field, state)
        moved = moved or (state == INITIATOR and board_had != INITIATOR)
    return moved
