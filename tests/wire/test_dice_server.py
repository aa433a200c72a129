"""The server's side of the dice protocol: every message, every violation, every limit."""

from __future__ import annotations

import pytest

from spielwerk.wire.dice import words
from spielwerk.wire.dice.server import (
    NEVER,
    BotBreach,
    BotFault,
    BotParted,
    Decided,
    DiceLimits,
    DiceServerSide,
    Message,
    Named,
)
from spielwerk.wire.dice.words import Mode

START = 100.0
PLACES = ["AUTH", "ROLL or SAVE", "BYE"]
RIGHT: dict[str, tuple[str, Message]] = {
    "AUTH": ("AUTH dice1", Named("dice1")),
    "ROLL or SAVE": ("ROLL", Decided("ROLL", START)),
    "BYE": ("BYE 203 0 145", BotParted("203 0 145")),
}


class Conversation:
    """A machine and what it has said."""

    def __init__(self, place: str = "AUTH") -> None:
        self.machine = DiceServerSide(Mode.TRAIN, DiceLimits(), START)
        self.now = START
        self.said: list[str] = []
        if place != "AUTH":
            assert self.hear("AUTH dice1") == Named("dice1")
        if place == "BYE":
            self.machine.ended(words.won(150), self.now)
        elif place != "AUTH":
            self.machine.turn(0, self.now)
        self.listen()

    def listen(self) -> list[str]:
        new = self.machine.segment().decode().splitlines()
        self.said += new
        return new

    def hear(self, line: str | bytes) -> Message | None:
        data = line if isinstance(line, bytes) else f"{line}\n".encode()
        self.machine.receive(data, self.now)
        message = self.machine.next_message(self.now)
        self.listen()
        return message


def told(message: Message | None) -> str:
    """What the culprit of a violation is told."""
    assert isinstance(message, BotBreach)
    return message.violation.to_culprit


def test_the_documents_wording() -> None:
    talk = Conversation()
    assert talk.said == [
        "HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!"
    ]
    assert words.greeting(Mode.CONTEST).endswith("(v0.1 [contest mode]). Welcome player!")
    assert talk.hear("AUTH dice3") == Named("dice3")
    talk.machine.turn(0, talk.now)
    assert talk.listen() == ["TURN 0 Your turn!"]
    assert talk.hear("ROLL") == Decided("ROLL", START)
    talk.machine.threw(2, "4 5", "dice3")
    talk.machine.turn(9, talk.now)
    assert talk.listen() == ["THRW 2 4 5 dice3", "TURN 9 Your turn!"]
    assert talk.hear("SAVE") == Decided("SAVE", START)
    talk.machine.ended(words.lost(150), talk.now)
    assert talk.listen() == [
        "DEF You lose, because another player has reached 150 points or more first."
    ]
    assert words.won(150) == "WIN You win, because you have reached 150 points or more first."
    assert talk.hear("BYE 0 145 203") == BotParted("0 145 203")
    talk.machine.bye()
    assert talk.listen() == ["BYE"]
    assert talk.machine.closing


def test_identifiers_as_decided() -> None:
    """For player p, 0 is the next in the order of play and 1 the one after; oneself is 2."""
    assert [words.identifier(player, 1) for player in (0, 1, 2)] == [1, 2, 0]
    assert [words.identifier(player, 0) for player in (0, 1, 2)] == [2, 0, 1]
    assert [words.identifier(player, 2) for player in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b" \n", b"\0\n", b"\n\0"])
def test_ends_of_lines(place: str, end: bytes) -> None:
    line, message = RIGHT[place]
    talk = Conversation(place)
    assert talk.hear(line.encode() + end) == message


@pytest.mark.parametrize("name", ["", "x" * 81, "a b", "ä", "a-b", "a_b", " a", "\x1b[2J"])
def test_names_that_are_none(name: str) -> None:
    text = told(Conversation().hear(f"AUTH {name}"))
    assert text.endswith("is no name: 1 to 80 letters or digits.")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", ["HELLO", "", "roll", "AUTHx", "ROLL 1", "QUIT"])
def test_messages_that_have_no_place(place: str, line: str) -> None:
    talk = Conversation(place)
    assert told(talk.hear(line)) == f"Expected {place}, got '{line}'."


@pytest.mark.parametrize("place", PLACES)
def test_a_line_longer_than_100_characters(place: str) -> None:
    for length in (100, 101):
        talk = Conversation(place)
        long = told(talk.hear("x" * length)) == "Your line is longer than 100 characters."
        assert long is (length > 100)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("seconds", "fine"), [(1.999, True), (2.0, True), (2.0005, False)])
def test_an_answer_is_due_within_two_seconds(place: str, seconds: float, fine: bool) -> None:
    talk = Conversation(place)
    talk.now = START + seconds
    message = talk.hear(RIGHT[place][0])
    if fine:
        assert not isinstance(message, BotBreach)
    else:
        assert isinstance(message, BotBreach)
        assert message.fault is BotFault.LATE
        assert told(message) == f"Your answer is too late: {place} was due within 2 s."


@pytest.mark.parametrize("place", PLACES)
def test_silence(place: str) -> None:
    talk = Conversation(place)
    talk.now = START + 2
    assert talk.machine.next_message(talk.now) is None
    talk.now = talk.machine.due
    assert START + 2 < talk.now < START + 2.01
    assert isinstance(talk.machine.next_message(talk.now), BotBreach)


def test_who_is_not_asked_may_be_silent_for_ever() -> None:
    talk = Conversation()
    talk.hear("AUTH dice1")
    assert talk.machine.due == NEVER
    assert talk.machine.next_message(START + 10**6) is None


def test_what_comes_early_waits_until_it_is_asked_for() -> None:
    talk = Conversation()
    talk.hear("AUTH dice1")
    assert talk.hear("ROLL") is None
    assert not talk.machine.silent
    talk.machine.turn(0, START + 60)
    assert talk.machine.next_message(START + 60) == Decided("ROLL", START)
    assert talk.machine.silent


def test_but_not_without_end() -> None:
    talk = Conversation()
    talk.hear("AUTH dice1")
    assert talk.hear(b"ROLL\n" * 800) is None
    assert "nobody asked for" in told(talk.hear(b"ROLL\n" * 100))


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("203 0 145", (203, 0, 145)),
        ("0 0 0", (0, 0, 0)),
        ("1 2", None),
        ("1 2 3 4", None),
        ("1 2 x", None),
        ("-1 2 3", None),
        ("", None),
        ("1  2 3", None),
        ("999999 0 0", None),
        ("\u0661 2 3", None),
    ],
)
def test_points(text: str, points: tuple[int, int, int] | None) -> None:
    assert words.read_points(text) == points


VIOLATIONS = [
    words.too_late(words.DECISION, 2),
    words.unexpected(words.DECISION, "x" * 200),
    words.unexpected(words.AUTH, "\x1b[31m\n\0ä"),
    words.bad_name("y" * 100),
    words.too_long(100),
    words.too_much(4096),
    words.wrong_points("9" * 90, (10_000, 10_000, 10_000)),
]


@pytest.mark.parametrize("violation", VIOLATIONS)
def test_no_message_of_ours_is_longer_than_100_characters(violation: words.Violation) -> None:
    for text in (violation.to_culprit, words.not_you("n" * 80, violation.to_others)):
        message = words.error(text)
        assert len(message) < words.LONGEST
        assert message.isascii()
        assert message.isprintable()


def test_after_the_last_message_nothing_is_read() -> None:
    talk = Conversation()
    talk.machine.error("enough")
    assert talk.listen() == ["ERR enough"]
    assert talk.hear("AUTH dice1") is None
    assert talk.machine.due == NEVER
