"""The bot's side of the dice protocol: every message, every contradiction, every score."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.errors import ProtocolError
from spielwerk.wire.dice import words
from spielwerk.wire.dice.client import (
    LINE,
    Asked,
    BotRefused,
    DiceClientSide,
    Event,
    Greeted,
    RaceEnded,
    RacePosition,
    ServerParted,
)

HELO = "HELO This is the SYSPROG dice game server (v0.1 [train mode]). Welcome player!"
WIN = "WIN You win, because you have reached 150 points or more first."
DEF = "DEF You lose, because another player has reached 150 points or more first."
PLAYERS = range(3)


class Bot:
    """A machine whose answers are given, or all the same."""

    def __init__(self, decisions: Iterable[str] = (), otherwise: str = "ROLL") -> None:
        self.machine = DiceClientSide()
        self.events: list[Event] = []
        self.said = b""
        self._decisions = iter(decisions)
        self._otherwise = otherwise

    def hear(self, *lines: str | bytes) -> str:
        """Take lines; what the bot answers."""
        before = len(self.said)
        for line in lines:
            self.take(line + b"\n" if isinstance(line, bytes) else f"{line}\n".encode())
        return self.said[before:].decode()

    def take(self, data: bytes) -> None:
        self.machine.receive(data)
        while event := self.machine.next_event():
            self.events.append(event)
            self.said += self._answer(event)

    def _answer(self, event: Event) -> bytes:
        match event:
            case Greeted():
                return self.machine.auth("dice1")
            case Asked():
                rolls = next(self._decisions, self._otherwise) == "ROLL"
                return self.machine.roll() if rolls else self.machine.save()
            case RaceEnded():
                return self.machine.bye()
        return b""

    @property
    def last(self) -> Event:
        return self.events[-1]

    @property
    def position(self) -> RacePosition:
        assert isinstance(self.last, Asked)
        return self.last.position

    @property
    def score(self) -> tuple[int, int, int]:
        return self.machine.score.told


def greeted(*decisions: str, otherwise: str = "ROLL") -> Bot:
    """A bot that has said its name."""
    bot = Bot(decisions, otherwise)
    assert bot.hear(HELO) == "AUTH dice1\n"
    return bot


def refused(bot: Bot, line: str | bytes) -> str:
    """What is said about a line that does not belong here; nothing works after it."""
    with pytest.raises(ProtocolError) as caught:
        bot.hear(line)
    assert bot.machine.finished
    bot.take(b"TURN 0\nBYE\n")
    assert bot.machine.next_event() is None
    return str(caught.value)


# the document's session


def told(session: list[tuple[int, str, str]], player: int, way: str) -> bytes:
    lines = (f"{line}\n" for who, sign, line in session if (who, sign) == (player, way))
    return "".join(lines).encode()


Lines = list[tuple[int, str, str]]


def turn(player: int, throws: list[str]) -> Lines:
    """A turn that begins with nothing saved, as the document notes it."""
    lines: Lines = []
    points = 0
    for throw in throws:
        lines += [(player, ">", f"TURN {points} Your turn!"), (player, "<", "ROLL")]
        for other in PLAYERS:
            thrown = f"THRW {words.identifier(player, other)} {throw} dice{player + 1}"
            lines.append((other, ">", thrown))
        first, second = map(int, throw.split())
        points += first + second
    return lines


def document_session() -> Lines:
    """The session of the document, its slips corrected, with something in place of [...]."""
    session: Lines = []
    for player in PLAYERS:
        session += [(player, ">", HELO), (player, "<", f"AUTH dice{player + 1}")]
    session += turn(2, ["4 5", "3 3"])
    session += turn(0, 12 * ["6 5"] + ["3 4", "2 4"])
    session += [(0, ">", "TURN 145 Your turn!"), (0, "<", "SAVE")]
    session += turn(1, 17 * ["5 6"] + ["2 6", "3 5"])
    session += [(1, ">", WIN), (2, ">", DEF), (0, ">", DEF)]
    session += [(1, "<", "BYE 203 0 145"), (2, "<", "BYE 0 145 203"), (0, "<", "BYE 145 203 0")]
    return session + [(player, ">", "BYE") for player in PLAYERS]


def session_bot(player: int) -> Bot:
    """A bot that decides as the session's player did, and has its name."""
    said = told(document_session(), player, "<").decode().splitlines()
    bot = Bot(line for line in said if line in ("ROLL", "SAVE"))
    machine, name = bot.machine, f"dice{player + 1}"
    machine.auth = lambda _, auth=machine.auth: auth(name)  # type: ignore[method-assign, misc]
    return bot


@pytest.mark.parametrize("player", PLAYERS)
def test_the_documents_session_byte_for_byte_however_it_is_cut(player: int) -> None:
    server, client = (told(document_session(), player, way) for way in "><")
    for cut in range(len(server) + 1):
        bot = session_bot(player)
        bot.take(server[:cut])
        bot.take(server[cut:])
        assert bot.said == client
        assert bot.last == ServerParted()


# every place, and what does not belong there

BEFORE: dict[str, list[str]] = {
    "HELO": [],
    "TURN or an opponent's THRW": [HELO],
    "TURN, an opponent's THRW or DEF": [HELO, "THRW 0 1 2 a"],
    "THRW 2": [HELO, "TURN 0"],
    "TURN or WIN": [HELO, "TURN 0", "THRW 2 1 2 me"],
    "BYE": [HELO, "THRW 0 1 2 a", DEF],
}
GOES_ON: dict[str, set[str]] = {
    "HELO": {"HELO"},
    "TURN or an opponent's THRW": {"TURN 0", "THRW 0 1 2 a", "THRW 1 1 2 b"},
    "TURN, an opponent's THRW or DEF": {"TURN 0", "THRW 0 1 2 a", "THRW 1 1 2 b", "DEF"},
    "THRW 2": {"THRW 2 1 2 me"},
    "TURN or WIN": {"TURN 3", "WIN"},
    "BYE": {"BYE"},
}
LINES = ["HELO", "TURN 0", "TURN 3", "THRW 0 1 2 a", "THRW 1 1 2 b", "THRW 2 1 2 me"]
LINES += ["WIN", "DEF", "BYE", "AUTH a", "ROLL", "SAVE", "", " ", "helo", "HELOO", "\x1b[2J"]
LINES += ["THRW 3 1 2 a", "THRW 0 0 2 a", "THRW 0 1 7 a", "THRW 0 1", "THRW", "TURN", "TURN x"]
LINES += ["TURN O Your turn!", "TURN -1", "TURN 3.0", "TURN ٣", " TURN 0", "ERROR", "TURN\t0"]


@pytest.mark.parametrize("place", BEFORE)
@pytest.mark.parametrize("line", LINES)
def test_every_line_in_every_place(place: str, line: str) -> None:
    bot = Bot()
    bot.hear(*BEFORE[place])
    assert bot.machine.expected == place
    if line in GOES_ON[place]:
        bot.hear(line)
        assert not bot.machine.finished or bot.last == ServerParted()
    else:
        problem = refused(bot, line)
        assert problem.startswith("expected ")
        assert repr(line.rstrip(" ")) in problem


@pytest.mark.parametrize("place", BEFORE)
@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("ERR", ""),
        ("ERR ", ""),
        ("ERR no more", "no more"),
        (b"ERR \xff\x1b", "\\xff\x1b"),
        ("ERR   x  y", "x  y"),
    ],
)
def test_an_error_is_understood_everywhere(place: str, line: str | bytes, text: str) -> None:
    bot = Bot()
    bot.hear(*BEFORE[place])
    assert bot.hear(line) == ""
    assert bot.last == BotRefused(text)
    assert bot.machine.finished


@pytest.mark.parametrize(
    ("line", "answer"), [(HELO, "AUTH"), ("TURN 0", "ROLL or SAVE"), (WIN, "BYE")]
)
def test_nothing_may_come_before_our_answer_but_an_error(line: str, answer: str) -> None:
    for following, wrong in (("TURN 0", True), ("ERR late", False)):
        bot = Bot()
        if line != HELO:
            bot.hear(HELO)
        if line == WIN:
            bot.hear("TURN 0", "THRW 2 1 2 me")
        bot.machine.receive(f"{line}\n{following}\n".encode())
        assert bot.machine.next_event()
        if wrong:
            with pytest.raises(ProtocolError, match=f"nothing before our {answer}"):
                bot.machine.next_event()
        else:
            assert bot.machine.next_event() == BotRefused("late")


def test_points_that_are_not_as_we_count() -> None:
    assert "expected TURN 0, as we count, got 'TURN 3'" in refused(greeted(), "TURN 3")
    bot = greeted()
    bot.hear("TURN 0", "THRW 2 4 5 me")
    assert "expected TURN 9, as we count" in refused(bot, "TURN 4")


@pytest.mark.parametrize(
    "throws",
    [
        ["THRW 0 1 1 a", "THRW 0 1 2 a"],  # his turn was over with the double
        ["THRW 0 1 1 a", "THRW 1 1 2 b", "THRW 0 1 2 a"],
        ["THRW 0 1 2 a", "THRW 1 1 2 b", "THRW 0 1 2 a"],  # ours lies between
        ["THRW 1 1 2 b", "THRW 0 3 3 a", "THRW 1 1 2 b"],
    ],
)
def test_a_second_turn_of_an_opponent_without_ours_between(throws: list[str]) -> None:
    bot = greeted()
    bot.hear(*throws[:-1])
    assert "whose turn is over" in refused(bot, throws[-1])


def test_nobody_wins_with_a_double_or_without_a_throw() -> None:
    bot = greeted()
    bot.hear("THRW 0 1 1 a")
    assert "expected TURN or an opponent's THRW" in refused(bot, DEF)
    assert "expected TURN or an opponent's THRW" in refused(greeted(), WIN)
    bot = greeted("ROLL", "SAVE")
    bot.hear("TURN 0", "THRW 2 1 2 me", "TURN 3")
    assert "expected TURN or an opponent's THRW" in refused(bot, DEF)


@pytest.mark.parametrize("verb", ["auth", "roll", "save", "bye"])
@pytest.mark.parametrize("place", BEFORE)
def test_a_verb_in_the_wrong_place_says_and_changes_nothing(verb: str, place: str) -> None:
    bot = Bot()
    bot.hear(*BEFORE[place])
    before = bot.score
    with pytest.raises(RuntimeError, match="where nothing is due"):
        bot.machine.auth("a") if verb == "auth" else getattr(bot.machine, verb)()
    assert bot.score == before
    assert bot.machine.expected == place


@pytest.mark.parametrize("name", ["", "a b", "ä", "a\n", "x" * 81])
def test_no_name_that_could_break_the_line(name: str) -> None:
    machine = DiceClientSide()
    machine.receive(b"HELO\n")
    assert machine.next_event() == Greeted()
    with pytest.raises(ValueError, match="no name"):
        machine.auth(name)


# free text, and the ends of lines

FREE = ["", " ", " x", "  two  blanks  ", " ROLL", " 7 8 9", " \xe4\u202e", " \x1b]0;x\x07", " \t"]


@pytest.mark.parametrize("text", FREE)
def test_free_text_can_be_anything_or_missing(text: str) -> None:
    bot = greeted("ROLL", "SAVE")
    bot.hear(f"TURN 0{text}", f"THRW 2 4 5{text}", f"TURN 9{text}", f"THRW 1 1 2{text}")
    assert bot.hear(f"DEF{text}") == "BYE 9 0 3\n"
    bot.hear(f"BYE{text}")
    assert bot.last == ServerParted()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\0", "\0\n", " \n", "\n\0\0\0"])
def test_ends_of_lines_as_programs_in_c_write_them(end: str) -> None:
    bot = Bot(["ROLL", "SAVE"])
    lines = ["HELO", "TURN 0", "THRW 2 1 2", "TURN 3", "THRW 0 4 5 a", "DEF", "BYE"]
    bot.take("".join(line + end for line in lines).encode())
    assert bot.last == ServerParted()
    assert bot.said == b"AUTH dice1\nROLL\nSAVE\nBYE 3 9 0\n"


def test_several_blanks_separate_like_one() -> None:
    bot = greeted()
    bot.hear("THRW  0   4 5  a", "TURN   0  x")
    assert bot.position == RacePosition(0, 9, 0, 0)


def test_lines_longer_than_the_document_allows_up_to_a_limit() -> None:
    bot = greeted()
    bot.hear("TURN 0".ljust(LINE, "x").replace("x", " x", 1)[:LINE])
    assert isinstance(bot.last, Asked)
    problem = refused(greeted(), "TURN 0 " + LINE * "x")
    assert f"a line of more than {LINE} bytes" in problem


# whatever comes

some_lines = st.sampled_from(
    [*LINES, "THRW 0 6 6 a", "THRW 1 6 6 a", "THRW 2 6 6 a", "TURN 6", "ERR x", "THRW 2 1 2"]
)


@given(lines=st.lists(some_lines, max_size=60), decisions=st.lists(st.booleans(), max_size=60))
def test_any_lines_in_any_order(lines: list[str], decisions: list[bool]) -> None:
    bot = Bot("ROLL" if roll else "SAVE" for roll in decisions)
    with contextlib.suppress(ProtocolError):
        bot.hear(*lines)
    said = bot.said.decode().splitlines()
    assert said[:1] in ([], ["AUTH dice1"])
    assert all(line in ("ROLL", "SAVE") for line in said[1:-1])
    assert min(bot.score) >= 0
