"""The dice server as its bots see it, in simulated time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from spielwerk.games.dice.rules import DiceState
from spielwerk.servers.dice import DiceSettings
from spielwerk.store.records import Created, GameRecord, Reason, Seated, SeatKind, SeatRecord
from spielwerk.tables.table import Table
from spielwerk.tables.wishes import NewTable
from tests.simulation import DicePeer, World


@pytest.fixture
def world() -> World:
    return World()


def meet(world: World, names: str = "a b c") -> list[DicePeer]:
    """Three bots that have met, in the order of play, the one whose turn it is first."""
    peers = [DicePeer(world) for _ in range(3)]
    for peer, name in zip(peers, names.split(), strict=True):
        peer.say(f"AUTH {name}")
    return in_order(world, peers)


def in_order(world: World, peers: list[DicePeer]) -> list[DicePeer]:
    table = newest(world)
    seated = sorted(peers, key=lambda peer: peer.session._number)
    return [seated[(table.turn + n) % 3] for n in range(3)]


def newest(world: World) -> Table:
    return list(world.arena)[-1]


def record(world: World) -> GameRecord:
    return next(entry.record for entry in world.journal.entries if isinstance(entry, Created))


def play_on(world: World, peers: list[DicePeer], hold: int | None = None) -> None:
    """Have everybody roll to so many points a turn, or never, until there is no more to decide."""
    table = newest(world)
    while table.turn >= 0:
        state = table.state
        assert isinstance(state, DiceState)
        (peer,) = (peer for peer in peers if peer.session._number == table.turn)
        peer.say("ROLL" if hold is None or state.points < hold else "SAVE", wait=0.0)


def points(world: World, peer: DicePeer) -> str:
    state, me = newest(world).state, peer.session._number
    assert isinstance(state, DiceState)
    saved = state.saved
    return f"BYE {saved[me]} {saved[(me + 1) % 3]} {saved[(me + 2) % 3]}"


# meeting


def test_three_make_a_game(world: World) -> None:
    peers = [DicePeer(world) for _ in range(3)]
    for n, peer in enumerate(peers):
        assert len(world.arena) == 0
        peer.say(f"AUTH bot{n}")
    assert len(world.arena) == 1
    assert sorted(len(peer.lines) for peer in peers) == [1, 1, 2]
    assert {seat.name for seat in newest(world).seats} == {"bot0", "bot1", "bot2"}


@pytest.mark.parametrize("unread", ["", "ROLL\n", "\n", "xx", "\0"])
def test_one_who_waits_is_gone_with_the_end_whatever_is_unread(world: World, unread: str) -> None:
    ghost, *others = (DicePeer(world) for _ in range(4))
    ghost.send(f"AUTH ghost\n{unread}")
    ghost.finish()
    world.run()
    assert ghost.finished
    for n, peer in enumerate(others):
        peer.say(f"AUTH here{n}")
    assert {seat.name for seat in newest(world).seats} == {"here0", "here1", "here2"}


def test_at_a_table_a_whole_line_before_the_end_still_counts(world: World) -> None:
    first, second, _ = meet(world)
    second.send("SAVE\n")
    second.finish()
    first.say("SAVE")
    assert len(newest(world).history) == 2


# how many of one name


def crowd(settings: DiceSettings, count: int = 3) -> list[DicePeer]:
    """So many bots of one name on a server of their own."""
    world = World(dice=settings)
    peers = [DicePeer(world) for _ in range(count)]
    for peer in peers:
        peer.say("AUTH anna")
    return peers


def test_in_training_a_third_bot_of_one_name_is_refused() -> None:
    """Bitte sehen Sie davon ab, mehr als 2 Instanzen Ihres Bots gleichzeitig spielen zu lassen."""
    first, second, third = crowd(DiceSettings())
    assert third.lines[1:] == [
        "ERR 2 bots named 'anna' are here already, the most in training. Try later."
    ]
    assert third.finished
    assert not first.finished
    assert not second.finished


@pytest.mark.parametrize(
    "settings", [DiceSettings(mode="contest"), DiceSettings(instances=0), DiceSettings(instances=3)]
)
def test_a_contest_and_the_setting_let_more_of_one_name_play(settings: DiceSettings) -> None:
    assert not any(peer.finished for peer in crowd(settings))


@pytest.mark.parametrize("leave", [DicePeer.reset, DicePeer.finish])
def test_a_bot_of_that_name_that_has_left_does_not_count(
    world: World, leave: Callable[[DicePeer], None]
) -> None:
    first, second, third = (DicePeer(world) for _ in range(3))
    first.say("AUTH anna")
    second.say("AUTH anna")
    leave(first)
    third.say("AUTH anna")
    assert not third.finished


def test_a_bot_whose_game_is_over_may_be_started_again_at_once(world: World) -> None:
    """while true; do ./dicebot -n anna HOST; sleep 0.1; done, twice."""
    peers = meet(world, "anna anna bert")
    play_on(world, peers, hold=20)
    parting, *others = (peer for peer in peers if peer.session.name == "anna")
    early = DicePeer(world)
    early.say("AUTH anna")  # both are still to say BYE
    assert early.finished
    parting.say(points(world, parting))
    assert not parting.finished  # the others have not said theirs yet
    again = DicePeer(world)
    again.say("AUTH anna")
    assert not again.finished
    for peer in (*others, *(peer for peer in peers if peer.session.name == "bert")):
        peer.say(points(world, peer))
    assert parting.lines[-1] == "BYE"
    later = DicePeer(world)
    later.say("AUTH anna")
    assert not later.finished


def test_the_order_of_play_is_drawn() -> None:
    orders = set()
    for seed in range(60):
        world = World(dice=DiceSettings(seed=str(seed + 1)))
        orders.add(tuple(peer.session.name for peer in meet(world)))
    assert len(orders) == 6


def test_seeded_dice_fall_the_same_way_again() -> None:
    def game(seed: str) -> list[str]:
        world = World(dice=DiceSettings(seed=seed))
        play_on(world, meet(world), hold=15)
        return [move.move for move in world.journal.moves(record(world).id)]

    assert game("x") == game("x")
    assert game("x") != game("y")
    assert game("") != game("")


def test_a_table_that_waits_is_served_first(world: World) -> None:
    client = SeatRecord(SeatKind.CLIENT, "")
    table = world.table(NewTable("dice", seats=(client, client, client)))
    early = [DicePeer(world), DicePeer(world)]
    for peer in early:
        peer.say("AUTH early")
    assert [seat.ready for seat in table.seats] == [True, True, False]
    assert all(len(peer.lines) == 1 for peer in early)
    early[0].reset()
    world.run(1)
    assert not table.over
    for _ in range(2):
        DicePeer(world).say("AUTH late")
    assert [seat.name for seat in table.seats] == ["late", "early", "late"]
    assert Seated(table.id, 0, "late") in world.journal.entries
    assert table.turn in (0, 1, 2)


# playing


def test_turn_carries_saved_and_this_turns_points(world: World) -> None:
    peers = meet(world)
    for peer in peers:
        assert peer.lines[-1] == "TURN 0 Your turn!"
        peer.say("SAVE")
    peers[0].say("ROLL")
    state = newest(world).state
    assert isinstance(state, DiceState)
    expected = state.saved[state.player] + state.points
    assert f"TURN {expected} Your turn!" in [peer.lines[-1] for peer in peers]


def test_a_decision_is_answered_when_it_is_kept(world: World) -> None:
    first, second, _ = meet(world)
    world.journal.hold = True
    first.say("SAVE")
    assert second.lines[-1].startswith("HELO")
    world.journal.release()
    world.run()
    assert second.lines[-1] == "TURN 0 Your turn!"


def won(world: World) -> list[DicePeer]:
    """A game to the end, everybody holding at 20."""
    peers = meet(world)
    play_on(world, peers, hold=20)
    return peers


def test_the_end_is_told_and_the_score_asked_for(world: World) -> None:
    peers = won(world)
    last = [peer.lines[-1] for peer in peers]
    assert last.count("WIN You win, because you have reached 150 points or more first.") == 1
    lose = "DEF You lose, because another player has reached 150 points or more first."
    assert last.count(lose) == 2
    assert not newest(world).over
    assert all(peer.lines[-2].startswith("THRW") for peer in peers)


def test_only_when_all_are_right_each_gets_bye(world: World) -> None:
    peers = won(world)
    for peer in peers[:2]:
        peer.say(points(world, peer))
        peer.send(b"rubbish\n" * 1000)
    assert not newest(world).over
    assert not any(peer.lines[-1] == "BYE" for peer in peers)
    peers[2].say(points(world, peers[2]))
    assert [peer.lines[-1] for peer in peers] == ["BYE"] * 3
    assert all(peer.finished for peer in peers)
    (result,) = world.journal.results(record(world).id)
    assert (result.reason, result.culprit) == (Reason.WIN, None)


def test_wrong_points_spoil_the_game_for_all(world: World) -> None:
    peers = won(world)
    peers[0].say(points(world, peers[0]))
    peers[1].say("BYE 1 2 3")
    right = points(world, peers[1]).removeprefix("BYE ")
    assert peers[1].lines[-1] == (f"ERR Wrong points in BYE: you said '1 2 3', right is '{right}'.")
    name = peers[1].session.name
    for peer in (peers[0], peers[2]):
        assert peer.lines[-1] == (
            f"ERR The game is broken off, not your fault: '{name}' gave wrong points in BYE."
        )
    (result,) = world.journal.results(record(world).id)
    assert (result.reason, result.winner) == (Reason.PROTOCOL_ERROR, None)
    assert result.culprit == peers[1].session._number


def test_a_hundred_rounds(world: World) -> None:
    peers = meet(world)
    play_on(world, peers, hold=0)
    text = "ERR 100 rounds have passed without a winner, the game is broken off."
    assert [peer.lines[-1] for peer in peers] == [text] * 3
    (result,) = world.journal.results(record(world).id)
    assert (result.reason, result.winner, result.culprit) == (Reason.ABORTED, None, None)


# violations


def test_a_table_may_give_bots_another_time(world: World) -> None:
    client = SeatRecord(SeatKind.CLIENT, "")
    world.table(NewTable("dice", seats=(client, client, client), move_time=500))
    first = meet(world)[0]
    world.run(0.7)
    assert first.lines[-1] == "ERR Your answer is too late: ROLL or SAVE was due within 0.5 s."


def test_one_fault_is_told_once_and_the_first_counts(world: World) -> None:
    first, second, third = meet(world)
    world.journal.hold = True
    first.reset()
    second.reset()
    world.journal.release()
    world.run(1)
    world.journal.release()
    (result,) = world.journal.results(record(world).id)
    assert result.culprit == first.session._number
    assert sum(line.startswith("ERR") for line in third.lines) == 1


def test_a_decision_that_cannot_be_kept(world: World) -> None:
    peers = meet(world)
    world.journal.broken = OSError("disk full")
    peers[0].say("SAVE")
    assert peers[0].lines[-1] == "ERR Internal error of the server, nobody's fault."
    world.journal.broken = None
    peers[1].reset()
    world.run(1)
    assert peers[2].lines[-1].startswith("ERR ")


# modes and the server


def test_the_mode_is_greeted_and_kept() -> None:
    world = World(dice=DiceSettings(mode="contest", target=200, answer=3.0))
    peers = meet(world)
    assert "(v0.1 [contest mode])" in peers[0].lines[0]
    assert record(world).tournament
    assert record(world).options[:1] == ("target=200",)
    assert record(world).move_time == 3000


def test_everybody_is_told_when_the_server_stops(world: World) -> None:
    peers = [*meet(world), DicePeer(world)]
    for peer in peers:
        peer.session.dismiss("closing time")
    world.run(0.1)
    assert {peer.lines[-1] for peer in peers} == {"ERR closing time"}
    assert all(peer.finished for peer in peers)


def test_the_transcript_is_kept(world: World) -> None:
    peers = meet(world)
    peers[0].reset()
    world.run(5)
    wires = world.journal.wires(record(world).id)
    assert sorted(wire.seat or 0 for wire in wires) == [0, 1, 2]
    assert {wire.service for wire in wires} == {"dice"}
