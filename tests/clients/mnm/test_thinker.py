"""The thinker's decisions, with players and clocks that are under control."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from spielwerk.clients.mnm.thinker import Request, SharedMemory, Thinker, decide
from spielwerk.engines.players import Player
from spielwerk.games import State
from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto

MILL = "00....../......../.......1 hand 7 7 player 0 capture 0 quiet 3"
"""White closes a mill with A2 and then has to capture C7."""


class Clockwork(Player):
    """Takes the move that closes the mill, and so much time for each decision."""

    def __init__(self, seconds: float) -> None:
        super().__init__("clockwork")
        self.seconds = seconds
        self.now = 100.0
        self.allowed: list[float | None] = []

    def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:  # noqa: ARG002
        self.allowed.append(within)
        self.now += self.seconds
        wanted = state.game.parse_move("A2")
        return wanted if wanted in state.legal_moves() else state.legal_moves()[0]


def _decided(player: Clockwork, seconds: float) -> str:
    state = Morris().parse_state(MILL)
    moves = decide(player, state, Random(1), 100.0 + seconds, clock=lambda: player.now)
    return ";".join(map(state.game.format_move, moves))


def test_a_capture_is_decided_at_once_while_half_the_time_is_left() -> None:
    player = Clockwork(0.4)
    assert _decided(player, 1.0) == "A2;C7"
    assert player.allowed == pytest.approx([1.0, 0.6])


def test_a_capture_is_left_to_the_next_question_when_the_time_is_gone() -> None:
    player = Clockwork(0.6)
    assert _decided(player, 1.0) == "A2"
    assert player.allowed == pytest.approx([1.0])


def test_without_any_time_there_is_a_move() -> None:
    player = Clockwork(0.0)
    assert _decided(player, -5.0) == "A2"
    assert player.allowed == pytest.approx([-5.0])


class Desk:
    """A thinker with its memory and the other end of its pipe."""

    def __init__(self) -> None:
        self.memory = SharedMemory()
        self.pipe = os.pipe()
        self.thinker = Thinker(self.memory, self.pipe[1])

    def heard(self) -> list[str]:
        return os.read(self.pipe[0], 65536).decode().splitlines()

    def close(self) -> None:
        self.memory.close()
        for end in self.pipe:
            os.close(end)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


def _request(position: str, game: str = "quarto") -> Request:
    return Request(3, game, (), "", ("a", "b"), 0, position, 1000, time.monotonic() + 60)


EMPTY = " / ".join(["* * * *"] * 4) + " next 3"


@pytest.mark.slow
def test_a_thinker_with_engines_says_that_it_is_ready_and_moves(desk: Desk) -> None:
    assert desk.thinker.prepare("depth=1", [Quarto(), Morris()])
    assert desk.heard()[-1] == "ready 0 "
    desk.thinker._answer(_request(EMPTY))
    word, number, move = desk.heard()[0].split(" ")
    assert (word, number) == ("move", "3")
    assert Quarto(first=3).start().play(Quarto().parse_move(move))
    desk.thinker._answer(_request(str(Morris().start()), "morris"))
    assert desk.heard()[0].startswith("move 3 ")


@pytest.mark.parametrize("engine", ["level=11", "kasparov", "", "depth=0", "level=3,time=1"])
def test_a_player_that_cannot_be_had_is_named(desk: Desk, engine: str) -> None:
    assert not desk.thinker.prepare(engine, [Quarto()])
    (line,) = desk.heard()
    assert line.startswith("unsuitable 0 ")


def test_an_engine_that_fails_is_no_end(desk: Desk) -> None:
    class Failing(Player):
        def choose(self, state: State[Any], rng: Random, within: float | None = None) -> Any:  # noqa: ARG002
            raise RuntimeError("out of\nluck")

    desk.thinker._players["quarto"] = Failing("failing")
    desk.thinker._answer(_request(EMPTY))
    desk.thinker._answer(_request("nonsense"))
    desk.thinker._answer(_request(EMPTY, "chess"))
    lines = desk.heard()
    assert lines[0] == "failed 3 RuntimeError: out of\\nluck"
    assert [line.split(":")[0] for line in lines[1:]] == [
        "failed 3 NotationError",
        "failed 3 UnknownGame",
    ]
