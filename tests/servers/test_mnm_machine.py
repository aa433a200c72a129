"""The game server under all that clients, time and the journal can do to it, in any order."""

from __future__ import annotations

import logging
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from spielwerk.games.playing import random_move
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.mnm.server import Pace
from tests.servers.witness import STOPPING, Hall, Witness, is_over
from tests.simulation import Peer, World

JUNK = [
    b"\n",
    b"HELLO\n",
    b"OKWAIT\n",
    b"OKWAIT now\n",
    b"THINKING\n",
    b"PLAY\n",
    b"PLAY A1\n",
    b"PLAYER 7\n",
    b"PLAYER x\n",
    b"VERSION 1.0\n",
    b"VERSION v1.1\n",
    b"ID aaaaaaaaaaa\n",
    b"ID a-b\n",
    b"QUIT\n",
    b"\0\0\0",
    b"OKWA",
    b"x" * 2000,
    b"OKWAIT\n" * 10_000,
]
BLUNDERS = [
    b"PLAY A1\n",
    b"PLAY A1,1;A2\n",
    b"PLAY \xff\xfe\n",
    b"PLAY A1:A2\n",
    b"PLAY A0;B0;C0\n",
]
NUMBERS = st.integers(0, 5)
PAUSES = [0.0, 0.02, 0.04, 0.1, 0.5, 0.95, 1.0, 1.05, 2.0, 3.1, 4.9, 5.0, 6.0, 31.0, 100.0]


class Client:
    """A client that answers by itself while it is diligent, else only when it is told to."""

    def __init__(self, hall: Hall, dialect: int, pace: Pace, rng: Random) -> None:
        self.peer = Peer(hall.world, dialect, pace)
        self.witness = Witness(hall, self.peer, dialect, pace)
        self.diligent = False
        self._dialect = dialect
        self._hall = hall
        self._rng = rng
        self._vanished = False
        self._watch()

    def _watch(self) -> None:
        """Have the witness hear everything at the moment it leaves."""
        transport, witness = self.peer.transport, self.witness
        for _, segment in self.peer.segments:
            witness.hears(segment)
        write, write_eof, close = transport.write, transport.write_eof, transport.close

        def watched_write(data: bytes) -> None:
            if not transport.is_closing():
                witness.hears(data)
            write(data)

        def watched_eof() -> None:
            write_eof()
            witness.leaves()

        def watched_close() -> None:
            close()
            witness.leaves()

        transport.write = watched_write  # type: ignore[method-assign]
        transport.write_eof = watched_eof  # type: ignore[method-assign]
        transport.close = transport.abort = watched_close  # type: ignore[method-assign]
        self.peer.listener = lambda _data: self.heard()

    def heard(self) -> None:
        if self._vanished:
            self.reset()
        elif self.diligent:
            self.answer()

    def send(self, data: bytes) -> None:
        if not self.peer.transport.is_closing() and not self.witness.peer.session._silent:
            self.witness.sends(data)
            self.peer.send(data)

    def answer(self) -> None:
        """Say what the protocol wants to hear now."""
        witness = self.witness
        if witness.consumed < len(witness.sent) or witness.awaits is None or witness.over:
            return
        line = self._right(witness.awaits)
        self.send(f"{line}\n".encode())

    def _right(self, word: str) -> str:
        if word == "VERSION":
            return f"VERSION {self._dialect}.5"
        if word == "ID":
            known = self._rng.choice(list(self._hall.tables))
            return f"ID {known[: self._rng.choice((11, 13) if self._dialect == 1 else (13,))]}"
        if word == "PLAY":
            assert self.witness.table
            return f"PLAY {self._move(self.witness.table)}"
        return word

    def _move(self, table: Table) -> str:
        """A random move, in Morris with the captures every other time."""
        state = self._hall.state(table)
        player = state.turn
        moves: list[Any] = []
        while state.turn == player and (not moves or self._rng.random() < 0.5):
            moves.append(random_move(state, self._rng))
            state = state.play(moves[-1])
        return ";".join(table.game.format_move(move) for move in moves)

    def finish(self) -> None:
        self.peer.finish()

    def vanish(self) -> None:
        """Close both ways: whatever the server then says is answered with a reset."""
        self._vanished = True
        self.peer.finish()

    def reset(self) -> None:
        self.peer.reset()
        self.witness.leaves()


class Complaints(logging.Handler):
    """Errors in the log, less those that a broken journal explains."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        if not line.startswith(("journal failed", "transcript lost")):
            self.lines.append(line)


class GameServer(RuleBasedStateMachine):
    """Clients at tables; a witness checks every line of every session."""

    tables = Bundle("tables")

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.hall = Hall(self.world)
        self.rng = Random(1)
        self.clients: list[Client] = []
        self.complaints = Complaints()
        logging.getLogger("spielwerk").addHandler(self.complaints)

    @initialize(target=tables)
    def two_tables(self) -> object:
        casual = self._table(NewTable("quarto", ("n=2", "begins=0")))
        return multiple(casual, self._table(NewTable("morris", tournament=True)))

    def _table(self, wish: NewTable) -> str:
        table = self.world.table(wish)
        self.hall.tables[table.id] = table
        return table.id

    @precondition(lambda self: not self.world.journal.hold and not self.world.journal.broken)
    @precondition(lambda self: not self.hall.stopped)
    @rule(
        target=tables,
        options=st.sampled_from(["n=2", "n=3", "n=4", "n=5", "morris"]),
        tournament=st.booleans(),
        move_time=st.sampled_from([10, 100, 1000, 3000]),
    )
    def set_up(self, options: str, tournament: bool, move_time: int) -> str:
        game, chosen = ("morris", ()) if options == "morris" else ("quarto", (options,))
        wish = NewTable(game, chosen, tournament=tournament, move_time=move_time)
        return self._table(wish)

    @rule(
        dialect=st.sampled_from([1, 2, 3]),
        pace=st.sampled_from(list(Pace)),
        seed=st.integers(0, 9),
    )
    def connect(self, dialect: int, pace: Pace, seed: int) -> None:
        self._connect(dialect, pace, seed)

    @rule(
        table=tables,
        seat=st.sampled_from(["PLAYER", "PLAYER ", "PLAYER 0", "PLAYER 1", "PLAYER 2"]),
        dialect=st.sampled_from([1, 2, 3]),
        pace=st.sampled_from(list(Pace)),
        diligent=st.booleans(),
        seed=st.integers(0, 9),
    )
    def join(
        self, table: str, seat: str, dialect: int, pace: Pace, diligent: bool, seed: int
    ) -> None:
        """The whole prolog at once, so that there is much to be done."""
        client = self._connect(dialect, pace, seed)
        client.diligent = diligent
        client.send(f"VERSION {dialect}\nID {table}\n{seat}\n".encode())

    @rule(table=tables, pace=st.sampled_from(list(Pace)), seed=st.integers(0, 9))
    def two_join(self, table: str, pace: Pace, seed: int) -> None:
        for seat in (0, 1):
            self.join(table, f"PLAYER {seat}", 1, pace, True, seed)

    def _connect(self, dialect: int, pace: Pace, seed: int) -> Client:
        client = Client(self.hall, dialect, pace, Random(seed))
        self.clients.append(client)
        return client

    def _pick(self, number: int) -> Client | None:
        """One of the clients that are still there, those with a seat first."""
        there = [client for client in self.clients if not client.witness.over]
        there.sort(key=lambda client: client.witness.seat is None)
        return there[number % len(there)] if there else None

    @rule(number=NUMBERS)
    def answer(self, number: int) -> None:
        if client := self._pick(number):
            client.answer()

    @rule(number=NUMBERS, diligent=st.booleans())
    def change(self, number: int, diligent: bool) -> None:
        if client := self._pick(number):
            client.diligent = diligent
            client.heard()

    @rule(number=NUMBERS, data=st.sampled_from(JUNK))
    def say(self, number: int, data: bytes) -> None:
        if client := self._pick(number):
            client.send(data)

    @rule(number=NUMBERS, move=st.sampled_from(BLUNDERS))
    def blunder(self, number: int, move: bytes) -> None:
        """A wrong move in its right place, so far as there is one."""
        client = self._pick(number)
        if client and client.witness.awaits == "THINKING":
            client.diligent = False
            client.answer()
            self.world.run(0.05)
        if client and client.witness.awaits == "PLAY":
            client.send(move)

    @rule(number=NUMBERS, how=st.sampled_from(["finish", "vanish", "reset"]))
    def lose(self, number: int, how: str) -> None:
        if client := self._pick(number):
            getattr(client, how)()

    @rule(number=NUMBERS)
    def stay_after_the_end(self, number: int) -> None:
        if client := self._pick(number):
            client.peer.polite = False

    @rule(seconds=st.sampled_from(PAUSES))
    def let_pass(self, seconds: float) -> None:
        self.world.run(seconds)

    @rule()
    def sweep(self) -> None:
        self.world.arena.sweep()

    @rule()
    def hold_the_journal(self) -> None:
        self.world.journal.hold = True

    @rule()
    def release_the_journal(self) -> None:
        self.world.journal.hold = False
        while self.world.journal.held:
            self.world.journal.release()

    @rule(broken=st.booleans())
    def break_the_journal(self, broken: bool) -> None:
        self.world.journal.broken = OSError("No space left on device") if broken else None

    @rule(really=st.sampled_from([False] * 9 + [True]))
    def stop(self, really: bool) -> None:
        if really:
            self._stop()

    def _stop(self) -> None:
        self.hall.stopped = True
        self.world.arena.stop(STOPPING)
        for session in list(self.world.service._sessions):
            session.dismiss(STOPPING)

    @invariant()
    def nothing_is_forgotten(self) -> None:
        self.world.run(0.05)
        assert self.complaints.lines == []
        for witness in self.hall.witnesses:
            witness.check()
        for table in self.hall.tables.values():
            is_over(self.hall, table)

    def teardown(self) -> None:
        try:
            self._settle()
            if not self.hall.stopped:
                self._play_on()
            self._check_moves()
            self._stop()
            self.world.run(3)
            assert not self.world.service._sessions
            counts = self.world.counts
            assert counts["mnm opened"] == counts["mnm closed"]
            assert self.complaints.lines == []
        finally:
            logging.getLogger("spielwerk").removeHandler(self.complaints)

    def _settle(self) -> None:
        self.world.journal.broken = None
        self.release_the_journal()
        self.world.run(0.1)
        for witness in self.hall.witnesses:
            if not witness.over:
                witness.peer.reset()
                witness.leaves()
        self.world.run(5)

    def _play_on(self) -> None:
        """Two fresh clients can finish every game."""
        known = [t for t in self.hall.tables.values() if not self.hall.is_forgotten(t)]
        for table in known:
            bots = [Client(self.hall, 1, Pace.BLOCK, self.rng) for _ in (0, 1)]
            for bot in bots:
                bot.send(f"VERSION 1\nID {table.id}\nPLAYER\n".encode())
                bot.diligent = True
            self.world.run(2)
            over = is_over(self.hall, table)
            assert over or all(bot.witness.acknowledged for bot in bots)
            if table.record.game == "quarto":
                self.world.run(30)
                assert [bot.peer.lines[-1] for bot in bots] == ["+ QUIT", "+ QUIT"]
            for bot in bots:
                bot.reset()

    def _check_moves(self) -> None:
        """Who was not told of a move that is kept was not there any more."""
        for table in self.hall.tables.values():
            turns = {number for number, _ in self.hall.entries(table)}
            untold = turns - self.hall.acknowledged
            there = [w for w in self.hall.witnesses if w.table is table]
            owed = [w for w in there if w.awaits == "PLAY" and w.consumed < len(w.sent)]
            assert all(w.over for w in owed)
            assert len(untold) <= len(owed)
            assert len(turns) - len(untold) == sum(w.acknowledged for w in there)


TestGameServer = pytest.mark.slow(GameServer.TestCase)
TestGameServer.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)


def test_an_end_that_could_not_be_written_waits_for_the_move_that_is_being_thought_about() -> None:
    """Somebody was asked to move meanwhile, and a move is answered with MOVEOK."""
    world = World()
    table = world.table(NewTable("quarto", ("begins=0", "first=3"), tournament=True))
    first = world.join(table, 0)
    world.journal.broken = OSError("No space left on device")
    first.reset()
    world.run(0.1)
    world.journal.broken = None
    assert not table.over
    world.run(6)
    second = world.join(table, 0)
    assert second.say("THINKING") == ["+ OKTHINK"]
    world.arena.sweep()
    world.run(0.5)
    assert second.say("PLAY A1,5", wait=0.2)[0] == "+ MOVEOK"
    assert second.lines[-1] == "+ QUIT"
    (result,) = world.journal.results(table.id)
    assert (result.winner, result.culprit) == (1, 0)
