from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from spielwerk.engines.players import Fault, Player, PlayerFailed, RandomPlayer
from spielwerk.games import NOBODY, Game, State
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto
from spielwerk.games.record import Record
from spielwerk.terminal.session import KeyboardSession
from tests.games.variants import VARIANTS, name_of
from tests.terminal.keyboard import Keyboard


def session(
    game: Game[Any],
    *lines: str,
    people: tuple[int, ...] = (0, 1, 2),
    then: type[BaseException] = EOFError,
) -> tuple[Record, str]:
    """The record and the screen after these lines were typed."""
    keyboard = Keyboard(*lines, then=then)
    others = {seat for seat in range(game.players) if seat not in people}
    players = dict.fromkeys(others, RandomPlayer("random"))
    talk = KeyboardSession(keyboard, Record((game.start(),)), players, Random(5))
    talk.run()
    return talk.record, keyboard.shown


def test_two_people_play_at_one_keyboard() -> None:
    record, _ = session(Quarto(first=3), "A1,5", "B2,7")
    assert list(record.lines()) == ["0: A1,5", "1: B2,7"]


def test_people_may_type_small_letters() -> None:
    assert list(session(Morris(), "a1", "b2")[0].lines()) == ["0: A1", "1: B2"]
    assert list(session(Dice(), "save")[0].lines()) == ["0: SAVE"]


def test_a_turn_can_be_typed_at_once() -> None:
    record, screen = session(Morris(), "A0", "B0", "A1", "B4", "A2;B0")
    assert [line.split()[-1] for line in record.lines()][-2:] == ["A2", "B0"]
    assert "Black 7 in hand, 1 lost" in screen


def test_a_wrong_move_says_which_rule_it_breaks_and_nothing_is_played() -> None:
    record, screen = session(Oware(), "4", "0", "4", "nonsense")
    assert "4: The house is empty" in screen
    assert "'nonsense' is no Oware move: expected the number of a house, 0 to 5" in screen
    assert list(record.lines()) == ["0: 4", "1: 0"]


def test_a_wrong_turn_plays_none_of_its_decisions() -> None:
    record, screen = session(Morris(), "A0;B0")
    assert "B0: The turn is over, this decision is left over" in screen
    assert record.moves == ()


def test_a_question_mark_lists_the_legal_moves() -> None:
    assert "0  1  2  3  4  5" in session(Oware(), "?")[1]
    assert "... 4032 in all" in session(Quarto(n=8, first=0), "?")[1]


def test_undo_takes_back_the_last_decision_of_a_person() -> None:
    record, screen = session(Quarto(first=3), "A1,5", "B2,7", "undo")
    assert list(record.lines()) == ["0: A1,5"]
    assert "There is nothing to take back." not in screen
    record, screen = session(Quarto(first=3), "A1,5", "undo", "undo")
    assert record.moves == ()
    assert "There is nothing to take back." in screen


def test_after_the_end_one_can_still_undo() -> None:
    start = Oware().parse_state("13 21 1 0 0 0 0 4 2 2 2 2 0 1")
    keyboard = Keyboard("5", "?", "5", "undo")
    talk = KeyboardSession(keyboard, Record((start,)), {}, Random(0))
    talk.run()
    assert "Game over: A wins (26:22): E-1" in keyboard.shown
    assert "none, the game is over" in keyboard.shown
    assert "5: The game is over" in keyboard.shown
    assert talk.record.state == start


def test_save_writes_the_game_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "my game.txt"
    record, screen = session(Quarto(first=3), "A1,5", f"save {path}")
    assert Record.from_text(path.read_text()) == record
    assert "Saved: " in screen


def test_save_without_a_file_or_to_an_impossible_place_leaves_the_game_going(
    tmp_path: Path,
) -> None:
    places = [str(tmp_path / "no" / "folder"), "\0", "~nobody-of-that-name/game", str(tmp_path)]
    record, screen = session(Oware(), "save", *(f"save {place}" for place in places), "4")
    assert "name a file: save FILE" in screen
    assert screen.count("cannot write") == 3
    assert "is not a saved game and will not be overwritten" in screen
    assert list(record.lines()) == ["0: 4"]


def test_help_shows_the_board_and_the_commands() -> None:
    screen = session(Oware(), "help")[1]
    assert "take your last decision back" in screen
    assert screen.count("┌────┬") == 2


@pytest.mark.parametrize("leaving", [EOFError, KeyboardInterrupt])
def test_ctrl_c_and_ctrl_d_leave_cleanly(leaving: type[BaseException]) -> None:
    assert session(Oware(), "4", then=leaving)[1].endswith("Bye.\n")


@pytest.mark.parametrize("word", ["quit", "exit", "q", "QUIT"])
def test_quit_leaves_and_empty_lines_do_nothing(word: str) -> None:
    record, screen = session(Oware(), "", "  ", word, "4")
    assert record.moves == ()
    assert screen.endswith("Bye.\n")


def test_a_terminal_that_is_too_narrow_is_told() -> None:
    keyboard = Keyboard("4", width=30)
    KeyboardSession(keyboard, Record((Oware().start(),)), {}, Random(0)).run()
    assert "The board needs 47 columns," in keyboard.shown
    assert "        ┌────┬────┬────┬────┬─\n" in keyboard.shown


@pytest.mark.parametrize("game", VARIANTS, ids=name_of)
def test_against_random_players_every_game_comes_to_its_end(game: Game[Any]) -> None:
    """No player is a person: the random player and chance play it out."""
    record, screen = session(game, people=())
    assert record.state.turn == NOBODY
    assert "Game over: " in screen


@pytest.mark.parametrize("line", ["\0", "A1\x1b[31m,5", "[red]A1[/red]", "ß", "٣", "a" * 5000])
def test_hostile_input_is_quoted_not_obeyed(line: str) -> None:
    _, screen = session(Quarto(first=3), line)
    assert "\x1b" not in screen
    assert "is no Quarto move" in screen


# hints


class Adviser(Player):
    """Always for the last legal move; keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__("adviser")
        self.asked: list[Record] = []

    def choose(
        self,
        state: State[Any],
        rng: Random,  # noqa: ARG002
        within: float | None = None,  # noqa: ARG002
    ) -> Any:
        return state.legal_moves()[-1]

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
        self.asked.append(record)
        return super().decide(record, rng, within)


def hinted(game: Game[Any], *lines: str, hint: Player | None = None) -> tuple[Record, str]:
    keyboard = Keyboard(*lines)
    talk = KeyboardSession(keyboard, Record((game.start(),)), {}, Random(5), hint=hint)
    talk.run()
    return talk.record, keyboard.shown


def test_a_hint_marks_the_house_and_plays_nothing() -> None:
    record, screen = hinted(Oware(), "hint", hint=Adviser())
    assert record.moves == ()
    assert "Hint: 5\n" in screen
    assert "│  4 │  4 │  4 │  4 │  4 │[ 4]│ ● A  0 " in screen


def test_every_game_has_hints() -> None:
    assert "Hint: C7\n" in hinted(Morris(), "hint", hint=Adviser())[1]
    assert "Hint: " in hinted(Dice(), "hint")[1]


# players that fail


class Failing(Adviser):
    """Plays so many moves, and then no more."""

    def __init__(self, moves: int) -> None:
        super().__init__()
        self.left = moves

    def decide(self, record: Record, rng: Random, within: float | None = None) -> Any:
        self.left -= 1
        if self.left < 0:
            raise PlayerFailed(Fault.LOST, "cannot connect to host:7889: gone")
        return super().decide(record, rng, within)


def broken(*lines: str, seat: int = 1, moves: int = 1) -> tuple[KeyboardSession, str]:
    keyboard = Keyboard(*lines)
    players = {seat: Failing(moves)}
    talk = KeyboardSession(keyboard, Record((Oware().start(),)), players, Random(0))
    talk.run()
    return talk, keyboard.shown


def test_a_player_that_fails_ends_the_game_with_its_error() -> None:
    talk, screen = broken("0", "1")
    assert str(talk.failure) == "cannot connect to host:7889: gone"
    assert "The game was aborted: cannot connect to host:7889: gone.\n" in screen
    assert "undo, save or quit> " in screen
    assert len(talk.record.moves) == 3


def test_undo_takes_up_a_broken_game_where_a_person_decided() -> None:
    talk, screen = broken("0", "1", "undo", "?")
    assert talk.failure is None
    assert len(talk.record.moves) == 2
    assert screen.endswith("● A> \nBye.\n")


def test_players_know_the_game_so_far() -> None:
    adviser = Adviser()
    keyboard = Keyboard("0", "1")
    talk = KeyboardSession(keyboard, Record((Oware().start(),)), {1: adviser}, Random(0))
    talk.run()
    assert [record.moves for record in adviser.asked] == [(0,), (0, 5, 1)]
    assert adviser.asked[-1].states[0] == Oware().start()


# who sits where
