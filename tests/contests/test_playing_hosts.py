"""Connect Four with programs that host, and the doors of those that join."""

from __future__ import annotations

import re

import pytest

from spielwerk.contests.contest import AssignedPlayer
from spielwerk.contests.playing.seats.connect4 import DISAGREED
from spielwerk.contests.programs.network import PORTS
from spielwerk.net.connection import Direction
from spielwerk.store.records import Reason
from tests.contests.stage import (
    BY_RULE,
    HOSTING,
    assigned,
    engine,
    played,
    played_by_rule,
    program,
    said,
)

ROLE = ("role=host",)


def host(arguments: str = "", name: str = "hagen") -> AssignedPlayer:
    return program(HOSTING, arguments, name, options=ROLE)


def test_a_program_that_hosts_decides_who_begins_and_the_record_follows() -> None:
    beginners = set()
    for attempt in range(12):
        one = played_by_rule(assigned("connect4", engine(), host(), seed=str(attempt)))
        assert one.record is not None
        first = one.record.moves[0].seat
        assert f"begins={first}" in one.record.options
        assert (b"start_game" in said(one, 1)) == (first == 0)
        assert one.reports[1].status == "exit 0"
        beginners.add(first)
        if len(beginners) == 2:
            break
    assert beginners == {0, 1}


def test_one_who_hosts_plays_one_who_joins() -> None:
    seats = (program("connect4", "--version V2", "jana"), host())
    one = played_by_rule(assigned("connect4", *seats))
    assert [report.status for report in one.reports] == ["exit 0", "exit 0"]
    assert b"join_game;jana;Partie" in said(one, 0)
    assert b"join_game;jana;mine" in said(one, 1, Direction.SENT)


def test_each_program_hears_the_words_and_the_version_that_it_knows() -> None:
    """The contest speaks the variant, one entrant knows the document's words alone."""
    anna = program("connect4", "--spelling variant", "anna")
    bert = program("connect4", name="bert", options=("spelling=document", "version=V1"))
    one = played_by_rule(assigned("connect4", anna, bert, spelling="variant"))
    assert b"update_game_board" in said(one, 0, Direction.SENT)
    assert b"updated_game_board" not in said(one, 0, Direction.SENT)
    assert b"join_game_success;V1\n" in said(one, 1, Direction.SENT)  # it asked for V2
    assert b"synchronize_game_board" in said(one, 1, Direction.SENT)


def test_who_hosts_hears_its_words_from_the_index_server_and_is_asked_for_its_version() -> None:
    options = (*ROLE, "spelling=variant", "version=V1")
    one = program(HOSTING, "--spelling variant", "hagen", options=options)
    game = played_by_rule(assigned("connect4", one, engine()))
    assert b";V1\n" in said(game, 0, Direction.SENT)
    assert b"synchronize_game_board" in said(game, 0)


def test_a_host_that_confirms_no_moves_plays_to_the_end() -> None:
    options = (*ROLE, "version=V1")
    slow = "--silent --fault slow --move-time 200 --fault-at 2"
    one = program(HOSTING, slow, "hagen", options=options)
    game = played_by_rule(assigned("connect4", one, engine()))
    assert game.record is not None
    _, second, *_ = [move.took for move in game.record.moves if move.seat == 0]
    assert second >= 150  # it has thought since our move


def test_two_who_host_play_each_other_if_they_agree_on_who_begins() -> None:
    ends = set()
    for attempt in range(20):
        (one,) = played(assigned("connect4", host(), host(), seed=str(attempt)))
        assert one.ending.reason in (*BY_RULE, Reason.SERVER_ERROR), one.ending
        if one.ending.reason is Reason.SERVER_ERROR:
            assert one.ending.detail == DISAGREED
        ends.add(one.ending.reason is Reason.SERVER_ERROR)
        if len(ends) == 2:
            break
    assert ends == {True, False}


def test_a_flat_board_of_depth_one_is_that_of_depth_zero() -> None:
    played_by_rule(assigned("connect4", host("--size 7x6x1")))


@pytest.mark.parametrize("size", ["7x6x2", "200x200x200"])
def test_who_hosts_another_board_plays_another_game(size: str) -> None:
    (one,) = played(assigned("connect4", engine(), host(f"--size {size}")))
    assert (one.ending.reason, one.ending.winner) == (Reason.PROTOCOL_ERROR, 0)
    assert one.ending.detail.endswith("fields, not 7 x 6 x 1")


def test_what_is_said_to_one_is_not_what_is_said_to_the_other() -> None:
    """Each program is the opponent in its own game, and its stones are the 2."""
    seats = (program("connect4", name="anna"), program("connect4", name="bert"))
    (one,) = played(assigned("connect4", *seats))
    assert one.record is not None
    first = one.record.moves[0].move.encode()
    assert b"updated_game_board;" + first + b";2\n" in said(one, 0, Direction.SENT)
    assert b"updated_game_board;" + first + b";1\n" in said(one, 1, Direction.SENT)
    ends = {None: (b"0", b"0"), 0: (b"2", b"1"), 1: (b"1", b"2")}[one.ending.winner]
    for seat, end in enumerate(ends):
        assert b"end_game;" + end + b"\n" in said(one, seat, Direction.SENT)


def test_who_joins_a_game_that_does_not_exist_has_not_come() -> None:
    lost = program(
        "connect4.py --index {index_host}:{index_port} --name {name} --game elsewhere", name="jana"
    )
    (one,) = played(assigned("connect4", lost))
    assert (one.ending.reason, one.ending.winner) == (Reason.NO_START, 1)
    assert "there is no open game" in one.reports[0].output


def test_who_has_come_is_told_if_the_one_who_hosts_does_not_begin() -> None:
    """Connect Four protocol, 3.3: all players are told of an early end."""
    seats = (program("connect4", name="jana"), host("--fault crash-at-start"))
    (one,) = played(assigned("connect4", *seats))
    assert (one.ending.reason, one.ending.culprits) == (Reason.NO_START, (1,))
    assert b"join_game;jana;Partie;V2" in said(one, 0)
    assert said(one, 0, Direction.SENT).endswith(b"abort_game;not everyone has shown up\n")
    assert [wire.seat for wire in one.wires] == [0]
    assert "abort_game not everyone has shown up" in one.reports[0].output
    assert one.reports[0].status == "exit 1"  # by itself


# where a host listens


def test_a_host_may_register_first_and_listen_a_moment_later() -> None:
    played_by_rule(assigned("connect4", host("--listen-after 0.3"), engine()))


def test_a_host_that_never_listens_has_not_come() -> None:
    (one,) = played(assigned("connect4", host("--listen-after 60"), engine(), start=1.5))
    assert (one.ending.reason, one.ending.culprits) == (Reason.NO_START, (0,))
    assert one.ending.detail == "did not take its seat within 1.5 s"


def test_a_host_that_ends_before_it_listens_is_not_waited_for() -> None:
    bind = "import socket, sys; s = socket.create_connection((sys.argv[1], int(sys.argv[2])));"
    code = f"{bind} s.sendall(b'register_game;a;b;7;6;0;127.0.0.1;9\\\\n'); s.recv(99); sys.exit(3)"
    ending = f'-c "{code}" {{index_host}} {{index_port}}'
    (one,) = played(assigned("connect4", program(ending, options=ROLE), engine()))
    assert one.ending.detail == "the program exited at startup: exit 3"


def test_a_host_can_be_told_its_port() -> None:
    one = played_by_rule(assigned("connect4", host("--port {port}"), engine()))
    (wire,) = one.wires
    assert int(wire.peer.rpartition(":")[2]) in PORTS


# giving up


@pytest.mark.parametrize(("seat", "hosting"), [(0, False), (1, True)])
def test_the_reason_that_a_program_gives_is_told(seat: int, hosting: bool) -> None:
    wish = "--give-up 'ich mag nicht'"
    quitter = host(wish) if hosting else program("connect4", wish)
    seats = (engine(), quitter) if seat else (quitter, engine())
    for attempt in range(2):  # whoever begins
        (one,) = played(assigned("connect4", *seats, seed=str(attempt)))
        assert (one.ending.reason, one.ending.culprits) == (Reason.CONNECTION_LOST, (seat,)), (
            one.ending
        )
        assert one.ending.detail == "aborted the game: 'ich mag nicht'"


def test_a_long_reason_is_cut_and_none_is_none() -> None:
    (long,) = played(assigned("connect4", program("connect4", f"--give-up {'x' * 3000}")))
    assert re.fullmatch(r"aborted the game: 'x{200}\.\.\.'", long.ending.detail)
    (none,) = played(assigned("connect4", program("connect4", "--give-up ''")))
    assert none.ending.detail == "aborted the game: no explanation"


# what a host says of the end


@pytest.mark.parametrize(("seat", "other"), [(0, engine()), (1, program("connect4", name="jana"))])
def test_a_host_that_tells_a_wrong_outcome_has_lost(seat: int, other: AssignedPlayer) -> None:
    """Whoever has won by the rules: it is as with a wrong BYE."""
    seats = (other, host("--end wrong")) if seat else (host("--end wrong"), other)
    (one,) = played(assigned("connect4", *seats))
    assert (one.ending.reason, one.ending.culprits) == (Reason.PROTOCOL_ERROR, (seat,)), one.ending
    assert one.ending.winner == 1 - seat
    assert re.fullmatch(r"end_game: \d, and must be \d: .+", one.ending.detail)
    assert b"abort_game;end_game: " in said(one, seat, Direction.SENT)
    assert one.record is not None
    assert one.record.result is not None
    assert (one.record.result.reason, one.record.result.winner) == (Reason.PROTOCOL_ERROR, 1 - seat)


def test_a_host_that_says_nothing_of_the_end_has_not_lied() -> None:
    played_by_rule(assigned("connect4", host("--end none"), engine()))
