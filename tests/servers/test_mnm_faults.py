"""Every fault in every state of the game protocol, on both seats, in simulated time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from spielwerk.games import NOBODY
from spielwerk.store.records import Ending, Reason
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.mnm.server import Pace
from tests.simulation import Bot, Peer, World

PROLOG = ("VERSION", "ID", "PLAYER")
STATES = (*PROLOG, "OKWAIT", "IDLE", "THINKING", "PLAY", "WRITING", "OVER")
PACES = dict(zip(STATES, 3 * tuple(Pace), strict=True))
OPENING = 6  # moves, with the drawing of the first stone
MISMATCH = "- Protocol mismatch - you probably didn't want to talk to the fabulous gameserver"
WRONG = (MISMATCH, "- Did not get the expected", "- We expected you to THINK!")

FAULTS: dict[str, Callable[[Peer], None]] = {
    "reset": Peer.reset,
    "finish": Peer.finish,
    "silence": lambda _peer: None,
    "garbage": lambda peer: peer.send(b"\xff\xfe\x00 garbage \x80\r\n\n\n+ WAIT\n"),
    "no_newline": lambda peer: peer.send(b"x" * 1_000_000),
    "many_lines": lambda peer: peer.send(b"OKWAIT\n" * 100_000),
    "empty_lines": lambda peer: peer.send(b"\n" * 100_000),
}
LOST = ("reset", "finish")


class StoppingBot(Bot):
    """Plays a game, but keeps its answer in one state; in the game, after its first move."""

    def __init__(self, world: World, table: Table, seat: int, pace: Pace, stop_at: str) -> None:
        self.stop_at = stop_at
        self.stopped = False
        self.played: list[str] = []
        super().__init__(Peer(world, 1, pace), table, Chooser(seat), seat=seat)
        world.run()

    def _say(self, line: str) -> None:
        word = line.split(" ")[0]
        late = word in PROLOG or self.played
        self.stopped = self.stopped or (word == self.stop_at and bool(late))
        if self.stopped:
            return
        if word == "PLAY":
            self.played.append(line.removeprefix("PLAY "))
            hold = self.stop_at == "WRITING" and len(self.played) == 2
            self.peer.world.journal.hold = hold
        super()._say(line)
        after = {"OKWAIT": "IDLE", "PLAY": "WRITING"}.get(word)
        self.stopped = after == self.stop_at and len(self.played) == (2 if word == "PLAY" else 1)

    @property
    def lines(self) -> list[str]:
        return self.peer.lines

    @property
    def confirmed(self) -> int:
        """How many moves the server has acknowledged."""
        return self.lines.count("+ MOVEOK")


class Chooser:
    """Random moves; the first few do not win if they can, or faults would come too late."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def __call__(self, table: Table) -> str:
        state, moves = table.state, table.state.legal_moves()
        if len(table.history) < OPENING:
            moves = [move for move in moves if state.play(move).turn != NOBODY] or moves
        return table.game.format_move(self._rng.choice(moves))


def reasons(fault: str, state: str, *, lost: bool) -> set[Reason]:
    """What the game may have ended with."""
    if not lost:
        return {Reason.WIN, Reason.DRAW}
    if fault in LOST:
        return {Reason.CONNECTION_LOST}
    if fault == "silence":
        return {Reason.TIME_OUT if state == "PLAY" else Reason.STALLED}
    return {Reason.PROTOCOL_ERROR}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("tournament", [False, True])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_every_state(fault: str, state: str, tournament: bool, seat: int) -> None:
    world = World()
    table = world.table(NewTable("quarto", tournament=tournament))
    faulty = StoppingBot(world, table, seat, PACES[state], state)
    bots = [faulty, StoppingBot(world, table, 1 - seat, Pace.BLOCK, "")]
    while not (faulty.stopped or table.over):
        world.run(0.01)
    world.run(0.05 if state in ("VERSION", "ID", "PLAYER", "THINKING") else 0.001)
    FAULTS[fault](faulty.peer)
    world.run(0.1)
    assert state != "WRITING" or world.journal.held
    world.journal.hold = False
    world.journal.release()
    lost = tournament and state not in (*PROLOG, "OVER")
    world.run(40 if state in PROLOG else 15)
    if not lost and state != "OVER":
        bots.append(StoppingBot(world, table, seat, Pace.LINE, ""))
    world.run(60)
    (result,) = world.journal.results(table.id)
    assert result.reason in reasons(fault, state, lost=lost)
    if lost:
        assert (result.winner, result.culprit) == (1 - seat, seat)
    check_told(world, table, bots, result)
    check_refusal(faulty, fault, state)
    assert not world.service._sessions


def check_told(world: World, table: Table, bots: list[StoppingBot], result: Ending) -> None:
    """Who stayed was told the kept end, and every acknowledged move is kept."""
    name = "" if result.winner is None else f" {result.winner} Player {result.winner + 1}"
    for bot in bots[1:]:
        assert f"+ GAMEOVER{name}" in bot.lines
        assert bot.lines[-1] == "+ QUIT"
        assert bot.confirmed == len(bot.played)
    for seat in (0, 1):
        kept = [move.move for move in world.journal.moves(table.id) if move.seat == seat]
        there = [bot for bot in bots if bot._seat == seat]
        told = [move for bot in there for move in bot.played[: bot.confirmed]]
        unsure = [move for bot in there for move in bot.played[bot.confirmed :]]
        assert len(unsure) <= 1
        assert [move for move in kept if move not in unsure] == told


def check_refusal(faulty: StoppingBot, fault: str, state: str) -> None:
    """Who could still hear was told what was wrong, and nothing after it."""
    refusals = [line for line in faulty.lines if not line.startswith("+ ")]
    assert len(refusals) <= 1
    if state == "OVER":
        assert faulty.lines[-1] == "+ QUIT"
    elif fault not in LOST:
        assert faulty.lines[-1].startswith("- TIMEOUT " if fault == "silence" else WRONG)
