"""The server's side of the game protocol: every phase, every refusal, every limit."""

from __future__ import annotations

import pytest

from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.server import (
    GAP,
    NEVER,
    Choose,
    ClientBreach,
    ClientFault,
    Join,
    Message,
    MnmServerSide,
    Pace,
    Play,
    Timing,
    Waited,
)

GAME = "mqKgzIfxb5Y"
START = 100.0
OTHER = "We implement protocol version 1.0"
UNLIKE = "Client Version does not match server Version"


class Conversation:
    """A machine, the time, and what was said so far."""

    def __init__(self, dialect: int = 1, pace: Pace = Pace.BLOCK) -> None:
        self.now = START
        self.machine = MnmServerSide(words.DIALECTS[dialect], pace, Timing(), self.now)
        self.said: list[str] = []
        self.listen()

    def listen(self) -> list[str]:
        new = b"".join(self.machine.segments(self.now)).decode().splitlines()
        self.said += new
        return new

    def hear(self, line: str | bytes) -> Message | None:
        data = line if isinstance(line, bytes) else f"{line}\n".encode()
        self.machine.receive(data, self.now)
        message = self.take()
        self.listen()
        return message

    def take(self) -> Message | None:
        """The next message; what is wrong is answered as a server does it."""
        message = self.machine.next_message(self.now)
        if isinstance(message, ClientBreach):
            self.machine.refuse(message.text, self.now)
        return message

    def reach(self, place: str) -> Conversation:
        """Go on to where this word is expected."""
        self.now += 0.5
        if place == words.VERSION:
            return self
        assert self.hear("VERSION 1.0") is None
        if place == words.ID:
            return self
        assert self.hear(f"ID {GAME}") == Join(GAME)
        self.machine.playing("Quarto", "A game", self.now)
        self.listen()
        if place == words.PLAYER:
            return self
        assert self.hear("PLAYER") == Choose(None)
        self.machine.seated((0, "Player 1"), [(1, "Player 2", False)], self.now)
        if place == words.OKWAIT:
            self.machine.wait(self.now)
        else:
            self.machine.move(3000, ["NEXT 3", "FIELD"], self.now)
        self.listen()
        if place == words.PLAY:
            assert self.hear("THINKING") is None
        return self


PLACES = [words.VERSION, words.ID, words.PLAYER, words.OKWAIT, words.THINKING, words.PLAY]
RIGHT = {
    words.VERSION: "VERSION 1.42",
    words.ID: f"ID {GAME}",
    words.PLAYER: "PLAYER 1",
    words.OKWAIT: "OKWAIT",
    words.THINKING: "THINKING",
    words.PLAY: "PLAY B4,3",
}
MEANT: dict[str, Message | None] = {
    words.VERSION: None,
    words.ID: Join(GAME),
    words.PLAYER: Choose(1),
    words.OKWAIT: Waited(),
    words.THINKING: None,
}


def test_the_prolog_as_recorded() -> None:
    talk = Conversation()
    assert talk.said == ["+ MNM Gameserver v1.0 accepting connections"]
    assert talk.hear("VERSION 1.42") is None
    assert talk.said[1:] == ["+ Client version accepted - please send Game-ID to join"]
    assert talk.hear("ID mqKgzIfxb5Y") == Join("mqKgzIfxb5Y")
    talk.machine.playing("NMMorris", "le_game2", talk.now)
    assert talk.listen() == ["+ PLAYING NMMorris", "+ le_game2"]
    assert talk.hear("PLAYER") == Choose(None)
    talk.machine.seated((0, "Player 1"), [(1, "Player 2", False)], talk.now)
    talk.machine.move(3000, ["CAPTURE 0", "PIECELIST 2,9"], talk.now)
    assert talk.listen() == [
        "+ YOU 0 Player 1",
        "+ TOTAL 2",
        "+ 1 Player 2 0",
        "+ ENDPLAYERS",
        "+ MOVE 3000",
        "+ CAPTURE 0",
        "+ PIECELIST 2,9",
    ]
    assert talk.hear("THINKING") is None
    assert talk.said[-1] == "+ OKTHINK"
    assert talk.hear("PLAY A1") == Play("A1", START)
    talk.machine.move_ok(talk.now)
    talk.machine.wait(talk.now)
    assert talk.listen() == ["+ MOVEOK"]
    talk.now += GAP
    assert talk.listen() == ["+ WAIT"]
    assert talk.hear("OKWAIT") == Waited()
    assert talk.machine.idle


@pytest.mark.parametrize("line", ["1", "1.0", "1.42", "1.x", "1."])
def test_versions_accepted(line: str) -> None:
    talk = Conversation()
    assert talk.hear(f"VERSION {line}") is None
    assert not talk.machine.closing


@pytest.mark.parametrize(
    ("dialect", "line", "refusal"),
    [
        *((1, f"VERSION {version}", OTHER) for version in ("v1.1", "2.1", "", "11", "x")),
        *((dialect, "VERSION 1.0", UNLIKE) for dialect in (2, 3)),
    ],
)
def test_versions_refused(dialect: int, line: str, refusal: str) -> None:
    talk = Conversation(dialect)
    assert talk.hear(line) == ClientBreach(ClientFault.PROTOCOL, refusal)
    assert talk.said[-1] == f"- {refusal}"
    assert talk.machine.finished
    assert Conversation(dialect).hear(f"VERSION {dialect}.9") is None


def test_the_banners() -> None:
    assert Conversation(2).said == ["+ MNM Gameserver v2.3 accepting connections"]
    assert Conversation(3).said == [
        "+ MNM Gameserver v3.1 accepting connections",
        "+ Already happy with your AI?",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "ID",
        "ID mqKgzIfxb5",
        "ID mqKgzIfxb5YY",
        "ID mqKgzIfxb5!",
        "ID mqKgz Ifxb5",
        "ID ümqKgzIfxb5",
    ],
)
def test_malformed_ids(line: str) -> None:
    talk = Conversation().reach(words.ID)
    assert isinstance(talk.hear(line), ClientBreach)
    assert talk.said[-1] == "- Not a valid game ID"


@pytest.mark.parametrize(
    ("line", "seat"),
    [("PLAYER", None), ("PLAYER ", None), ("PLAYER 0", 0), ("PLAYER 1 ", 1), ("PLAYER 17", 17)],
)
def test_seats_that_can_be_asked_for(line: str, seat: int | None) -> None:
    assert Conversation().reach(words.PLAYER).hear(line) == Choose(seat)


@pytest.mark.parametrize(
    "line", ["PLAYER x", "PLAYER -1", "PLAYER 0 1", "PLAYER ²", f"PLAYER {'9' * 500}"]
)
def test_seats_that_cannot(line: str) -> None:
    talk = Conversation().reach(words.PLAYER)
    assert isinstance(talk.hear(line), ClientBreach)
    assert talk.said[-1] == "- No free computer player found for that game - exiting"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" \n", b"\0\n", b"\n\0", b" \0\r\n\0\0\0"])
def test_ends_of_lines_that_real_clients_send(place: str, end: bytes) -> None:
    talk = Conversation().reach(place)
    message = talk.hear(RIGHT[place].encode() + end)
    assert message == MEANT.get(place, Play("B4,3", talk.now))
    assert not talk.machine.closing
    if place == words.VERSION:
        assert talk.hear(f"ID {GAME}") == Join(GAME)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "line", ["HELLO", "", "version 1.0", "GET / HTTP/1.1", "\xff\xfe", "OK WAIT"]
)
def test_words_that_are_not_the_protocols(place: str, line: str) -> None:
    talk = Conversation().reach(place)
    refusal = "- Protocol mismatch - you probably didn't want to talk to the fabulous gameserver"
    assert isinstance(talk.hear(line), ClientBreach)
    assert talk.said[-1] == refusal


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("word", PLACES)
def test_words_in_the_wrong_place(place: str, word: str) -> None:
    talk = Conversation().reach(place)
    message = talk.hear(RIGHT[word])
    if word == place:
        assert not isinstance(message, ClientBreach)
    else:
        expected = f"- Did not get the expected {place} command"
        assert isinstance(message, ClientBreach)
        assert talk.said[-1] == ("- We expected you to THINK!" if place == "THINKING" else expected)
        assert talk.machine.finished


@pytest.mark.parametrize("place", PLACES)
def test_a_line_of_1024_bytes_is_read_and_a_longer_one_is_not(place: str) -> None:
    mismatch = words.MISMATCH
    for length, text in ((1024, None), (1025, mismatch)):
        talk = Conversation().reach(place)
        message = talk.hear(b"PLAYER " + b"9" * (length - 7) + b"\n")
        assert isinstance(message, ClientBreach)
        assert (message.text == mismatch) is (text == mismatch)


LIMITS = {
    words.VERSION: (30.0, "- TIMEOUT No VERSION within 30 s"),
    words.ID: (30.0, "- TIMEOUT No ID within 30 s"),
    words.PLAYER: (30.0, "- TIMEOUT No PLAYER within 30 s"),
    words.OKWAIT: (5.0, "- TIMEOUT No OKWAIT within 5 s"),
    words.THINKING: (1.0, "- TIMEOUT No THINKING within 1 s"),
    words.PLAY: (3.1, "- TIMEOUT Be faster next time"),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_answer_after_its_limit_is_refused(place: str) -> None:
    limit, text = LIMITS[place]
    talk = Conversation().reach(place)
    begun = talk.now if place != words.VERSION else START
    talk.now = begun + limit + 0.0005
    assert isinstance(talk.hear(RIGHT[place]), ClientBreach)
    assert talk.said[-1] == text


@pytest.mark.parametrize("place", PLACES)
def test_silence_is_noticed_when_the_limit_has_passed(place: str) -> None:
    limit, text = LIMITS[place]
    talk = Conversation().reach(place)
    begun = talk.now if place != words.VERSION else START
    assert begun + limit < talk.machine.due <= begun + limit + 0.01
    talk.now = begun + limit
    assert talk.machine.next_message(talk.now) is None
    talk.now = talk.machine.due
    fault = ClientFault.SLOW_MOVE if place == words.PLAY else ClientFault.SLOW_ANSWER
    assert talk.take() == ClientBreach(fault, text.removeprefix("- "))
    assert talk.listen() == [text]
    assert talk.machine.finished
    assert talk.machine.due == NEVER


def test_the_move_is_late_by_its_arrival_not_by_when_it_is_read() -> None:
    talk = Conversation().reach(words.PLAY)
    arrived = talk.now + 3.05
    talk.machine.receive(b"PLAY B4,3\n", arrived)
    assert talk.machine.next_message(arrived + 10) == Play("B4,3", arrived)


def test_thinking_counts_from_the_field_and_the_move_from_the_move_line() -> None:
    talk = Conversation(pace=Pace.FIRST_THEN_REST).reach(words.PLAYER)
    talk.now += GAP
    talk.listen()
    assert talk.hear("PLAYER") == Choose(None)
    talk.machine.wait(talk.now)
    talk.listen()
    assert talk.hear("OKWAIT") == Waited()
    talk.now += 1
    asked = talk.machine.move(1000, ["FIELD"], talk.now)
    assert asked == talk.now
    talk.now += GAP
    talk.listen()
    assert talk.machine.due == pytest.approx(asked + GAP + 1.0, abs=0.01)
    talk.now += 0.9
    assert talk.hear("THINKING") is None
    assert talk.machine.due == pytest.approx(asked + 1.1, abs=0.01)


def test_a_short_time_to_move_ends_before_the_time_to_think() -> None:
    talk = Conversation()
    talk.machine.seated((0, "A"), [], talk.now)
    talk.machine.move(100, ["FIELD"], talk.now)
    talk.listen()
    talk.now += 0.21
    assert talk.machine.next_message(talk.now) == ClientBreach(
        ClientFault.SLOW_MOVE, words.TOO_SLOW
    )


def test_lines_wait_until_the_block_before_them_is_written() -> None:
    talk = Conversation(3, Pace.FIRST_THEN_REST)
    talk.machine.receive(f"VERSION 3\nID {GAME}\n".encode(), talk.now)
    assert talk.machine.next_message(talk.now) is None
    assert talk.said == ["+ MNM Gameserver v3.1 accepting connections"]
    talk.now = talk.machine.due
    assert talk.now == START + GAP
    assert talk.listen() == ["+ Already happy with your AI?"]
    talk.machine.next_message(talk.now)
    assert talk.listen() == ["+ Client version accepted - please send Game-ID to join"]
    assert talk.machine.next_message(talk.now) == Join(GAME)


def test_what_is_not_asked_for_waits_but_not_without_end() -> None:
    talk = Conversation()
    talk.machine.seated((0, "A"), [], talk.now)
    talk.machine._expect(None)
    talk.machine.receive(b"OKWAIT\n" * 9000, talk.now)
    assert talk.machine.next_message(talk.now) is None or talk.machine.idle
    talk.listen()
    assert talk.machine.next_message(talk.now) is None
    talk.machine.receive(b"OKWAIT\n" * 1000, talk.now)
    refused = ClientBreach(ClientFault.PROTOCOL, words.MISMATCH, words.TOO_MUCH)
    assert talk.machine.next_message(talk.now) == refused


FIELD = ["FIELD 2,2", "2 0 *", "1 * *", "ENDFIELD"]
NAMES = ["Player 1", "Uli"]


@pytest.mark.parametrize(
    ("dialect", "winner", "first", "last"),
    [
        (1, 1, "+ GAMEOVER 1 Uli", []),
        (1, None, "+ GAMEOVER", []),
        (2, 0, "+ GAMEOVER", ["+ PLAYER0WON Yes", "+ PLAYER1WON No"]),
        (3, 1, "+ GAMEOVER", ["+ PLAYER0WON No", "+ PLAYER1WON Yes"]),
        (2, None, "+ GAMEOVER", ["+ PLAYER0WON Yes", "+ PLAYER1WON Yes"]),
    ],
)
def test_the_end(dialect: int, winner: int | None, first: str, last: list[str]) -> None:
    talk = Conversation(dialect)
    talk.machine.game_over(winner, NAMES, FIELD, talk.now)
    assert talk.listen() == [first, *[f"+ {line}" for line in FIELD], *last, "+ QUIT"]
    assert talk.machine.finished
    assert talk.hear("anything") is None
    assert talk.listen() == []


def test_a_refusal_does_not_wait_for_the_gap() -> None:
    talk = Conversation(pace=Pace.FIRST_THEN_REST)
    talk.machine.seated((0, "A"), [(1, "B", True)], talk.now)
    talk.machine.refuse("bye", talk.now)
    assert talk.listen() == ["+ YOU 0 A", "+ TOTAL 2", "+ 1 B 1", "+ ENDPLAYERS", "- bye"]
    assert talk.machine.finished
