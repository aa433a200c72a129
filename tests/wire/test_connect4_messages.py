"""The messages of the Connect Four protocol, as they stand on the wire."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.wire.connect4.messages import (
    GAME_LIST,
    PARAMETERS,
    SYNONYMS,
    WHOLE_BOARD,
    GameMessage,
    ListedGame,
    MessageError,
    Status,
    Version,
    message,
    plain,
    read_message,
    write_message,
)

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
LISTED = (
    ListedGame(Status.OPEN, "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80),
    ListedGame(Status.SEALED, "Zoë", "Spiel 2", 7, 6, 0, "localhost", 8080),
)

# The first line is the document's own example; the others follow its tables, section by section.
GOLDEN: list[tuple[str, GameMessage]] = [
    (
        "register_game;martin;martin's game;7;6;4;198.78.202.118;80",
        message("register_game", "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80),
    ),
    (f"register_success;{GUID}", message("register_success", GUID)),
    ("register_failed;the name is taken", message("register_failed", "the name is taken")),
    ("request_game_list", message("request_game_list")),
    ("answer_game_list;0", message("answer_game_list", ())),
    (
        "answer_game_list;2;Open;martin;martin's game;7;6;4;198.78.202.118;80;"
        "Sealed;Zoë;Spiel 2;7;6;0;localhost;8080",
        message("answer_game_list", LISTED),
    ),
    (f"unregister_game;{GUID}", message("unregister_game", GUID)),
    ("unregister_game_failed;unknown", message("unregister_game_failed", "unknown")),
    ("unregister_game_success", message("unregister_game_success")),
    ("join_game;anna;martin's game;V2", message("join_game", "anna", "martin's game", Version.V2)),
    ("join_game_success;V1", message("join_game_success", Version.V1)),
    ("join_game_failed;full", message("join_game_failed", "full")),
    (f"seal_game;{GUID}", message("seal_game", GUID)),
    ("seal_game_success", message("seal_game_success")),
    ("seal_game_failed;unknown", message("seal_game_failed", "unknown")),
    ("start_game", message("start_game")),
    ("move;17", message("move", 17)),
    ("synchronize_game_board;4;0;0;1;1;2;2;3;0", message(WHOLE_BOARD, (0, 1, 2, 0))),
    ("updated_game_board;17;2", message("updated_game_board", 17, 2)),
    ("moved_failed;the column is full", message("moved_failed", "the column is full")),
    ("end_game;0", message("end_game", 0)),
    ("abort_game;time is over", message("abort_game", "time is over")),
    ("heartbeat", message("heartbeat")),
]


@pytest.mark.parametrize(("line", "said"), GOLDEN, ids=[line for line, _ in GOLDEN])
def test_the_documents_messages(line: str, said: GameMessage) -> None:
    assert read_message(line.encode()) == said
    assert write_message(said) == f"{line}\n".encode()
    assert str(said) == line


@pytest.mark.parametrize(
    ("synonym", "said"),
    [
        ("register_game_success", message("register_success", GUID)),
        ("register_game_failed", message("register_failed", "why")),
        ("update_game_board", message("updated_game_board", 1, 2)),
        ("move_failed", message("moved_failed", "why")),
    ],
)
def test_synonyms_are_understood_and_sent_when_asked_for(synonym: str, said: GameMessage) -> None:
    line = f"{synonym};{str(said).partition(';')[2]}"
    assert read_message(line.encode()) == said
    assert write_message(said, variant=True) == f"{line}\n".encode()
    assert write_message(said) != f"{line}\n".encode()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("move;3\r", message("move", 3)),
        ("request_game_list\r", message("request_game_list")),
        ("request_game_list;", message("request_game_list")),
        ("heartbeat;", message("heartbeat")),
        ("synchronize_game_board;3;2;1;0;0;1;2", message(WHOLE_BOARD, (0, 2, 1))),
    ],
)
def test_what_is_overlooked(line: str, said: GameMessage) -> None:
    """A carriage return, a semicolon that nothing follows, and the order of a board's fields."""
    assert read_message(line.encode()) == said


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("", "'' is no message"),
        ("Move;3", "'Move' is no message"),
        ("register_game;a;b;7;6;4;host", "register_game takes 7 parameters, 6 came"),
        ("register_game;a;b; 7;6;4;host;80", "width is ' 7', not a number without blanks"),
        ("register_game;a;b;7;6;-1;host;80", "depth is '-1'"),
        ("register_game;a;b;7;6;4;host;٣", "port is '٣'"),  # digits elsewhere, not here
        ("register_game;a;b;7;6;4;host;1234567890", "port is '1234567890'"),
        ("request_game_list;x", "request_game_list takes 0 parameters, 1 came"),
        ("move", "move takes 1 parameter, 0 came"),
        ("join_game;a;b;V3", "version is 'V3'"),
        ("answer_game_list", "number of games is ''"),
        ("answer_game_list;999999999", "take 7999999992 parameters, 0 came"),
        ("synchronize_game_board;2;0;0;0;1", "not each of 2 fields"),
        ("synchronize_game_board;2;0;0;1;3", "state is 0, 1 or 2"),
        ("update_game_board;1", "update_game_board takes 2 parameters, 1 came"),  # the word itself
        ("update_game_board;1;3", "update_game_board: state is 3, neither 0, 1 nor 2"),
    ],
)
def test_what_is_no_message_is_explained(line: str, problem: str) -> None:
    with pytest.raises(MessageError) as caught:
        read_message(line.encode())
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("Closed;a;b;7;6;4;host;80", "status is 'Closed', neither Open nor Sealed"),
        ("Open;a;b;7;6;x;host;80", "depth is 'x', not a number without blanks"),
    ],
)
def test_a_game_that_cannot_be_read_does_not_hide_the_others(row: str, problem: str) -> None:
    good = "Open;a;c;7;6;4;host;80"
    answer = read_message(f"answer_game_list;2;{row};{good}".encode())
    assert [(game.name, game.problem) for game in answer.values[0]] == [("b", problem), ("c", "")]


def test_an_explanation_is_short_however_long_the_line_was() -> None:
    for line in (b"x" * 100_000, b"\xff" * 100_000, b"move;" + b"9" * 100_000):
        with pytest.raises(MessageError) as caught:
            read_message(line)
        assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("name", ["a;b", "a\nb", "a\r", ";", "\n"])
def test_what_would_break_a_line_is_never_written(name: str) -> None:
    for said in (message("register_success", name), message("join_game", "a", name, Version.V1)):
        with pytest.raises(MessageError, match="semicolons or line breaks"):
            write_message(said)
    write_message(message("abort_game", plain(name)))


# anything


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=";\r\n"), max_size=9)
NUMBERS = st.integers(0, 999_999_999)
BOARDS = st.lists(st.integers(0, 2), max_size=9).map(tuple)
GAMES = st.builds(
    ListedGame,
    *(st.sampled_from(Status), TEXTS, TEXTS, NUMBERS, NUMBERS, NUMBERS, TEXTS, NUMBERS),
)
FEW: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("width", "height", "depth", "port", "field"), NUMBERS),
    **dict.fromkeys(("state", "outcome"), st.integers(0, 2)),
    "version": st.sampled_from(Version),
}


def messages_of(header: str) -> st.SearchStrategy[GameMessage]:
    values = [FEW.get(name, TEXTS) for name in PARAMETERS[header]]
    return st.builds(message, st.just(header), *values)


ANYTHING = st.one_of(
    *map(messages_of, PARAMETERS),
    BOARDS.map(lambda states: message(WHOLE_BOARD, states)),
    st.lists(GAMES, max_size=4).map(lambda games: message(GAME_LIST, tuple(games))),
)


@given(ANYTHING, st.booleans())
def test_what_is_written_is_read(said: GameMessage, variant: bool) -> None:
    line = write_message(said, variant=variant)
    assert line.count(b"\n") == 1
    assert read_message(line[:-1]) == said


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    try:
        said = read_message(data)
    except MessageError as error:
        assert str(error)
    else:
        assert said.header in {*PARAMETERS, *SYNONYMS, GAME_LIST, WHOLE_BOARD}
