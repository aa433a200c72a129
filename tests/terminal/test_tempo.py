"""How fast games are shown: the Oware task, sections 3.8 and 3.9, with a clock of our own."""

from __future__ import annotations

import io
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from rich.console import Console

from spielwerk.engines.players import Player
from spielwerk.games import Game
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.record import Record
from spielwerk.terminal.session import PAUSE, SHOW, KeyboardSession, Tempo, usual_tempo
from tests.terminal.clockwork import Clockwork, Thinker
from tests.terminal.keyboard import Keyboard

LAST_MOVE = "13 21 1 0 0 0 0 4 2 2 2 2 0 1"  # A.8: A collects from four houses and wins


def screen(
    *lines: str,
    players: Mapping[int, Player] | None = None,
    tempo: Tempo,
    start: str = LAST_MOVE,
) -> str:
    keyboard = Keyboard(*lines)
    record = Record((Oware().parse_state(start),))
    KeyboardSession(keyboard, record, players or {}, Random(0), tempo).run()
    return keyboard.shown


# 3.9


@pytest.mark.parametrize(
    ("show", "thinking", "waited"),
    [(2.0, 0.5, [1.5]), (2.0, 2.0, []), (2.0, 9.0, []), (0.0, 0.5, [])],
)
def test_a_position_is_shown_for_its_time_and_thinking_counts(
    show: float, thinking: float, waited: list[float]
) -> None:
    """In the document 2 seconds are wanted and 0.5 needed: it waits 1.5 more."""
    work = Clockwork()
    screen(
        players={0: Thinker(work, thinking)},
        tempo=work.tempo(show),
        start="23 23 0 0 0 0 0 1 1 0 0 0 0 0",
    )
    assert work.slept == waited


def test_a_persons_move_is_carried_out_at_once() -> None:
    work = Clockwork()
    screen("5", tempo=work.tempo(show=5.0))
    assert work.slept == []


def test_between_two_computers_every_position_is_shown() -> None:
    work = Clockwork()
    both = dict.fromkeys((0, 1), Thinker(work, 0.0))
    start = "23 23 1 0 0 0 0 0 1 0 0 0 0 0"  # A.10: twelve moves until it repeats
    shown = screen(players=both, tempo=work.tempo(1.0), start=start)
    assert work.slept == [1.0] * 12
    assert shown.count("┌────┬") == 13
    assert shown.count(" thinks ...") == 12
    assert "Game over: draw (24:24): E-3" in shown
    quick = screen(players=both, tempo=work.tempo(every=False), start=start)
    assert quick.count("┌────┬") == 1


# 3.8


def test_a_move_is_shown_step_by_step() -> None:
    """Choose, take out, four houses sown, four collected."""
    work = Clockwork()
    shown = screen("5", tempo=work.tempo(pause=0.1))
    assert work.slept == [0.1] * (1 + 1 + 4 + 4)
    captions = [line.split(" A ")[1] for line in shown.splitlines() if line.startswith(" ● A ")]
    assert captions == [
        "chooses house 5",
        "takes out 4",
        "sows into B0, 3 in hand",
        "sows into B1, 2 in hand",
        "sows into B2, 1 in hand",
        "sows into B3, 0 in hand",
        "collects 3 from B3",
        "collects 3 from B2",
        "collects 3 from B1",
        "collects 3 from B0",
    ]
    stores = [line.split("A")[-1].strip() for line in shown.splitlines() if "│ ● A" in line]
    assert stores == ["13"] * 7 + ["16", "19", "22", "25", "25"]


def test_without_a_pause_only_the_result_is_shown() -> None:
    work = Clockwork()
    shown = screen("5", tempo=work.tempo())
    assert work.slept == []
    assert "sows" not in shown
    assert shown.count("┌────┬") == 2


@pytest.mark.parametrize("line", ["4", "6", "x"])
def test_a_move_that_is_not_legal_is_never_begun(line: str) -> None:
    work = Clockwork()
    shown = screen(line, tempo=work.tempo(pause=0.1))
    assert work.slept == []
    assert "chooses" not in shown


def test_on_a_terminal_the_steps_are_drawn_in_place() -> None:
    """The cursor goes up before each picture, and the last one is wiped away."""
    work = Clockwork()
    file = io.StringIO()
    terminal = Console(file=file, force_terminal=True, width=80, height=25, color_system=None)
    record = Record((Oware().parse_state(LAST_MOVE),))
    session = KeyboardSession(terminal, record, {}, Random(0), work.tempo(pause=0.1))
    session._play("5")
    shown = file.getvalue()
    assert work.slept == [0.1] * 10
    assert shown.count("chooses house 5") == 1
    assert shown.count("\x1b[1A") >= 9 * 7
    assert "\x1b[?25h" in shown


def test_a_terminal_that_can_only_write_gets_the_steps_below_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    file = io.StringIO()
    terminal = Console(file=file, force_terminal=True, width=80, color_system=None)
    work = Clockwork()
    record = Record((Oware().parse_state(LAST_MOVE),))
    KeyboardSession(terminal, record, {}, Random(0), work.tempo(pause=0.1))._play("5")
    assert "\x1b[1A" not in file.getvalue()
    assert file.getvalue().count("collects") == 4


# the usual


@pytest.mark.parametrize(
    ("game", "terminal", "show", "pause", "expected"),
    [
        (Oware(), True, None, None, (SHOW, PAUSE, True)),
        (Oware(), True, 0.0, 0.0, (0.0, 0.0, True)),
        (Oware(), True, 2.5, None, (2.5, PAUSE, True)),
        (Oware(), False, None, None, (0.0, 0.0, False)),
        (Oware(), False, 0.0, 0.5, (0.0, 0.5, True)),
        (Oware(), False, 0.5, None, (0.5, 0.0, True)),
        (Morris(), True, None, None, (SHOW, PAUSE, True)),
        (Dice(), True, None, None, (0.0, 0.0, False)),
        (Dice(), True, 1.0, None, (1.0, 0.0, True)),
    ],
)
def test_people_get_a_pleasant_tempo_and_pipes_none(
    game: Game[Any],
    terminal: bool,
    show: float | None,
    pause: float | None,
    expected: tuple[float, float, bool],
) -> None:
    console = Console(file=io.StringIO(), force_terminal=terminal)
    tempo = usual_tempo(console, game, show, pause)
    assert (tempo.show, tempo.pause, tempo.every) == expected
    assert SHOW > PAUSE > 0
