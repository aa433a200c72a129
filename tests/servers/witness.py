"""A witness of one client's session, who knows the documents and the journal but not the server.

It hears every segment at the moment it leaves and says at once when something is wrong: a line out
of place, a request without its answer, a position that the journal does not have, a refusal that
nothing explains, a segment that the pace does not allow.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from spielwerk.errors import SpielwerkError
from spielwerk.games import NOBODY, State, find_game
from spielwerk.games.morris.rules import FIELDS
from spielwerk.store.records import Moved
from spielwerk.tables.table import Table
from spielwerk.wire.mnm.server import Pace
from tests.simulation import Peer, World

Lines = Generator[None, str, None]


GAP = 0.04
RESERVATION = 5.0
SOON = 0.002  # a limit is noticed a moment after it has passed
WORDS = ["VERSION", "ID", "PLAYER", "OKWAIT", "THINKING", "PLAY"]
BANNERS = {1: "v1.0", 2: "v2.3", 3: "v3.1"}
WRONG_VERSION = {
    1: "We implement protocol version 1.0",
    2: "Client Version does not match server Version",
    3: "Client Version does not match server Version",
}
NO_SEAT = {
    1: "No free computer player found for that game - exiting",
    2: "No free player",
    3: "No free player",
}
MISMATCH = "Protocol mismatch - you probably didn't want to talk to the fabulous gameserver"
STOPPING = "The server is shutting down - please come back later"
KINDS = {"quarto": "Quarto", "morris": "NMMorris"}
LIMITS = {"VERSION": 30.0, "ID": 30.0, "PLAYER": 30.0, "OKWAIT": 5.0, "THINKING": 1.0}


@dataclass
class Hall:
    """What all witnesses know together: who sits where, and what has been acknowledged."""

    world: World
    tables: dict[str, Table] = field(default_factory=dict)
    witnesses: list[Witness] = field(default_factory=list)
    acknowledged: set[int] = field(default_factory=set)
    left: dict[tuple[str, int], float] = field(default_factory=dict)
    stopped: bool = False

    def called(self, game_id: str, dialect: int) -> Table | None:
        """The table with this ID, which may end after its first 11 characters in dialect 1."""
        short = {name[:11]: table for name, table in self.tables.items()} if dialect == 1 else {}
        return (short | self.tables).get(game_id)

    def sitting(self, table: Table, seat: int) -> list[Witness]:
        """The clients on a seat: one at most."""
        there = [w for w in self.witnesses if w.table is table and w.seat == seat]
        return [w for w in there if not w.over]

    def is_open(self, table: Table, seat: int) -> bool:
        """Whether a client that asks must be given this seat."""
        reserved = self.left.get((table.id, seat), -1.0) + RESERVATION
        return not self.sitting(table, seat) and self.world.loop.time() >= reserved

    def is_forgotten(self, table: Table) -> bool:
        """Whether the game ended so long ago that nobody has to know it."""
        ends = [result.at for result in self.world.journal.results(table.id)]
        return bool(ends) and self.world.wall() > ends[0] + 60_000

    def state(self, table: Table) -> State[Any]:
        """The position that follows from the journal alone."""
        game = find_game(table.record.game).from_text(table.record.options)
        state: State[Any] = game.start()
        for move in self.world.journal.moves(table.id):
            state = state.play(game.parse_move(move.move))
        return state

    def entries(self, table: Table) -> list[tuple[int, Moved]]:
        """The turns that the journal has of a game, by their place in it."""
        entries = enumerate(self.world.journal.entries)
        return [(n, e) for n, e in entries if isinstance(e, Moved) and e.game == table.id]


class Witness:
    """Hears one session from the banner to its end."""

    def __init__(self, hall: Hall, peer: Peer, dialect: int, pace: Pace) -> None:
        self.hall = hall
        self.world = hall.world
        self.peer = peer
        self.dialect = dialect
        self.pace = pace
        self.table: Table | None = None
        self.seat: int | None = None
        self.awaits: str | None = None  # the word that the client has to send
        self.over = False  # nothing may be said any more, the seat is free
        self.refusal = ""
        self.acknowledged = 0
        self.sent: list[tuple[float, str]] = []  # complete lines, and when they were
        self.consumed = 0
        self._rest = b""
        self._due = (float("inf"), "")
        self._asked = 0.0
        self._begun = 0.0
        self._segments = 0  # of the running block
        self._first = ""  # its first line
        self._last_wait = float("-inf")
        self._talk = self._session()
        next(self._talk)
        hall.witnesses.append(self)

    @property
    def now(self) -> float:
        return self.world.loop.time()

    # what the client does

    def sends(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            text = line.lstrip(b"\0").decode("utf-8", "replace").rstrip(" \0\r")
            self.sent.append((self.now, text))

    def leaves(self) -> None:
        """The connection is no more, or the server has closed it."""
        if not self.over:
            self.over = True
            table = self.table
            if table and self.seat is not None and not table.over:
                self.hall.left[table.id, self.seat] = self.now

    # what the server says

    def hears(self, data: bytes) -> None:
        """Listen to a segment that is just leaving."""
        text = data.decode()
        assert text.endswith("\n"), text
        assert "\r" not in text
        lines = text.split("\n")[:-1]
        block, consumed = self._segments, self.consumed
        for number, line in enumerate(lines):
            before = self.consumed
            self._hear(line)
            if self.consumed > before or not self._segments:
                assert number == 0 or self.pace is Pace.LINE, f"{line!r} inside {lines}"
                self._begun, self._segments, self._first = self.now, 1, line
        if self.consumed == consumed and block:
            self._segments += 1
        self._check_pace(lines)

    def _hear(self, line: str) -> None:
        assert not self.over, f"{line!r} after the end"
        if line.startswith("- "):
            self.refusal = line[2:]
            self._check_refusal(self.refusal)
            self.leaves()
        else:
            assert line.startswith("+ "), line
            if line.startswith("+ GAMEOVER") and self.awaits and not self._is_right():
                self._overlook()
            try:
                self._talk.send(line[2:])
            except StopIteration:
                self.leaves()

    def _is_right(self) -> bool:
        """Whether the client has said in time what it has to say next."""
        arrived, line = self._next_line()
        word, _, rest = line.partition(" ")
        if word != self.awaits or arrived > self._due[0] or self._waiting() > 65_536:
            return False
        return not self._is_illegal(rest.strip()) if word == "PLAY" else not rest

    def _overlook(self) -> None:
        """The game is over: whatever is wrong or missing now is no error."""
        assert self.seat is not None
        said = self.consumed < len(self.sent) or len(self._rest) > 1024
        assert said or self.now > self._due[0], f"the end before {self.awaits} came"
        self.consumed, self.awaits = len(self.sent) + 1, None
        self._talk = self._course()
        next(self._talk)

    def _has_won(self) -> bool:
        """Whether the other has lost by going, and only the journal has yet to hear of it."""
        table, seat = self.table, self.seat
        if not table or seat is None or not table.record.tournament:
            return False
        return (table.id, 1 - seat) in self.hall.left and not self.world.journal.results(table.id)

    def _check_pace(self, lines: list[str]) -> None:
        refused = lines[-1].startswith("- ")
        told = lines[:-1] if refused else lines
        if not told:
            return
        if self.pace is Pace.LINE:
            assert len(lines) == 1
        elif self.pace is Pace.BLOCK and self._first != "+ MOVEOK":
            assert self._segments == 1, f"a block in pieces: {lines}"
        elif self._segments == 1:
            assert len(lines) == 1, f"the first line is not alone: {lines}"
        else:
            assert self._segments == 2, f"the rest in pieces: {lines}"
            waited = self.now - self._begun
            assert waited < GAP if refused else abs(waited - GAP) < 1e-6, waited

    # the session as the documents have it

    def _session(self) -> Lines:
        banner = yield
        assert banner == f"MNM Gameserver {BANNERS[self.dialect]} accepting connections"
        self._expect("VERSION", self.now)
        if self.dialect == 3:
            assert (yield) == "Already happy with your AI?"
        yield from self._prolog()
        yield from self._course()

    def _prolog(self) -> Lines:
        accepted = yield
        assert self._consume().split(".")[0] == str(self.dialect)
        assert accepted == "Client version accepted - please send Game-ID to join"
        self._expect("ID", self.now)
        playing = yield
        self.table = self.hall.called(self._consume(), self.dialect)
        assert self.table
        assert playing == f"PLAYING {KINDS[self.table.record.game]}"
        self._expect("PLAYER", self.now)
        assert (yield) == self.table.record.name
        you = yield
        self._take_seat(you, self._consume())
        assert (yield) == "TOTAL 2"
        yield from self._other_player(self.table)
        assert (yield) == "ENDPLAYERS"

    def _take_seat(self, you: str, wanted: str) -> None:
        table = self.table
        assert table
        number = int(you.split(" ")[1])
        assert you == f"YOU {number} {table.record.seats[number].name}"
        assert wanted in ("", str(number))
        assert table.over or self.hall.is_open(table, number), f"seat {number} was not free"
        self.seat = number

    def _other_player(self, table: Table) -> Lines:
        assert self.seat is not None
        other = 1 - self.seat
        ready = bool(self.hall.sitting(table, other))
        line = yield
        name = table.record.seats[other].name
        assert re.fullmatch(rf"{other} {name} [01]", line)
        if not table.over and self.pace is not Pace.FIRST_THEN_REST:
            assert line.endswith(str(int(ready)))

    def _course(self) -> Lines:
        while True:
            prompt = yield
            if self.awaits == "OKWAIT":
                assert self._consume() == ""
            assert self.awaits is None, f"{prompt!r} while {self.awaits} is due"
            if prompt == "WAIT":
                self._wait()
            elif prompt.startswith("MOVE "):
                yield from self._move(prompt)
            else:
                yield from self._end(prompt)
                return

    def _wait(self) -> None:
        since = self.now - self._last_wait
        assert since > 1.0 - GAP - 1e-6, f"a WAIT after {since} s"
        self._last_wait = self.now
        self._expect("OKWAIT", self.now)

    def _move(self, prompt: str) -> Lines:
        table = self.table
        assert table
        assert prompt == f"MOVE {table.record.move_time}"
        state = self.hall.state(table)
        assert state.turn == self.seat, "asked to move out of turn"
        assert not self.world.journal.results(table.id), "asked to move after the end"
        self._asked = self.now
        for expected in asked(self.hall, table, state):
            assert (yield) == expected
        self._expect("THINKING", self.now)
        latest = self._asked + table.record.move_time / 1000 + 0.1
        self._due = min(self._due, (latest, "TIMEOUT Be faster next time"))
        assert (yield) == "OKTHINK"
        assert self._consume() == ""
        self.awaits, self._due = "PLAY", (latest, "TIMEOUT Be faster next time")
        assert (yield) == "MOVEOK"
        self._acknowledge(table, self._consume())
        self._last_wait = float("-inf")

    def _acknowledge(self, table: Table, move: str) -> None:
        """The move is the last that the journal has, and nobody has been told so before."""
        number, entry = self.hall.entries(table)[-1]
        made = [m.move for m in entry.moves if m.seat == self.seat]
        assert ";".join(made) == move
        assert number not in self.hall.acknowledged
        self.hall.acknowledged.add(number)
        self.acknowledged += 1

    def _end(self, prompt: str) -> Lines:
        table = self.table
        assert table
        (result,) = self.world.journal.results(table.id)
        winner = result.winner
        named = winner is not None and self.dialect == 1
        name = f" {winner} {table.record.seats[winner].name}" if winner is not None else ""
        assert prompt == f"GAMEOVER{name if named else ''}"
        if self.dialect == 1 and table.record.game == "morris":
            assert (yield) == "CAPTURE 0"
        for expected in shown(self.hall, table, self.hall.state(table)):
            assert (yield) == expected
        if self.dialect != 1:
            for number in (0, 1):
                won = "Yes" if winner in (None, number) else "No"
                assert (yield) == f"PLAYER{number}WON {won}"
        assert (yield) == "QUIT"

    def _expect(self, word: str, since: float) -> None:
        self.awaits = word
        self._due = (since + LIMITS[word], f"TIMEOUT No {word} within {LIMITS[word]:g} s")

    def _consume(self) -> str:
        """What the client said, which has just been answered; it was right and in time."""
        assert self.consumed < len(self.sent), f"an answer before {self.awaits} came"
        arrived, line = self.sent[self.consumed]
        word, _, rest = line.partition(" ")
        assert word == self.awaits, f"{line!r} was taken for {self.awaits}"
        assert arrived <= self._due[0], f"{line!r} was late"
        self.consumed += 1
        self.awaits = None
        return rest.strip()

    # refusals

    def _check_refusal(self, text: str) -> None:
        """There must be a reason for it, and it must be the right one."""
        arrived, line = self._next_line()
        word, _, rest = line.partition(" ")
        if text == STOPPING:
            assert self.hall.stopped
            return
        if self.table and self.seat is not None:
            assert not self.world.journal.results(self.table.id), f"{text!r} after the end"
        if text.startswith("TIMEOUT "):
            assert text == self._due[1]
            assert arrived > self._due[0]
            assert self._due[0] < self.now < self._due[0] + SOON
        elif text == MISMATCH:
            flood = self._waiting() > 65_536
            assert flood or word not in WORDS or len(line) > 1024 or len(self._rest) > 1024
        elif text in (
            "We expected you to THINK!",
            f"Did not get the expected {self.awaits} command",
        ):
            assert (self.awaits == "THINKING") is (text == "We expected you to THINK!")
            assert word in WORDS
            assert word != self.awaits or (rest and word in ("OKWAIT", "THINKING"))
        else:
            assert word == self.awaits, f"{text!r} for {line!r}"
            self._check_answer(text, rest.strip())

    def _check_answer(self, text: str, rest: str) -> None:
        """A refusal of what the client wants, not of how it says so."""
        if text == WRONG_VERSION[self.dialect]:
            assert self.awaits == "VERSION"
            assert rest.split(".")[0] != str(self.dialect)
        elif text in ("Not a valid game ID", "Game does not exist"):
            assert self.awaits == "ID"
            table = self.hall.called(rest, self.dialect)
            assert table is None or self.hall.is_forgotten(table)
            valid = re.fullmatch("[A-Za-z0-9]{11}([A-Za-z0-9]{2})?", rest)
            assert bool(valid) is (text == "Game does not exist")
        elif text == NO_SEAT[self.dialect]:
            assert self.awaits == "PLAYER"
            wanted = [0, 1] if rest == "" else [int(rest)] if rest in ("0", "1") else []
            assert self.table
            assert not any(self.hall.is_open(self.table, seat) for seat in wanted)
        elif text.startswith("Invalid Move: "):
            assert self.awaits == "PLAY"
            assert self._is_illegal(rest)
        else:
            assert text == "Internal error. Sorry & Bye"
            assert self.awaits == "PLAY"
            assert self.world.journal.broken

    def _is_illegal(self, move: str) -> bool:
        assert self.table
        state = self.hall.state(self.table)
        try:
            state.play_turn(state.game.parse_turn(move))
        except SpielwerkError:
            return True
        return False

    def _next_line(self) -> tuple[float, str]:
        return self.sent[self.consumed] if self.consumed < len(self.sent) else (self.now, "")

    def _waiting(self) -> int:
        return sum(len(line) + 1 for _, line in self.sent[self.consumed :]) + len(self._rest)

    # what must hold whenever nothing is happening

    def check(self) -> None:
        """Everything that should have been said by now has been."""
        if self.over or self.peer.finished or self.now < self._begun + GAP + 1e-6:
            return
        if self._has_won():
            return
        unanswered = self.consumed < len(self.sent)
        table, seat = self.table, self.seat
        if self.awaits == "OKWAIT" and unanswered:
            assert self.now < max(self._last_wait, self.sent[self.consumed][0]) + 1.0 + 2 * GAP
        elif self.awaits == "PLAY" and unanswered:
            assert self.world.journal.hold, "a move without an answer"
        elif self.awaits:
            assert not unanswered, f"no answer to {self.sent[self.consumed]}"
            assert self.now < self._due[0] + SOON
        else:
            assert table
            assert seat is not None
            assert not table.over, "nobody told the end"
            assert self.hall.state(table).turn != seat or self.world.journal.hold


def asked(hall: Hall, table: Table, state: State[Any]) -> list[str]:
    """The lines after MOVE, from the journal."""
    if table.record.game == "quarto":
        stone = str(state).rpartition(" next ")[2]
        return [f"NEXT {stone}", *shown(hall, table, state)]
    capture = re.search(r"capture (\d)", str(state))
    assert capture
    return [f"CAPTURE {capture[1]}", *shown(hall, table, state)]


def shown(hall: Hall, table: Table, state: State[Any]) -> list[str]:
    """The lines that show a position, from the journal."""
    if table.record.game == "quarto":
        rows = str(state).rpartition(" next ")[0].split(" / ")
        n = len(rows)
        return [f"FIELD {n},{n}", *(f"{n - y} {row}" for y, row in enumerate(rows)), "ENDFIELD"]
    places = _pieces(hall, table)
    pieces = [f"PIECE{p}.{n} {place}" for p in (0, 1) for n, place in enumerate(places[p])]
    _agree(places, str(state))
    return ["PIECELIST 2,9", *pieces, "ENDPIECELIST"]


def _pieces(hall: Hall, table: Table) -> list[list[str]]:
    """Where every stone of Morris is, following the decisions that the journal has."""
    places = [["A"] * 9, ["A"] * 9]
    for record in hall.world.journal.moves(table.id):
        mine, theirs = places[record.seat], places[1 - record.seat]
        origin, _, target = record.move.rpartition(":")
        if origin:
            mine[mine.index(origin)] = target
        elif target in theirs:
            theirs[theirs.index(target)] = "C"
        else:
            mine[mine.index("A")] = target
    return places


def _agree(places: list[list[str]], state: str) -> None:
    """The stones are where the rules say."""
    board = state.split(" ")[0].replace("/", "")
    for player in (0, 1):
        there = [name for name, stone in zip(FIELDS, board, strict=True) if stone == str(player)]
        assert sorted(p for p in places[player] if len(p) == 2) == there


def is_over(hall: Hall, table: Table) -> bool:
    """Whether the journal has an end of the game, by the rules or otherwise."""
    results = hall.world.journal.results(table.id)
    assert len(results) <= 1
    if hall.state(table).turn == NOBODY:
        assert results, "the rules have ended the game, the journal has not"
    return bool(results)
