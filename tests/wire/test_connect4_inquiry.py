"""The client's side of the index server."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.wire.connect4.index import NO_SUCH_GAME
from spielwerk.wire.connect4.inquiry import (
    IndexRefused,
    Inquiry,
    Lines,
    listing,
    registering,
    sealing,
    unregistering,
)
from spielwerk.wire.connect4.messages import (
    AnswerGameList,
    ListedGame,
    MessageError,
    RegisterGame,
    RegisterSuccess,
    SealGameSuccess,
    Status,
    UnregisterGameSuccess,
)
from spielwerk.wire.lines import LineTooLong
from tests.wire.indexing import Server, guid


def test_a_client_registers_lists_seals_and_unregisters() -> None:
    server = Server()
    game = RegisterGame("martin", "martin's game", 7, 6, 4, "198.78.202.118", 80)

    def answered(inquiry: Inquiry[Any]) -> Any:
        return inquiry.receive(server.reply(inquiry.data.removesuffix(b"\n")).line)

    key = answered(registering(game))
    assert key == RegisterSuccess(guid(1))
    listed = ListedGame(Status.OPEN, "martin", "martin's game", 7, 6, 4, "198.78.202.118", 80)
    assert answered(listing()) == AnswerGameList((listed,))
    with pytest.raises(IndexRefused, match="register_game: a game with the name"):
        answered(registering(game))
    assert answered(sealing(guid(1))) == SealGameSuccess()
    assert answered(unregistering(guid(1))) == UnregisterGameSuccess()
    for inquiry in (sealing(guid(1)), unregistering(guid(1))):
        with pytest.raises(IndexRefused, match=NO_SUCH_GAME):
            answered(inquiry)


def test_an_answer_may_come_in_pieces() -> None:
    inquiry = listing()
    answer = b"\nanswer_game_list;1;Open;a;b;7;6;0;host;80\nmore"
    for byte in answer[:-5]:
        assert inquiry.receive(bytes([byte])) is None
    games = inquiry.receive(answer[-5:])
    assert games is not None
    assert games.games[0].name == "b"
    assert inquiry.rest == b"more"


def test_the_variants_answers_are_understood() -> None:
    game = RegisterGame("martin", "martin's game", 7, 6, 4, "198.78.202.118", 80)
    answer = registering(game).receive(f"register_game_success;{guid(1)}\n".encode())
    assert isinstance(answer, RegisterSuccess)
    assert answer.guid == guid(1)
    with pytest.raises(IndexRefused, match="no room"):
        registering(game).receive(b"register_game_failed;no room\n")


@pytest.mark.parametrize(
    ("answer", "error", "problem"),
    [
        (b"error;no idea\n", IndexRefused, "says: no idea"),
        (b"hello\n", MessageError, "'hello' is no message"),
        (b"seal_game_success\n", MessageError, "answered request_game_list with 'seal_game_suc"),
        (b"answer_game_list;7\n", MessageError, "7 games take 56 parameters"),
        (b"\xff\n", MessageError, "is no UTF-8"),
        (b"x" * 200, MessageError, "longer than 100 bytes"),
        (b"register_failed;what?\n", IndexRefused, "what?"),
    ],
)
def test_what_is_no_answer(answer: bytes, error: type[Exception], problem: str) -> None:
    inquiry = Inquiry(listing().request, AnswerGameList, longest=100)
    with pytest.raises(error) as caught:
        inquiry.receive(answer)
    assert problem in str(caught.value)


def test_a_connection_that_ends_without_an_answer() -> None:
    inquiry = sealing(guid(1))
    with pytest.raises(MessageError, match="closed the connection without an answer to seal_game"):
        inquiry.end()
    inquiry.receive(b"seal_ga")
    with pytest.raises(MessageError, match="closed the connection after 'seal_ga' without"):
        inquiry.end()


@given(st.lists(st.binary(max_size=12)), st.integers(1, 8))
def test_lines_are_cut_as_they_should(pieces: list[bytes], limit: int) -> None:
    lines, taken = Lines(limit), []
    for piece in pieces:
        lines.feed(piece)
        while lines.ready:
            try:
                taken.append(lines.take())
            except LineTooLong:
                assert len(b"".join(pieces).split(b"\n")[len(taken)]) > limit
                return
        assert lines.take() is None
    *whole, rest = b"".join(pieces).split(b"\n")
    assert taken == whole
    assert lines.rest() == rest
    assert lines.waiting == len(rest)
