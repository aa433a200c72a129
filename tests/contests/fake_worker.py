"""A worker that plays and reviews nothing: the name of a table says what it does instead.

`python -m tests.contests.fake_worker` is started in the place of the real one.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from spielwerk.contests import reviewing
from spielwerk.contests.contest import (
    AssignedPlayer,
    Assignment,
    Finished,
    Played,
    Progress,
    ignore,
)
from spielwerk.contests.worker import Play, main
from spielwerk.store.records import (
    Ending,
    GameRecord,
    Kind,
    MoveRecord,
    Reason,
    SeatKind,
    SeatRecord,
)
from tests.contests.terms import usual_terms

COMMAND = (sys.executable, "-m", "tests.contests.fake_worker")

MOVES = ("0", "1", "7", "8", "14", "15", "21")  # the first player has four in a column


def assignment(what: str, number: int = 0, seed: str = "", **terms: float) -> Assignment:
    """A game of Connect Four in which that happens."""
    players = tuple(AssignedPlayer(name, Kind.ENGINE, "random") for name in ("anna", "bert"))
    return Assignment(
        "spring",
        number,
        1,
        what,
        "connect4",
        (),
        (),
        seed,
        players,
        usual_terms(**terms),
    )


def record(game: Assignment, moves: int = len(MOVES)) -> GameRecord:
    """The game with so many moves, and with its result when it has all of them."""
    over = moves == len(MOVES)
    return GameRecord(
        id=f"game{game.number:04}x{game.attempt:02}",
        game="connect4",
        options=("width=7", "height=6", "depth=1"),
        name=game.name,
        seats=tuple(SeatRecord(SeatKind.ENGINE, p.name, "random") for p in game.seats),
        move_time=1000,
        tournament=True,
        created=1000,
        moves=tuple(MoveRecord(n, n % 2, MOVES[n], 2000 + n, 1) for n in range(moves)),
        result=Ending(Reason.WIN, 0, "four in a row", 3000) if over else None,
    )


def played(game: Assignment, end: Reason = Reason.WIN) -> Played:
    """The game as it comes back."""
    outcome = Ending(end, 0 if end is Reason.WIN else None, at=3000)
    return Played(game.number, game.attempt, outcome, record(game), started=1000)


async def play(game: Assignment, tell: Callable[[Progress], None]) -> Played:
    """Do what the table's name says."""
    match game.name:
        case "die":
            os.kill(os.getpid(), signal.SIGKILL)
        case "leave":
            sys.stderr.write("that was all\n")
            sys.stderr.flush()
            os._exit(3)
        case "raise":
            raise ValueError("nobody knows why")
        case "print":
            sys.stdout.write("a stray word\n")
            sys.stdout.flush()
        case "tell":
            tell(Progress(game.number, game.attempt, record(game, 2)))
            for move in record(game).moves[2:]:
                tell(Progress(game.number, game.attempt, moves=(move,)))
            await asyncio.sleep(0.3)
        case "child":
            child = subprocess.Popen(["/bin/sleep", "1000"])
            Path(game.seed).write_text(str(child.pid), encoding="ascii")
            await asyncio.Event().wait()
        case "hang":
            while True:
                signal.pause()
    return played(game)


def finished(what: str, seed: str = "") -> Finished:
    """A game that is over, and in whose review that happens."""
    return Finished(replace(record(assignment(what)), id=seed), opening=0)


async def review(order: Finished) -> dict[str, Any] | str:
    """Do what the table's name says."""
    await play(assignment(order.record.name, seed=order.record.id), ignore)
    return {"reviewed": order.record.id}


async def _opened() -> tuple[Play, Callable[[], Awaitable[None]]]:
    async def close() -> None:
        """Nothing is open."""

    return play, close


if __name__ == "__main__":
    reviewing.review_here = review
    main(_opened)
