"""Every fault in every state of the dice protocol, on every seat, in simulated time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spielwerk.servers.dice import DiceSettings
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from spielwerk.wire.dice import words
from spielwerk.wire.dice.client import Asked, DiceClientSide, Event, Greeted, RaceEnded
from tests.simulation import DicePeer, World

STATES = ("AUTH", "LONELY", "SEATED", "IDLE", "TURN", "WRITING", "BYE", "PARTED", "OVER")
HOLD = 15  # points of a turn that are saved
WRONG = {"AUTH": "AUTH b@d\n", "BYE": "BYE 1 2 3\n"}

FAULTS: dict[str, Callable[[DicePeer, str], None]] = {
    "reset": lambda peer, _state: peer.reset(),
    "finish": lambda peer, _state: peer.finish(),
    "silence": lambda _peer, _state: None,
    "garbage": lambda peer, _state: peer.send(b"\xff\xfe\x00 garbage \x80\r\n\n\n+ WAIT\n"),
    "wrong": lambda peer, state: peer.send(WRONG.get(state, "SAVE please\n")),
    "no_newline": lambda peer, _state: peer.send(b"x" * 100_000),
    "many_lines": lambda peer, _state: peer.send(b"ROLL\n" * 10_000),
    "empty_lines": lambda peer, _state: peer.send(b"\n" * 10_000),
}
LOST = ("reset", "finish")
NOTICED = (*LOST, "many_lines", "empty_lines")  # also of one who is not asked for anything

DID = {
    "silence": ("answered too late",),
    "garbage": ("sent a wrong message",),
    "wrong": ("sent a wrong message", "gave wrong points in BYE"),
    "no_newline": ("sent a line that is too long",),
    "many_lines": ("sent far too much", "sent a wrong message"),
    "empty_lines": ("sent far too much", "sent a wrong message"),
}
TOLD = {
    "silence": ("ERR Your answer is too late: ",),
    "garbage": ("ERR Expected ",),
    "wrong": ("ERR Expected ", "ERR Wrong points in BYE: you said '1 2 3'", "ERR 'b@d' is no name"),
    "no_newline": ("ERR Your line is longer than 100 characters.",),
    "many_lines": ("ERR You sent more than 4096 characters", "ERR Expected "),
    "empty_lines": ("ERR You sent more than 4096 characters", "ERR Expected "),
}


class Bot(DicePeer):
    """Plays as the document says, but keeps the answer of the state in which it is to stop."""

    def __init__(self, world: World, name: str, stop_at: str = "") -> None:
        super().__init__(world)
        self.name = name
        self.stop_at = stop_at
        self.kept: bytes | None = None
        self.decisions = 0
        self._side = DiceClientSide()
        self.listener = self._listen
        world.run()

    def _listen(self, data: bytes) -> None:
        self._side.receive(data)
        while event := self._side.next_event():
            self._answer(event)

    def _answer(self, event: Event) -> None:
        match event:
            case Greeted():
                self._say("AUTH", self._side.auth(self.name))
            case Asked(position):
                choice = self._side.save() if position.points >= HOLD else self._side.roll()
                self._say("TURN", choice)
            case RaceEnded():
                self._say("BYE", self._side.bye())

    def _say(self, state: str, line: bytes) -> None:
        self.kept = line if state == self.stop_at else None
        if self.kept is None:
            self.decisions += state == "TURN"
            self.send(line)

    def go_on(self) -> None:
        """Say what was kept, and keep nothing any more."""
        stopped, self.stop_at = self.stop_at, ""
        if self.kept is not None:
            self._say(stopped, self.kept)
        self.world.run()


def harmless(fault: str, state: str) -> bool:
    """Whether the game is decided already, or the bot is not in it any more."""
    early = state in ("LONELY", "SEATED") and fault in NOTICED
    return early or state in ("AUTH", "PARTED", "OVER")


def reason(fault: str, state: str) -> Reason:
    if harmless(fault, state):
        return Reason.WIN
    if fault in LOST:
        return Reason.CONNECTION_LOST
    return Reason.TIME_OUT if fault == "silence" else Reason.PROTOCOL_ERROR


def come(world: World, fault: str, state: str) -> list[Bot]:
    """The bot goes wrong before its game begins; it is the first, then come the others."""
    if state == "SEATED":
        seat = SeatRecord(SeatKind.CLIENT, "")
        world.table(NewTable("dice", ("target=40",), seats=(seat,) * 3, move_time=2000))
    faulty = Bot(world, "faulty", "AUTH" if state == "AUTH" else "TURN")
    FAULTS[fault](faulty, state)
    world.run(0.1)
    stays = state != "AUTH" and fault not in NOTICED
    return [faulty, *(Bot(world, f"healthy{n}") for n in range(3 - stays))]


def play(world: World, fault: str, state: str, seat: int) -> list[Bot]:
    """The bot goes wrong in a game; it comes first, and the others go on then."""
    stop_at = "" if state == "OVER" else "BYE" if state in ("BYE", "PARTED") else "TURN"
    bots = [Bot(world, f"bot{n}", stop_at) for n in range(3)]
    world.run(1)
    seated = sorted(bots, key=lambda bot: bot.session._number)
    faulty = seated[seat]
    if state in ("IDLE", "TURN", "WRITING"):
        (mover,) = (bot for bot in bots if bot.kept)
        place = mover.session._number + (1 + seat % 2 if state == "IDLE" else 0)
        faulty = seated[place % 3]
    world.journal.hold = state == "WRITING"
    if state in ("WRITING", "PARTED"):
        faulty.go_on()
    FAULTS[fault](faulty, state)
    world.run(0.1)
    faulty.stop_at = "TURN"
    world.journal.hold = False
    world.journal.release()
    others = [bot for bot in bots if bot is not faulty]
    for bot in others:
        bot.go_on()
    return [faulty, *others]


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_every_state(fault: str, state: str, seat: int) -> None:
    world = World(dice=DiceSettings(seed=f"{seat + 1}", target=40))
    early = state in ("AUTH", "LONELY", "SEATED")
    faulty, *others = come(world, fault, state) if early else play(world, fault, state, seat)
    world.run(60)
    (table,) = world.arena
    check_kept(world, table, [faulty, *others], expected=reason(fault, state))
    spoilt = not harmless(fault, state)
    blamed = (words.LEFT,) if fault in LOST else DID[fault]
    last = [words.error(words.not_you(faulty.name, did)) for did in blamed] if spoilt else ["BYE"]
    for bot in others:
        assert bot.lines[-1] in last
        assert sum(line.startswith("ERR") for line in bot.lines) == spoilt
    assert sum(line.startswith("ERR") for line in faulty.lines) <= 1
    if state in ("PARTED", "OVER"):
        assert faulty.lines[-1] == "BYE" or fault == "reset"
    elif fault not in LOST:
        assert faulty.lines[-1].startswith(TOLD[fault])
    assert not world.dice._sessions
    assert not world.dice._waiting


def check_kept(world: World, table: Table, bots: list[Bot], expected: Reason) -> None:
    """The end stands there once, with the right reason and the right name."""
    (result,) = world.journal.results(table.id)
    assert result.reason is expected
    culprit = None if result.culprit is None else table.seats[result.culprit].name
    assert culprit == (None if expected is Reason.WIN else bots[0].name)
    assert (result.winner is None) == (expected is not Reason.WIN)
    kept = sum(move.seat >= 0 for move in world.journal.moves(table.id))
    assert 0 <= sum(bot.decisions for bot in bots) - kept <= (expected is not Reason.WIN)


def test_no_bot_is_given_a_seat_in_a_game_that_is_ending() -> None:
    world = World()
    early = [Bot(world, f"early{n}", "TURN") for n in range(3)]
    (mover,) = (bot for bot in early if bot.kept)
    world.journal.hold = True
    mover.go_on()
    mover.reset()
    late = [Bot(world, f"late{n}", "TURN") for n in range(2)]
    assert len(world.arena) == 1
    assert [len(bot.lines) for bot in late] == [1, 1]
    world.journal.hold = False
    world.journal.release()
    world.run()
    told = words.error(words.not_you(mover.name, words.LEFT))
    assert [bot.lines[-1] for bot in early if bot is not mover] == [told] * 2
    late.append(Bot(world, "late2", "TURN"))
    assert len([bot for bot in late if bot.kept]) == 1


def test_a_bot_that_leaves_while_its_game_is_being_set_up() -> None:
    world = World()
    world.journal.hold = True
    stays = [Bot(world, f"stays{n}", "TURN") for n in range(2)]
    Bot(world, "leaves").reset()
    world.journal.hold = False
    world.journal.release()
    comes = Bot(world, "comes", "TURN")
    (table,) = world.arena
    assert {seat.name for seat in table.seats} == {"stays0", "stays1", "comes"}
    assert len([bot for bot in (*stays, comes) if bot.kept]) == 1
