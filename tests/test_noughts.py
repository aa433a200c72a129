"""A game of another package can be played everywhere: noughts and crosses, in `tests/noughts`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest

from spielwerk.cli import main
from spielwerk.games import find_game, kits
from spielwerk.games.playing import random_move
from spielwerk.games.record import Record
from spielwerk.store.records import Reason
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.terminal.session import KeyboardSession
from spielwerk.web.views import view
from spielwerk.wire.mnm.words import board_for, reader_for
from tests.check.mnm.honest import HonestClient, verdicts
from tests.check.planting import told
from tests.simulation import Bot, Peer, World
from tests.terminal.keyboard import Keyboard

FOLDER = Path(__file__).parent / "noughts"
SPIELWERK = Path(sys.executable).with_name("spielwerk")


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package is on the path, of other processes as well."""
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setenv("PYTHONPATH", str(FOLDER))
    kits.cache_clear()
    yield
    kits.cache_clear()


def test_the_entry_point_makes_the_game_known() -> None:
    assert list(kits())[-1] == "noughts"
    assert find_game("noughts").title == "Noughts and Crosses"


def test_it_is_played_at_the_keyboard_and_hints_are_random() -> None:
    keyboard = Keyboard("5", "1", "9", "3", "hint", "2", "4", "x")
    session = KeyboardSession(keyboard, Record((find_game("noughts")().start(),)), {}, Random(1))
    session.run()
    assert " O X O\n 4 X 6\n 7 8 X" in keyboard.shown
    assert "Hint: " in keyboard.shown
    assert "'x' is no move: expected the number of a square, 1 to 9" in keyboard.shown


def test_pages_get_its_view() -> None:
    state = find_game("noughts")().parse_state("X.......O")
    assert view(state, 8) == {
        "turn": 0,
        "legal": ["2", "3", "4", "5", "6", "7", "8"],
        "board": {"squares": "X.......O", "last": 8},
        "outcome": None,
    }


def _random(rng: Random, table: Table) -> str:
    return table.game.format_move(random_move(table.state, rng))


def test_programs_play_it_on_the_game_server() -> None:
    world = World()
    table = world.table(NewTable("noughts"))
    bots = [Bot(Peer(world), table, partial(_random, Random(seat))) for seat in (0, 1)]
    world.run(60)
    assert table.result is not None
    assert table.result.reason in (Reason.WIN, Reason.DRAW)
    assert "+ PLAYING Noughts" in bots[0].peer.lines
    assert bots[0].peer.lines[-1] == "+ QUIT"


def test_its_clients_are_checked_though_it_prepares_no_position() -> None:
    judged = verdicts(HonestClient, ["time", "game", "end"], "noughts")
    assert told(judged) == []
    assert "game/second-seat" in judged


def test_clients_read_its_positions() -> None:
    game = find_game("noughts")()
    state = game.start().play(4)
    reader = reader_for("Noughts", 1)
    assert reader is not None
    assert reader.asked(board_for(game).asked(state)) == state


def test_a_match_counts_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    main(["match", "noughts", "random", "random", "--games", "4"])
    assert "4 games" in capsys.readouterr().out


CONTEST = """
name = "Break"
game = "noughts"
rounds = 1

[[entrant]]
engine = "random"
name = "Ada"

[[entrant]]
engine = "random"
name = "Bob"
"""


@pytest.mark.slow
def test_a_contest_of_random_players_comes_to_its_end(tmp_path: Path) -> None:
    (tmp_path / "break.toml").write_text(CONTEST)
    command = [str(SPIELWERK), "contest", "run", "break.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Ada" in done.stdout
