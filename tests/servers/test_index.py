"""The index server: connections, journal, heartbeats and restarts, in simulated time."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.servers.index_session import PIECE
from spielwerk.store.records import IndexChanged, IndexRecord, IndexStep
from spielwerk.wire.connect4.index import HEARTBEAT, NOT_KEPT
from tests.servers.index_world import IndexWorld, kept

REGISTER = "register_game;martin;martin's game;7;6;4;198.78.202.118;80"
LISTED = "martin;martin's game;7;6;4;198.78.202.118;80"


def test_requests_may_share_a_connection() -> None:
    world = IndexWorld()
    peer = world.connect()
    (registered,) = peer.ask(REGISTER)
    key = registered.removeprefix("register_success;")
    assert peer.ask("request_game_list") == [f"answer_game_list;1;Open;{LISTED}"]
    assert peer.ask(f"seal_game;{key}") == ["seal_game_success"]
    assert peer.ask("request_game_list") == [f"answer_game_list;1;Sealed;{LISTED}"]
    assert peer.ask(f"unregister_game;{key}") == ["unregister_game_success"]
    assert peer.ask("request_game_list") == ["answer_game_list;0"]
    assert not peer.ended()


def test_many_requests_in_one_segment_are_answered_in_order() -> None:
    world = IndexWorld()
    lines = ["request_game_list", REGISTER, "request_game_list", REGISTER, "seal_game;x", ""]
    answers = world.connect().ask(*[f"{line}\n" for line in lines])
    headers = [answer.partition(";")[0] for answer in answers]
    assert headers == [
        "answer_game_list",
        "register_success",
        "answer_game_list",
        "register_failed",
        "seal_game_failed",
    ]


# what cannot be read


def test_a_malformed_request_is_answered_and_the_connection_stays() -> None:
    world = IndexWorld()
    peer = world.connect()
    answers = peer.ask("register_game;a", "seal_game", "unregister_game;x", "request_game_list")
    assert [answer.partition(";")[0] for answer in answers] == [
        "register_failed",
        "seal_game_failed",
        "unregister_game_failed",
        "answer_game_list",
    ]
    assert not peer.ended()
    assert world.counts["index request refused"] == 3


@pytest.mark.parametrize("end", ["", "\n"])
def test_an_oversized_line_is_refused_and_the_connection_closed(end: str) -> None:
    world = IndexWorld(line_limit=100)
    peer = world.connect()
    peer.send("request_game_list\n" + "x" * 101 + end + "request_game_list\n")
    world.run()
    assert peer.lines == ["answer_game_list;0", "error;a line has at most 100 bytes"]
    assert peer.ended()


def test_a_closed_sending_side_after_the_requests_does_not_matter() -> None:
    world = IndexWorld()
    world.journal.hold = True
    peer = world.connect()
    peer.send(f"{REGISTER}\nrequest_game_list\n")
    peer.finish()
    world.run(1)
    assert not peer.ended()
    world.journal.release()
    world.run()
    assert peer.lines[1] == f"answer_game_list;1;Open;{LISTED}"
    assert peer.ended()


def test_an_internal_error_is_told_logged_and_hurts_nobody_else(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = IndexWorld()

    def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    with monkeypatch.context() as patch:
        patch.setattr(world.service.index, "handle", fail)
        peer = world.connect()
        assert peer.ask("request_game_list") == ["error;internal error"]
        assert peer.ended()
    assert "out of order" in caplog.text
    assert world.connect().ask("request_game_list") == ["answer_game_list;0"]


# the journal comes before the answer


def test_nothing_is_confirmed_before_it_is_kept() -> None:
    world = IndexWorld()
    peer, other = world.connect(), world.connect()
    key = peer.register("kept")
    for line, answer in (
        (REGISTER, "register_success;"),
        (f"seal_game;{key}", "seal_game_success"),
        (f"unregister_game;{key}", "unregister_game_success"),
    ):
        world.journal.hold = True
        (before,) = other.ask("request_game_list")
        assert peer.ask(line, "request_game_list") == []
        world.run(1)
        assert other.ask("request_game_list") == [before]
        world.journal.hold = False
        world.journal.release()
        world.run()
        confirmed, listed = peer.lines[-2:]
        assert confirmed.startswith(answer)
        assert [listed] == other.ask("request_game_list") != [before]


def test_what_is_written() -> None:
    world = IndexWorld()
    peer = world.connect("10.0.0.7")
    key = peer.register("game", port=8080, address="localhost")
    peer.ask(f"seal_game;{key}", f"unregister_game;{key}")
    record, sealed, removed = world.journal.entries
    assert isinstance(record, IndexRecord)
    assert (record.guid, record.name, record.player) == (key, "game", "anna")
    assert (record.width, record.height, record.depth) == (7, 6, 4)
    assert (record.address, record.port, record.owner) == ("localhost", 8080, "10.0.0.7")
    assert sealed == IndexChanged((key,), IndexStep.SEALED)
    assert removed == IndexChanged((key,), IndexStep.REMOVED)


def test_what_cannot_be_kept_has_not_happened(caplog: pytest.LogCaptureFixture) -> None:
    world = IndexWorld()
    peer = world.connect()
    key = peer.register("mine")
    world.journal.broken = OSError("the disk is full")
    assert peer.ask(REGISTER, f"seal_game;{key}", f"unregister_game;{key}") == [
        f"register_failed;{NOT_KEPT}",
        f"seal_game_failed;{NOT_KEPT}",
        f"unregister_game_failed;{NOT_KEPT}",
    ]
    assert peer.ask("request_game_list")[0].startswith("answer_game_list;1;Open;anna;mine;")
    assert "the disk is full" in caplog.text
    world.journal.broken = None
    assert peer.ask(f"seal_game;{key}") == ["seal_game_success"]
    assert peer.ask(REGISTER)[0].startswith("register_success;")


def test_a_client_that_vanishes_while_its_game_is_written_leaves_a_sound_list() -> None:
    world = IndexWorld()
    world.journal.hold = True
    peer = world.connect()
    peer.send(f"{REGISTER}\n")
    peer.reset()
    world.journal.hold = False
    world.journal.release()
    world.run()
    assert world.names() == ["martin's game"] == [game.name for game in kept(world.journal.entries)]
    world.run(60.2)
    assert world.names() == [] == kept(world.journal.entries)


# nobody delays anybody


def test_a_flood_is_served_one_request_a_turn() -> None:
    world = IndexWorld()
    flooder, prober = world.connect(), world.connect()
    flooder.send(b"request_game_list\n" * 1000)
    prober.send(b"request_game_list\n")
    assert len(prober.lines) == 1
    assert len(flooder.lines) < 5
    world.run()
    assert len(flooder.lines) == 1000


def test_who_sends_faster_than_we_answer_has_to_wait() -> None:
    world = IndexWorld(backlog=1024)
    world.journal.hold = True
    peer = world.connect()
    peer.send(f"{REGISTER}\n")
    peer.send(b"request_game_list\n" * 60 + b"request_ga")
    assert (peer.wire.paused, peer.wire.reading) == (1, False)
    world.journal.release()
    world.run()
    assert peer.wire.reading
    assert len(peer.lines) == 61
    assert peer.ask("me_list")[0].startswith("answer_game_list;1;")


def test_who_does_not_read_is_dropped_and_its_requests_wait() -> None:
    world = IndexWorld(reading=10)
    peer = world.connect()
    peer.wire.room = 100
    peer.send(b"request_game_list\n" * 1000)
    world.run(9.9)
    assert len(peer.lines) < 10
    assert not peer.ended()
    world.run(0.2)
    assert peer.ended()
    assert world.connect().ask("request_game_list") == ["answer_game_list;0"]


def test_a_long_list_comes_in_pieces_and_whole() -> None:
    world = IndexWorld(entries_each=2000)
    host = world.connect()
    for number in range(1500):
        host.register(f"{number} {'x' * 80}")
    whole = world.connect().ask("request_game_list")[0]
    assert len(whole) > 4 * PIECE
    peer = world.connect()
    peer.wire.room = 10
    peer.send("request_game_list\n")
    world.run(5)
    assert len(peer.said) == PIECE
    host.register("a new one")  # a list that is being sent does not change
    while not peer.lines:
        peer.wire.room = 10
        peer.session.resume_writing()
        world.run(5)
    assert peer.lines == [whole]
    assert not peer.ended()


def test_an_idle_connection_is_closed_in_time() -> None:
    world = IndexWorld(idle=100)
    silent, slow = world.connect(), world.connect()
    for _ in range(11):
        world.run(9)
        slow.send("x")
    assert not silent.ended()
    world.run(2)
    assert silent.ended()
    assert not slow.ended()


def test_a_host_has_only_so_many_connections() -> None:
    world = IndexWorld(connections_each=2)
    peers = [world.connect("10.0.0.1") for _ in range(3)]
    world.run()
    assert [peer.ended() for peer in peers] == [False, False, True]
    assert world.connect("10.0.0.2").ask("request_game_list") == ["answer_game_list;0"]
    peers[0].reset()
    assert world.connect("10.0.0.1").ask("request_game_list") == ["answer_game_list;0"]


def test_when_the_server_stops_what_is_being_written_is_still_answered() -> None:
    world = IndexWorld()
    world.journal.hold = True
    busy, idle = world.connect(), world.connect()
    busy.send(f"{REGISTER}\n{REGISTER}\n")
    for peer in (busy, idle):
        peer.session.dismiss("the server stops")
    assert idle.ended()
    assert not busy.ended()
    world.journal.release()
    world.run()
    (answer,) = busy.lines
    assert answer.startswith("register_success;")
    assert busy.ended()


def test_no_guid_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world = IndexWorld()
    peer = world.connect()
    keys = [peer.register(name) for name in "abc"]
    peer.ask(f"seal_game;{keys[0]}", f"unregister_game;{keys[1]}")
    world.journal.broken = OSError("full")
    peer.ask(f"unregister_game;{keys[0]}")
    world.run(100)
    assert "name='c'" in caplog.text
    assert not any(key in caplog.text for key in keys)


# heartbeats


def test_heartbeats_go_out_every_ten_seconds() -> None:
    world = IndexWorld()
    begin = world.loop.time()
    world.connect("10.0.0.1").register("a", port=80)
    world.connect("10.0.0.2").register("b", port=81)
    world.run(41)
    for target in (("10.0.0.1", 80), ("10.0.0.2", 81)):
        times = [at - begin for at, to in world.sent.datagrams if to == target]
        assert times == pytest.approx([10, 20, 30, 40], abs=0.35)


def test_silence_removes_all_games_of_an_initiator_together_and_that_is_kept() -> None:
    world = IndexWorld()
    peer = world.connect()
    keys = [peer.register(name, port=80) for name in "abc"]
    peer.register("other", port=81)
    for _ in range(6):
        world.run(10)
        world.service.heartbeat(HEARTBEAT, ("127.0.0.1", 81))
    world.run(0.2)
    assert world.names() == ["other"]
    assert world.journal.entries[-1] == IndexChanged(tuple(keys), IndexStep.REMOVED)


def test_forged_and_oversized_datagrams_are_counted_never_answered_and_change_nothing() -> None:
    world = IndexWorld()
    world.connect().register("a", port=80)
    for _ in range(100):
        world.service.heartbeat(HEARTBEAT, ("10.6.6.6", 80))
        world.service.heartbeat(b"register_game;a;b;7;6;4;host;80\n", ("127.0.0.1", 80))
        world.service._oversized(("127.0.0.1", 80))
    assert world.counts["index unknown initiator"] == 100
    assert world.counts["index no heartbeat"] == 100
    assert world.counts["index oversized datagram"] == 100
    assert world.sent.datagrams == []
    world.run(60.2)
    assert world.names() == []
    assert {target for _, target in world.sent.datagrams} == {("127.0.0.1", 80)}


def test_games_fall_away_also_when_that_cannot_be_kept(caplog: pytest.LogCaptureFixture) -> None:
    world = IndexWorld()
    world.connect().register("a")
    world.journal.broken = OSError("full")
    world.run(60.2)
    assert world.names() == []
    assert "removal not written" in caplog.text
    assert [game.name for game in kept(world.journal.entries)] == ["a"]
    later = IndexWorld(world.journal)  # it comes back, and goes again
    assert later.names() == ["a"]
    later.run(60.2)
    assert later.names() == []


def test_a_mistake_does_not_stop_the_clock(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world = IndexWorld()
    world.connect().register("a")

    def fail(*_: object) -> None:
        raise RuntimeError("no more beats")

    with monkeypatch.context() as patch:
        patch.setattr(world.service, "_beat", fail)
        world.run(10.2)
    assert "no more beats" in caplog.text
    world.run(50.2)
    assert world.names() == []


# restarts


def test_the_list_survives_a_restart() -> None:
    world = IndexWorld()
    peer = world.connect()
    keys = [peer.register(name) for name in "abc"]
    peer.ask(f"seal_game;{keys[0]}", f"unregister_game;{keys[1]}")
    (before,) = peer.ask("request_game_list")
    later = IndexWorld(world.journal)
    peer = later.connect()
    assert peer.ask("request_game_list") == [before]
    assert peer.ask("register_game;x;a;4;4;4;host;80")[0].startswith("register_failed;")
    assert peer.ask(f"seal_game;{keys[2]}", f"unregister_game;{keys[0]}") == [
        "seal_game_success",
        "unregister_game_success",
    ]


ACTIONS: st.SearchStrategy[Any] = st.one_of(
    st.tuples(st.just("register"), st.sampled_from("abcd")),
    st.tuples(st.sampled_from(["seal_game", "unregister_game"]), st.integers(0, 5)),
    st.tuples(st.just("wait"), st.sampled_from([1, 30, 61])),
    st.tuples(st.just("restart"), st.booleans()),
    st.tuples(st.just("break"), st.booleans()),
)


@given(st.lists(ACTIONS, max_size=30))
def test_what_was_confirmed_holds_whatever_happens(actions: list[Any]) -> None:
    """A disk that comes and goes, restarts in the middle of a write, and clients that go on."""
    world = IndexWorld(silence=0)
    keys: list[str] = []
    listed: dict[str, str] = {}  # what we were told
    for verb, argument in actions:
        if verb == "wait":
            world.run(argument)
        elif verb == "break":
            world.journal.broken = OSError("full") if argument else None
        elif verb == "restart":
            world = IndexWorld(world.journal, silence=0)
        elif verb == "register":
            (answer,) = world.connect().ask(f"register_game;x;{argument};7;6;4;host;80")
            if answer.startswith("register_success"):
                keys.append(answer.partition(";")[2])
                listed[keys[-1]] = f"Open;x;{argument};7;6;4;host;80"
        elif argument < len(keys):
            (answer,) = world.connect().ask(f"{verb};{keys[argument]}")
            if answer == "seal_game_success":
                listed[keys[argument]] = listed[keys[argument]].replace("Open", "Sealed")
            elif answer == "unregister_game_success":
                del listed[keys[argument]]
        (whole,) = world.connect().ask("request_game_list")
        assert sorted(whole.split(";")[1:]) == sorted(
            [str(len(listed)), *";".join(listed.values()).split(";")]
            if listed
            else [str(len(listed))]
        )
