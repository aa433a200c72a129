"""The messages of the Connect Four protocol, as they stand on the wire."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.wire.connect4.messages import (
    MESSAGES,
    SYNONYMS,
    AbortGame,
    AnswerGameList,
    EndGame,
    GameMessage,
    Heartbeat,
    JoinGame,
    JoinGameFailed,
    JoinGameSuccess,
    ListedGame,
    MessageError,
    Move,
    MovedFailed,
    RegisterFailed,
    RegisterGame,
    RegisterSuccess,
    RequestGameList,
    SealGame,
    SealGameFailed,
    SealGameSuccess,
    StartGame,
    Status,
    SynchronizeGameBoard,
    UnregisterGame,
    UnregisterGameFailed,
    UnregisterGameSuccess,
    UpdatedGameBoard,
    Version,
    plain,
    read_message,
    write_message,
)

GUID = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
MARTINS = RegisterGame("martin", "martin's game", 7, 6, 4, "198.78.202.118", 80)
LISTED = (
    ListedGame(Status.OPEN, "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80),
    ListedGame(Status.SEALED, "Zoë", "Spiel 2", 7, 6, 0, "localhost", 8080),
)

# The first line is the document's own example; the others follow its tables, section by section.
GOLDEN: list[tuple[str, GameMessage]] = [
    ("register_game;martin;martin's game;7;6;4;198.78.202.118;80", MARTINS),
    (f"register_success;{GUID}", RegisterSuccess(GUID)),
    ("register_failed;the name is taken", RegisterFailed("the name is taken")),
    ("request_game_list", RequestGameList()),
    ("answer_game_list;0", AnswerGameList(())),
    (
        "answer_game_list;2;Open;martin;martin's game;7;6;4;198.78.202.118;80;"
        "Sealed;Zoë;Spiel 2;7;6;0;localhost;8080",
        AnswerGameList(LISTED),
    ),
    (f"unregister_game;{GUID}", UnregisterGame(GUID)),
    ("unregister_game_failed;unknown", UnregisterGameFailed("unknown")),
    ("unregister_game_success", UnregisterGameSuccess()),
    ("join_game;anna;martin's game;V2", JoinGame("anna", "martin's game", Version.V2)),
    ("join_game_success;V1", JoinGameSuccess(Version.V1)),
    ("join_game_failed;full", JoinGameFailed("full")),
    (f"seal_game;{GUID}", SealGame(GUID)),
    ("seal_game_success", SealGameSuccess()),
    ("seal_game_failed;unknown", SealGameFailed("unknown")),
    ("start_game", StartGame()),
    ("move;17", Move(17)),
    ("synchronize_game_board;4;0;0;1;1;2;2;3;0", SynchronizeGameBoard((0, 1, 2, 0))),
    ("updated_game_board;17;2", UpdatedGameBoard(17, 2)),
    ("moved_failed;the column is full", MovedFailed("the column is full")),
    ("end_game;0", EndGame(0)),
    ("abort_game;time is over", AbortGame("time is over")),
    ("heartbeat", Heartbeat()),
]


@pytest.mark.parametrize(("line", "message"), GOLDEN, ids=[line for line, _ in GOLDEN])
def test_the_documents_messages(line: str, message: GameMessage) -> None:
    read = read_message(line.encode())
    assert isinstance(read, type(message))
    assert str(read) == line
    assert write_message(message) == f"{line}\n".encode()
    assert str(message) == line


@pytest.mark.parametrize(
    ("synonym", "message"),
    [
        ("register_game_success", RegisterSuccess(GUID)),
        ("register_game_failed", RegisterFailed("why")),
        ("update_game_board", UpdatedGameBoard(1, 2)),
        ("move_failed", MovedFailed("why")),
    ],
)
def test_synonyms_are_understood_and_sent_when_asked_for(
    synonym: str, message: GameMessage
) -> None:
    _, _, parameters = str(message).partition(";")
    line = f"{synonym};{parameters}"
    read = read_message(line.encode())
    assert isinstance(read, type(message))
    assert str(read) == line
    assert write_message(message, variant=True) == f"{line}\n".encode()
    assert write_message(message) != f"{line}\n".encode()
    assert synonym in SYNONYMS


def test_a_carriage_return_before_the_newline_is_overlooked() -> None:
    assert read_message(b"move;3\r") == Move(3)
    assert read_message(b"request_game_list\r") == RequestGameList()


def test_a_semicolon_after_a_message_without_parameters_is_overlooked() -> None:
    assert read_message(b"request_game_list;") == RequestGameList()
    assert read_message(b"heartbeat;") == Heartbeat()


def test_the_fields_of_a_board_may_come_in_any_order() -> None:
    line = b"synchronize_game_board;3;2;1;0;0;1;2"
    assert read_message(line) == SynchronizeGameBoard((0, 2, 1))


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
    assert isinstance(answer, AnswerGameList)
    assert [(game.name, game.problem) for game in answer.games] == [("b", problem), ("c", "")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("update_game_board;1", "update_game_board takes 2 parameters, 1 came"),
        ("update_game_board;1;3", "update_game_board: state is 3, neither 0, 1 nor 2"),
    ],
)
def test_errors_name_the_word_that_came(line: str, problem: str) -> None:
    with pytest.raises(MessageError, match=f"^{problem}$"):
        read_message(line.encode())


def test_an_explanation_is_short_however_long_the_line_was() -> None:
    for line in (b"x" * 100_000, b"\xff" * 100_000, b"move;" + b"9" * 100_000):
        with pytest.raises(MessageError) as caught:
            read_message(line)
        assert len(str(caught.value)) < 2000


@pytest.mark.parametrize("name", ["a;b", "a\nb", "a\r", ";", "\n"])
def test_what_would_break_a_line_is_never_written(name: str) -> None:
    for message in (RegisterGame("martin", name, 7, 6, 4, "host", 80), AbortGame(name)):
        with pytest.raises(MessageError, match="semicolons or line breaks"):
            write_message(message)
    write_message(AbortGame(plain(name)))


# anything


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=";\r\n"), max_size=9)
NUMBERS = st.integers(0, 999_999_999)
STATES = st.lists(st.integers(0, 2), max_size=9).map(tuple)
LISTS = st.lists(
    st.builds(
        ListedGame,
        st.sampled_from(Status),
        TEXTS,
        TEXTS,
        NUMBERS,
        NUMBERS,
        NUMBERS,
        TEXTS,
        NUMBERS,
    ),
    max_size=4,
).map(tuple)
KINDS: dict[Any, st.SearchStrategy[Any]] = {
    int: NUMBERS,
    str: TEXTS,
    Version: st.sampled_from(Version),
    tuple[int, ...]: STATES,
    tuple[ListedGame, ...]: LISTS,
}


def messages_of(kind: type[Any]) -> st.SearchStrategy[GameMessage]:
    hints = get_type_hints(kind)
    few = {"state": st.integers(0, 2), "outcome": st.integers(0, 2)}
    values = [few.get(field.name, KINDS[hints[field.name]]) for field in fields(kind)]
    return st.builds(kind, *values)


ANYTHING = st.one_of([messages_of(kind) for kind in MESSAGES.values()])


@given(ANYTHING, st.booleans())
def test_what_is_written_is_read(message: GameMessage, variant: bool) -> None:
    line = write_message(message, variant=variant)
    assert line.count(b"\n") == 1
    read = read_message(line[:-1])
    assert isinstance(read, type(message))
    assert read.parameters() == message.parameters()
    assert str(read) == line[:-1].decode()


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_an_error(data: bytes) -> None:
    try:
        message = read_message(data)
    except MessageError as error:
        assert str(error)
    else:
        assert message.header in {*MESSAGES, *SYNONYMS}
