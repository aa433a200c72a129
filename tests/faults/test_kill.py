"""The server is killed again and again during games; what clients were told must stay true."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from spielwerk.games import Game, State
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto, QuartoState
from tests.faults.kill_clients import Client, create
from tests.faults.kill_ledger import Contradiction, Ledger, kind_of
from tests.faults.kill_server import Server

SEED = 4
STILLBORN = 0.2  # of the servers are killed while they start
START = 0.8  # seconds within which those are killed
STUCK = 120.0  # seconds without any news, after which the server must have lost something


class Trial(NamedTuple):
    """How much is played, and how often the server dies meanwhile."""

    games: int
    at_once: int
    life: range  # turns that clients are told before the server dies
    kills: int  # at least
    every_morris: int  # one game in so many is Morris; those are ten times as long


QUICK = Trial(10, 10, range(1, 30), 3, 99)
LONG = Trial(60, 30, range(1, 250), 10, 4)


class Arena:
    """All games of the test, and what is known of them."""

    def __init__(self, server: Server, rng: Random, trial: Trial) -> None:
        self.server = server
        self.rng = rng
        self.trial = trial
        self.ledgers: dict[str, Ledger] = {}
        self._left = trial.games

    @property
    def news(self) -> int:
        """How much clients have been told."""
        ledgers = self.ledgers.values()
        return sum(ledger.turns + len(ledger.winners) for ledger in ledgers)

    @property
    def finished(self) -> int:
        """How many games both players know the result of."""
        return sum(ledger.finished for ledger in self.ledgers.values())

    async def play(self) -> None:
        """Play all games, some at once."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self.trial.at_once):
                group.create_task(self._play_some())

    async def _play_some(self) -> None:
        while self._left:
            self._left -= 1
            await self._play_one(self._left)

    async def _play_one(self, number: int) -> None:
        game, options = self._variant(number)
        ledger = Ledger(game)
        game_id = await create(self.server, kind_of(game), options)
        self.ledgers[game_id] = ledger
        async with asyncio.TaskGroup() as group:
            for seat in (0, 1):
                rng = Random(self.rng.random())
                client = Client(self.server, game_id, seat, ledger, rng)
                group.create_task(client.play())

    def _variant(self, number: int) -> tuple[Game[Any], dict[str, int]]:
        if number % self.trial.every_morris == self.trial.every_morris - 1:
            return Morris(), {}
        options = {"n": 4, "begins": number % 2, "first": self.rng.randrange(16)}
        return Quarto(**options), options


async def reign(arena: Arena) -> None:
    """Let one server after the other live for a while, until all games are finished."""
    server = arena.server
    while arena.finished < arena.trial.games:
        await server.launch()
        try:
            await live(arena)
        finally:
            await server.kill()


async def live(arena: Arena) -> None:
    """What a server is given before it is killed: a moment to start, or some turns to play."""
    rng = arena.rng
    if rng.random() < STILLBORN:
        await asyncio.sleep(rng.uniform(0, START))
    else:
        await arena.server.listening()
        await reached(arena, arena.news + rng.choice(arena.trial.life))
        await asyncio.sleep(rng.uniform(0, 0.01))  # anywhere in a commit


async def reached(arena: Arena, goal: int) -> None:
    """Wait until so much was told, or everything; however long it takes, if only it goes on."""
    news, since = -1, time.monotonic()
    while arena.news < goal and arena.finished < arena.trial.games:
        if arena.news != news:
            news, since = arena.news, time.monotonic()
        assert time.monotonic() - since < STUCK, f"nobody is told anything, after {news} turns"
        await asyncio.sleep(0.005)


async def run(arena: Arena) -> None:
    """Play while servers come and go."""
    async with asyncio.TaskGroup() as group:
        group.create_task(arena.play())
        group.create_task(reign(arena))


@pytest.mark.parametrize("trial", [QUICK, pytest.param(LONG, marks=pytest.mark.slow)])
def test_every_acknowledged_move_survives_kill_9(trial: Trial, tmp_path: Path) -> None:
    rng = Random(SEED)
    server = Server(tmp_path, rng)
    arena = Arena(server, rng, trial)
    print(f"seed {SEED}")  # noqa: T201 - shown when the test fails
    asyncio.run(run(arena))
    assert len(arena.ledgers) == arena.finished == trial.games
    lost = sum(ledger.lost for ledger in arena.ledgers.values())
    print(f"{server.kills} kills, {lost} turns were lost that nobody had been told")  # noqa: T201
    assert server.kills >= trial.kills
    assert server.complaints() == []
    with closing(sqlite3.connect(tmp_path / "spielwerk.db")) as database:
        for game_id, ledger in arena.ledgers.items():
            assert stored_moves(database, game_id) == list(enumerate(ledger.decisions))
            assert stored_results(database, game_id) == told_results(ledger)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# the checker itself


def quarto() -> Ledger:
    return Ledger(Quarto(n=4, begins=0, first=3))


def after(ledger: Ledger, *turns: str) -> State[Any]:
    """The position that a truthful server would show after these turns."""
    state = ledger.game.start()
    for turn in turns:
        state = state.play_turn(ledger.game.parse_turn(turn))
    return state


def test_a_turn_that_was_acknowledged_must_not_be_missing() -> None:
    ledger = quarto()
    ledger.acknowledged(ledger.sent(0, "A1,5"))
    with pytest.raises(Contradiction, match="clients were told"):
        ledger.asked(0, after(ledger))


def test_a_turn_that_the_opponent_saw_must_not_be_missing() -> None:
    ledger = quarto()
    ledger.sent(0, "A1,5")
    ledger.asked(1, after(ledger, "A1,5"))
    with pytest.raises(Contradiction, match="clients were told"):
        ledger.asked(0, after(ledger))


def test_a_turn_that_nobody_was_told_may_be_there_or_not() -> None:
    ledger = quarto()
    ledger.sent(0, "A1,5")
    ledger.asked(0, after(ledger))
    assert (ledger.lost, ledger.decisions) == (1, [])
    ledger.sent(0, "B2,6")
    ledger.asked(1, after(ledger, "B2,6"))
    assert (ledger.lost, ledger.decisions) == (1, [(0, "B2,6")])


def test_a_turn_must_not_come_back_after_it_was_lost() -> None:
    ledger = quarto()
    ledger.sent(0, "A1,5")
    ledger.asked(0, after(ledger))
    with pytest.raises(Contradiction, match="seat 1 saw"):
        ledger.asked(1, after(ledger, "A1,5"))


def test_no_other_move_may_be_on_the_board() -> None:
    ledger = quarto()
    ledger.sent(0, "A1,5")
    with pytest.raises(Contradiction, match="seat 1 saw"):
        ledger.asked(1, after(ledger, "A2,5"))


def test_a_turn_must_not_be_there_twice() -> None:
    ledger = quarto()
    turn = ledger.sent(0, "A1,5")
    ledger.asked(1, after(ledger, "A1,5"))
    ledger.acknowledged(turn)
    assert ledger.decisions == [(0, "A1,5")]


def test_the_decisions_of_a_chain_may_be_asked_for_one_by_one() -> None:
    ledger = Ledger(Morris())
    for seat, turn in enumerate(("A0", "C0", "A1", "C4", "A2")):
        ledger.acknowledged(ledger.sent(seat % 2, turn))
    ledger.asked(0, after(ledger, "A0", "C0", "A1", "C4", "A2"))
    ledger.acknowledged(ledger.sent(0, "C4"))
    assert ledger.decisions[-2:] == [(0, "A2"), (0, "C4")]


def test_the_result_must_be_the_one_of_the_board() -> None:
    ledger = Ledger(Quarto(n=2, begins=0, first=0))
    ledger.acknowledged(ledger.sent(0, "A1,1"))
    last = ledger.sent(1, "B1")
    shown = QuartoState(Quarto(n=2), None, after(ledger, "A1,1", "B1").board, None)  # type: ignore[attr-defined]
    with pytest.raises(Contradiction, match="told that 0 won"):
        ledger.ended(0, 0, shown)
    assert last.told
    ledger.ended(0, 1, shown)
    ledger.ended(1, 1, shown)
    assert ledger.finished
    assert told_results(ledger) == [("rule win", 1)]


def test_a_game_must_not_end_early() -> None:
    ledger = quarto()
    with pytest.raises(Contradiction, match="seat None saw"):
        ledger.ended(0, None, after(ledger))


# what is in the database


def stored_moves(database: sqlite3.Connection, game_id: str) -> list[tuple[int, tuple[int, str]]]:
    query = "SELECT number, seat, move FROM moves WHERE game = ? ORDER BY number"
    return [(number, (seat, move)) for number, seat, move in database.execute(query, (game_id,))]


def stored_results(database: sqlite3.Connection, game_id: str) -> list[tuple[str, int | None]]:
    query = "SELECT reason, winner FROM results WHERE game = ?"
    return database.execute(query, (game_id,)).fetchall()


def told_results(ledger: Ledger) -> list[tuple[str, int | None]]:
    """The one result that both players were told."""
    return [
        ("rule draw" if winner is None else "rule win", winner)
        for winner in {*ledger.winners.values()}
    ]
