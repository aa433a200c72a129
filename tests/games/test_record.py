from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.errors import NotationError
from spielwerk.games import Game
from spielwerk.games.oware.rules import Oware
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.games.record import HEADER, Record, read_game
from tests.games.variants import VARIANTS

TEXT = """\
Spielwerk game, version 1
game: quarto
option: n=4
option: begins=0

chance: 7
0: A1,3
1: B2,12
"""


def test_a_record_as_the_documentation_shows_it() -> None:
    record = Record.from_text(TEXT)
    assert str(record.state) == "* * * * / * * * * / * 3 * * / 7 * * * next 12"
    assert record.to_text() == TEXT
    assert record.game == Quarto()
    assert len(record.moves) == 3


def test_comments_blank_lines_and_windows_line_ends_are_fine() -> None:
    text = TEXT.replace("\n", "\r\n").replace("chance", "# first the draw\r\n\r\nchance")
    assert Record.from_text(text) == Record.from_text(TEXT)


def test_a_game_that_started_elsewhere_says_so() -> None:
    start = Oware().parse_state("0 0 1 2 12 1 4 4 4 4 6 0 6 4")
    record = Record((start,)).play(2)
    assert "start: 0 0 1 2 12 1 4 4 4 4 6 0 6 4" in record.to_text().splitlines()
    assert Record.from_text(record.to_text()) == record


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        (HEADER, "Spielwerk game, version 2", "the first line must be"),
        ("game: quarto", "game: chess", "line 6: 'chess' is no game"),
        ("game: quarto\n", "", "there is no line game: NAME"),
        (
            "game: quarto",
            "game: quarto\ngame: quarto",
            "line 3: 'game: quarto' is no line: there can",
        ),
        ("option: n=4", "option: n=17", "line 6: 'n=17': must be from 2 to 16"),
        ("option: n=4", "option: n", "line 6: 'n' is no choice of an option: expected NAME=VALUE"),
        ("option: n=4", "n=4", "line 3: 'n=4' is no line: expected a word, a colon and a value"),
        ("chance: 7", "0: 7", "line 6: '0: 7' is no move: it is chance's decision"),
        ("0: A1,3", "1: A1,3", "line 7: '1: A1,3' is no move: it is 0's decision"),
        ("0: A1,3", "0: A9,3", "line 7: 'A9,3' is no Quarto move"),
        ("1: B2,12", "1: A1,12", "line 8: A1,12: Destination is already occupied"),
        ("1: B2,12", "1: B2,12\nstart: x", "line 9: 'start: x' is no line: it must stand before"),
        ("\nchance", "start: x\nchance", "line 6: 'x' is no Quarto position"),
    ],
)
def test_a_line_that_is_wrong_is_quoted_with_its_number(
    line: str, instead: str, message: str
) -> None:
    with pytest.raises(NotationError) as caught:
        Record.from_text(TEXT.replace(line, instead))
    assert message in str(caught.value)
    assert repr(caught.value.text) in str(caught.value)


@given(text=st.one_of(st.text(), st.text().map(lambda text: TEXT + text)))
def test_any_text_is_a_record_or_refused(text: str) -> None:
    try:
        Record.from_text(text)
    except NotationError as error:
        assert error.text in text or error.text == HEADER


@given(cut=st.integers(0, len(TEXT)), end=st.integers(0, 5), new=st.text(max_size=3))
def test_a_damaged_record_is_a_record_or_refused(cut: int, end: int, new: str) -> None:
    text = TEXT[:cut] + new + TEXT[cut + end :]
    try:
        Record.from_text(text)
    except NotationError as error:
        assert error.text in text or error.text == HEADER


# the forms in which pages export games


def some_game(game: Game[Any]) -> Record:
    rng, record = random.Random(4), Record((game.start(),))
    while not record.state.outcome:
        record = record.play(random_move(record.state, rng))
    return record


def exported(record: Record) -> str:
    """What a page gives as `record.json`, as far as it matters."""
    pairs = zip(record.states, record.moves, strict=False)
    moves = [{"seat": state.turn, "move": record.game.format_move(move)} for state, move in pairs]
    head = {"game": record.game.name, "options": record.game.assignments(), "start": ""}
    return json.dumps({**head, "moves": moves})


@pytest.mark.parametrize("game", VARIANTS, ids=repr)
def test_every_export_is_read_back(game: Game[Any]) -> None:
    record = some_game(game)
    pairs = zip(record.states, record.moves, strict=False)
    written = game.written((state.turn, game.format_move(move)) for state, move in pairs)
    for text in (record.to_text(), exported(record), "\r\n".join(written)):
        assert read_game(text, game) == record
    with pytest.raises(NotationError):
        read_game(exported(record)[:-9], game)


def test_what_is_no_export_is_refused_with_its_line() -> None:
    for text, why in (
        ("0> TURN 0 0 0", "record.json has games of every kind"),
        ("{}", "expected a record.json of ours: KeyError"),
        ("[" * 100_000, "record.json has"),
        ('{"a":' * 100_000, "RecursionError"),
        (TEXT, "'game: quarto' is no game of oware: another game"),
        (
            TEXT.replace("version 1", "version 2"),
            "version 2' .* must be 'Spielwerk game, version 1'",
        ),
    ):
        with pytest.raises(NotationError, match=why):
            read_game(text, Oware())
