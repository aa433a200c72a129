"""The client's state machine: recorded sessions, the real server's machine, hostile servers."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.errors import ProtocolError, quote
from spielwerk.games import CHANCE, Game
from spielwerk.games.morris.rules import Morris
from spielwerk.games.playing import random_move
from spielwerk.games.quarto.rules import Quarto
from spielwerk.wire.mnm import words
from spielwerk.wire.mnm.client import (
    LINE,
    Banner,
    Cue,
    Event,
    GameOver,
    MnmClientSide,
    MoveAsked,
    Other,
    Playing,
    SeatTaken,
    ServerRefused,
)
from spielwerk.wire.mnm.server import (
    Choose,
    ClientBreach,
    Join,
    MnmServerSide,
    Pace,
    Play,
    Timing,
    Waited,
)
from spielwerk.wire.mnm.words import board_for, game_kinds

ID = "mqKgzIfxb5Y"


class Player:
    """An obedient client: answers every event with the verb that is due."""

    def __init__(self, seat: int | None = None, turns: list[str] | None = None) -> None:
        self.side = MnmClientSide()
        self.seat = seat
        self.turns = turns
        self.rng = Random(7)
        self.events: list[Event] = []
        self.said = b""
        self.state: Any = None

    def hear(self, data: bytes, now: float = 0.0) -> bytes:
        """What the client answers to these bytes."""
        self.side.receive(data, now)
        before = len(self.said)
        while event := self.side.next_event():
            self.events.append(event)
            self.said += self._answer(event)
        return self.said[before:]

    def _answer(self, event: Event) -> bytes:
        match event:
            case Banner():
                return self.side.version()
            case Cue.ACCEPTED:
                return self.side.join(ID)
            case Playing():
                return self.side.choose(self.seat)
            case Cue.WAIT:
                return self.side.ok_wait()
            case MoveAsked():
                self.state = event.position
                return self.side.thinking()
            case Cue.THINK:
                return self.side.play(self._turn())
            case _:
                return b""

    def _turn(self) -> str:
        """The next turn of the script, or any with all its decisions."""
        if self.turns is not None:
            return self.turns.pop(0)
        me, moves = self.state.turn, []
        while self.state.turn == me:
            move = random_move(self.state, self.rng)
            moves.append(self.state.game.format_move(move))
            self.state = self.state.play(move)
        return ";".join(moves)


def session(text: str) -> tuple[list[str], list[str]]:
    """The server's and the client's lines of a recorded session."""
    lines = text.strip().splitlines()
    server = [line for line in lines if line[0] in "+-"]
    return server, [line for line in lines if line[0] not in "+-"]


PIECES = "\n".join(
    [
        "+ PIECELIST 2,9",
        *(f"+ PIECE{player}.{number} A" for player in (0, 1) for number in range(9)),
        "+ ENDPIECELIST",
    ]
)
PIECES_PLACED = PIECES.replace("PIECE0.0 A", "PIECE0.0 A1")

MORRIS_SESSION = session(f"""
+ MNM Gameserver v1.0 accepting connections
VERSION 1.0
+ Client version accepted - please send Game-ID to join
ID mqKgzIfxb5Y
+ PLAYING NMMorris
+ le_game2
PLAYER
+ YOU 0 Player 1
+ TOTAL 2
+ 1 Player 2 0
+ ENDPLAYERS
+ WAIT
OKWAIT
+ MOVE 3000
+ CAPTURE 0
{PIECES}
THINKING
+ OKTHINK
PLAY A1
+ MOVEOK
+ WAIT
OKWAIT
+ GAMEOVER
+ CAPTURE 0
{PIECES_PLACED}
+ QUIT
""")

QUARTO_SESSION = session("""
+ MNM Gameserver v3.1 accepting connections
VERSION 3.0
+ Already happy with your AI?
+ Client version accepted - please send Game-ID to join
ID mqKgzIfxb5Y
+ PLAYING Quarto
+ Ein Spiel mit Namen
PLAYER 1
+ YOU 1 Die Gruppe 1
+ TOTAL 2
+ 0 Uli und Ute 1
+ ENDPLAYERS
+ MOVE 3000
+ NEXT 3
+ FIELD 4,4
+ 4 * * 15 *
+ 3 * * * *
+ 2 * * * *
+ 1 * * * *
+ ENDFIELD
THINKING
+ OKTHINK
PLAY A2,5
+ MOVEOK
+ GAMEOVER
+ FIELD 4,4
+ 4 * * 15 *
+ 3 * * * *
+ 2 3 * * *
+ 1 * * * *
+ ENDFIELD
+ PLAYER0WON No
+ PLAYER1WON Yes
+ QUIT
""")


def replay(server: list[str], client: list[str], cut: int) -> Player:
    """Say the server's blocks, each in two parts cut there; check what is answered to each line."""
    turns = [line.removeprefix("PLAY ") for line in client if line.startswith("PLAY ")]
    player = Player(1 if "PLAYER 1" in client else None, turns)
    data = "".join(f"{line}\n" for line in server).encode()
    # The dialogue is strictly in turns: a line that wants an answer is the last of its segment.
    for number, line in enumerate(data.splitlines(keepends=True)):
        at = cut % (len(line) + 1)
        player.hear(line[:at], float(number))
        player.hear(line[at:], float(number))
    return player


@pytest.mark.parametrize(("server", "client"), [MORRIS_SESSION, QUARTO_SESSION])
def test_a_session_cut_at_every_byte_gives_the_same_answers(
    server: list[str], client: list[str]
) -> None:
    first = replay(server, client, 0)
    assert first.said.decode().splitlines() == client
    for cut in range(1, max(map(len, server)) + 2):
        player = replay(server, client, cut)
        assert (player.said, player.events) == (first.said, first.events)


def test_what_the_events_of_the_sessions_say() -> None:
    events = replay(*MORRIS_SESSION, 0).events
    assert events[:4] == [
        Banner("1.0", 1),
        Cue.ACCEPTED,
        Playing("NMMorris", "le_game2"),
        SeatTaken(0, "Player 1", (Other(1, "Player 2", ready=False),)),
    ]
    number = MORRIS_SESSION[0].index("+ MOVE 3000")
    assert events[4:7] == [Cue.WAIT, MoveAsked(3000, Morris().start(), float(number)), Cue.THINK]
    assert events[7:9] == [Cue.MOVED, Cue.WAIT]
    assert events[9].winner is None  # type: ignore[union-attr]
    assert events[10:] == [Cue.QUIT]

    events = replay(*QUARTO_SESSION, 0).events
    assert events[0] == Banner("3.1", 3)
    assert events[3] == SeatTaken(1, "Die Gruppe 1", (Other(0, "Uli und Ute", ready=True),))
    asked = events[4]
    assert isinstance(asked, MoveAsked)
    assert (asked.position.turn, str(asked.position)) == (
        1,
        "* * 15 * / * * * * / * * * * / * * * * next 3",
    )
    over = events[-2]
    assert isinstance(over, GameOver)
    assert over.winner == 1
    assert str(over.position) == "* * 15 * / * * * * / 3 * * * / * * * * next -"


# against the server's own machine


class Referee:
    """Two clients and the server's machines, in memory, with a clock that jumps."""

    def __init__(self, game: Game[Any], dialect: int, pace: Pace) -> None:
        self.game = game
        self.now = 0.0
        self.state = game.start()
        while self.state.turn == CHANCE:
            self.state = self.state.play(random_move(self.state, Random(3)))
        self.board = board_for(game)
        side = words.DIALECTS[dialect]
        self.servers = [MnmServerSide(side, pace, Timing(), self.now) for _ in range(2)]
        self.players = [Player(0), Player(1)]
        self.waited = [False, False]

    def run(self) -> None:
        for _ in range(100_000):
            if all(server.finished for server in self.servers):
                return
            for seat in (0, 1):
                self._exchange(seat)
                self._go_on(seat)
            self.now += 0.01
        raise AssertionError("the game does not end")

    def _exchange(self, seat: int) -> None:
        server, player = self.servers[seat], self.players[seat]
        for segment in server.segments(self.now):
            server.receive(player.hear(segment, self.now), self.now)
        match server.next_message(self.now):
            case Join(game):
                assert game == ID
                server.playing(game_kinds()[self.game.name], "a  game", self.now)
            case Choose(wanted):
                assert wanted == seat
                others = [(1 - seat, f"the  other {seat} 1", seat == 1)]
                server.seated((seat, " me"), others, self.now)
            case Waited():
                self.waited[seat] = True
            case Play(turn):
                for move in self.game.parse_turn(turn):
                    self.board.played(self.state, move)
                    self.state = self.state.play(move)
                server.move_ok(self.now)
            case ClientBreach() as broken:
                raise AssertionError(broken)

    def _go_on(self, seat: int) -> None:
        server = self.servers[seat]
        if not server.idle:
            return
        outcome = self.state.outcome
        if outcome:
            names = ["first 0", "second"]
            last = self.board.ended(self.state, server.dialect)
            server.game_over(outcome.winner, names, last, self.now)
        elif self.state.turn == seat and self.waited[seat]:
            self.waited[seat] = False
            server.move(3000, self.board.asked(self.state), self.now)
        else:
            server.wait(self.now)


@pytest.mark.parametrize(("dialect", "pace"), [*zip((1, 2, 3), Pace, strict=True)])
@pytest.mark.parametrize("game", [Quarto(), Quarto(n=2), Morris()], ids=str)
def test_whole_games_with_the_servers_own_machine(
    game: Game[Any], dialect: int, pace: Pace
) -> None:
    referee = Referee(game, dialect, pace)
    referee.run()
    outcome = referee.state.outcome
    assert outcome is not None
    for seat, player in enumerate(referee.players):
        *_, over, goodbye = player.events
        assert isinstance(over, GameOver)
        assert over.winner == outcome.winner
        assert goodbye == Cue.QUIT
        seated = player.events[3]
        name = f"the  other {seat} 1"
        assert seated == SeatTaken(seat, " me", (Other(1 - seat, name, seat == 1),))


# what a server must not do

BANNER = "+ MNM Gameserver v1.0 accepting connections"
ACCEPTED = "+ Client version accepted - please send Game-ID to join"
SEATED = [BANNER, ACCEPTED, "+ PLAYING Quarto", "+ g", "+ YOU 0 a", "+ TOTAL 2", "+ 1 b 0"]
SEATED += ["+ ENDPLAYERS"]
ASKED = [*SEATED, "+ MOVE 3000", "+ NEXT 3", "+ FIELD 2,2", "+ 2 * *", "+ 1 * *", "+ ENDFIELD"]
OVER = ["+ FIELD 2,2", "+ 2 * *", "+ 1 * *", "+ ENDFIELD"]


POSITION = "a position of Quarto"


def hear(lines: list[str]) -> Player:
    player = Player(turns=["A1,0"])
    for line in lines:
        player.hear(f"{line}\n".encode())
    return player


@pytest.mark.parametrize(
    ("before", "line", "expected"),
    [
        ([], "HTTP/1.1 400 Bad Request", "begins with + or -"),
        ([], "+MNM Gameserver v1.0 accepting connections", "begins with + or -"),
        ([], "+ MNM Gameserver vX accepting connections", "MNM Gameserver v<version>"),
        ([], "+ MNM Gameserver v99999.0 accepting connections", "MNM Gameserver v<version>"),
        ([BANNER], BANNER, "Client version accepted"),
        ([BANNER, f"+ {words.HAPPY}"], f"+ {words.HAPPY}", "Client version accepted"),
        ([BANNER, ACCEPTED], "+ PLAYING", "PLAYING <kind of game>"),
        ([BANNER, ACCEPTED], "+ le_game2", "PLAYING <kind of game>"),
        (SEATED[:4], "+ YOU x a", "YOU <number> <name>"),
        (SEATED[:4], "+ YOU 2 a", "YOU <number> <name>"),
        (SEATED[:5], "+ TOTAL 3", "TOTAL 2"),
        (SEATED[:6], "+ ENDPLAYERS", "+ 1 <name> <ready>"),
        (SEATED[:6], "+ 0 b 0", "+ 1 <name> <ready>"),
        (SEATED[:6], "+ 1 b 2", "+ 1 <name> <ready>"),
        (SEATED[:7], "+ 1 b 0", "ENDPLAYERS"),
        (SEATED, "+ QUIT", "WAIT, + MOVE"),
        (SEATED, "+ MOVE -5", "WAIT, + MOVE"),
        (SEATED, "+ MOVE 99999999999999999999", "WAIT, + MOVE"),
        (SEATED, "+ GAMEOVER 2 nobody", "player from 0 to 1"),
        (SEATED, "+ GAMEOVER x", "GAMEOVER"),
        (ASKED[:9], "+ CAPTURE 0", "line of a position of Quarto"),
        (ASKED[:12], "+ ENDFIELD", POSITION),
        (ASKED[:12], "+ 1 * 9", POSITION),
        ([*SEATED, "+ MOVE 1", *["+ NEXT 3"] * 32], "+ NEXT 3", "line of a position of Quarto"),
        (ASKED, "+ MOVEOK", "OKTHINK"),
        ([*ASKED, "+ OKTHINK"], "+ OKTHINK", "MOVEOK"),
        ([*SEATED, "+ GAMEOVER", *OVER], "+ WAIT", "QUIT"),
        ([*SEATED, "+ GAMEOVER", *OVER], "+ PLAYER0WON Yes", "QUIT"),
        ([], "x" * (LINE + 1), "a line of the protocol"),
    ],
)
def test_errors_say_what_was_expected_and_what_came(
    before: list[str], line: str, expected: str
) -> None:
    player = hear(before)
    with pytest.raises(ProtocolError) as caught:
        hear_more(player, line)
    assert expected in caught.value.expected
    if expected != POSITION and len(line) <= LINE:
        assert quote(line) in str(caught.value)
    assert player.side.finished
    assert player.hear(f"{BANNER}\n".encode()) == b""


def hear_more(player: Player, line: str) -> None:
    """The line, and if a position is broken by it, the end of the position."""
    player.hear(f"{line}\n".encode())
    player.hear(b"+ ENDFIELD\n")


def test_the_results_of_the_later_dialects_must_be_complete() -> None:
    begin = [BANNER.replace("1.0", "2.3"), *SEATED[1:], "+ GAMEOVER", *OVER, "+ PLAYER0WON Yes"]
    player = hear(begin)
    assert not any(isinstance(event, GameOver) for event in player.events)
    with pytest.raises(ProtocolError, match="PLAYER<number>WON"):
        player.hear(b"+ QUIT\n")
    drawn = hear([*begin, "+ PLAYER1WON Yes", "+ QUIT"])
    assert isinstance(drawn.events[-2], GameOver)
    assert (drawn.events[-2].winner, drawn.events[-1]) == (None, Cue.QUIT)


def test_a_later_server_may_name_the_winner_twice() -> None:
    lines = [BANNER.replace("1.0", "2.3"), *SEATED[1:], "+ GAMEOVER 1 b", *OVER]
    player = hear([*lines, "+ PLAYER0WON No", "+ PLAYER1WON Yes", "+ QUIT"])
    assert [event.winner for event in player.events if isinstance(event, GameOver)] == [1]
    assert player.events[-1] == Cue.QUIT


@pytest.mark.parametrize("count", range(len(ASKED) + 1))
def test_a_refusal_is_understood_everywhere(count: int) -> None:
    player = hear([*ASKED[:count], "- TIMEOUT Be faster next time"])
    assert player.events[-1] == ServerRefused("TIMEOUT Be faster next time")
    assert player.side.finished


def test_a_server_must_wait_for_our_answer() -> None:
    side = MnmClientSide()
    side.receive(f"{BANNER}\n{ACCEPTED}\n".encode(), 0.0)
    side.next_event()
    with pytest.raises(ProtocolError, match="nothing before our VERSION"):
        side.next_event()


def test_a_game_that_nobody_here_knows_can_be_joined_but_not_read() -> None:
    player = hear([*SEATED[:2], "+ PLAYING Chess", *SEATED[3:], "+ WAIT"])
    assert player.said.endswith(b"OKWAIT\n")
    player.hear(b"+ MOVE 3\n")
    with pytest.raises(ProtocolError, match="PLAYING Quarto or NMMorris"):
        player.hear(b"+ NEXT 3\n")


def test_names_may_be_empty_and_bytes_may_be_wrong() -> None:
    lines = [b"+ PLAYING Quarto", b"+", b"+ YOU 0", b"+ TOTAL 2", b"+ 1 \xff\x1b[2J 1"]
    player = hear(SEATED[:2])
    player.hear(b"".join(line + b"\n" for line in lines[:2]))
    player.hear(b"".join(line + b"\n" for line in [*lines[2:], b"+ ENDPLAYERS"]))
    assert player.events[2:] == [
        Playing("Quarto", ""),
        SeatTaken(0, "", (Other(1, "\\xff\x1b[2J", ready=True),)),
    ]


def test_our_own_mistakes_are_not_sent() -> None:
    side = MnmClientSide()
    with pytest.raises(RuntimeError, match="PLAY was said where nothing is due"):
        side.play("A1")
    side.receive(f"{BANNER}\n".encode(), 0.0)
    side.next_event()
    with pytest.raises(RuntimeError, match="ID was said where VERSION is due"):
        side.join(ID)
    side.version()
    side.receive(f"{ACCEPTED}\n".encode(), 0.0)
    side.next_event()
    with pytest.raises(ValueError, match="no line of the protocol"):
        side.join("x\nPLAYER 1")


LINES = sorted({*MORRIS_SESSION[0], *QUARTO_SESSION[0], *ASKED, "+ GAMEOVER 0 a", "- no", "", "x"})
HOSTILE = st.lists(
    st.sampled_from(LINES).map(str.encode) | st.binary(max_size=40), max_size=60
).map(b"\n".join)


@given(st.integers(0, len(ASKED)), HOSTILE, st.integers(1, 50))
def test_hostile_servers_get_answers_or_a_protocol_error(
    prefix: int, data: bytes, size: int
) -> None:
    """Whatever comes in whatever pieces: no other error, one answer for each question."""
    whole = "".join(f"{line}\n" for line in ASKED[:prefix]).encode() + data + b"\n"
    outcomes = [_outcome(whole, len(whole)), _outcome(whole, size)]
    assert outcomes[0] == outcomes[1]
    events, said = outcomes[0][:2]
    cues = (Cue.ACCEPTED, Cue.WAIT, Cue.THINK)
    asked = [e for e in events if e in cues or isinstance(e, Banner | Playing | MoveAsked)]
    assert said.count(b"\n") == len(asked)
    assert sum(e is Cue.QUIT or isinstance(e, ServerRefused) for e in events) <= 1


def _outcome(data: bytes, size: int) -> tuple[list[Event], bytes, str]:
    player = Player()
    try:
        for start in range(0, len(data), size):
            player.hear(data[start : start + size])
    except ProtocolError as error:
        return player.events, player.said, str(error)
    return player.events, player.said, ""
