"""The opponent's side of a connection, in bytes; and both sides talking to each other."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.games.connect4.rules import ConnectFour, ConnectFourState
from spielwerk.wire.connect4.host import HostSide, PeerBreach
from spielwerk.wire.connect4.join import (
    OUTCOMES,
    Confirmed,
    InitiatorMoved,
    JoinLimits,
    JoinSide,
)
from spielwerk.wire.connect4.messages import (
    PARAMETERS,
    WHOLE_BOARD,
    GameMessage,
    MessageError,
    Version,
    message,
    read_message,
    write_message,
)

SMALL = ConnectFour(4, 2)
BEGINS = message("start_game")
WINNING = ((0, 4), (1, 5), (2, 6))  # our stones and the initiator's; then we win with 3


def joining(game: ConnectFour = SMALL, version: Version = Version.V2, now: float = 0.0) -> JoinSide:
    return JoinSide(game, "Erna", "game", now, version=version)


def heard(machine: JoinSide, data: bytes, now: float = 0.0) -> list[object]:
    machine.receive(data, now)
    return events(machine, now)


def events(machine: JoinSide, now: float) -> list[object]:
    found: list[object] = []
    while (event := machine.next_event(now)) is not None:
        found.append(event)
    return found


def joined(version: Version = Version.V2, game: ConnectFour = SMALL) -> JoinSide:
    machine = joining(game, version)
    heard(machine, f"join_game_success;{version}\n".encode())
    machine.segment()
    return machine


def win(machine: JoinSide, *, confirmed: bool = False) -> None:
    """Play the game to our winning move, with an initiator that confirms our moves or not."""
    heard(machine, b"start_game\n")
    for own, other in WINNING:
        machine.move(own, 0.0)
        confirmation = f"updated_game_board;{own};2\n" if confirmed else ""
        heard(machine, f"{confirmation}updated_game_board;{other};1\n".encode())
    machine.move(3, 0.0)


def board(*states: int) -> bytes:
    return write_message(message(WHOLE_BOARD, states))


# joining


@pytest.mark.parametrize("asked", Version)
@pytest.mark.parametrize("agreed", Version)  # whatever was asked for: we speak both
def test_it_is_welcome(asked: str, agreed: str) -> None:
    machine = joining(version=Version(asked))
    assert heard(machine, f"join_game_success;{agreed}\n".encode()) == [
        message("join_game_success", Version(agreed))
    ]
    assert machine.version == agreed


def test_it_is_not_welcome() -> None:
    machine = joining()
    machine.segment()
    assert heard(machine, b"join_game_failed;full\n") == [message("join_game_failed", "full")]
    assert machine.closing
    assert machine.segment() == b""


def test_an_initiator_that_does_not_answer() -> None:
    machine = JoinSide(SMALL, "Erna", "game", 100.0, JoinLimits(answer=7.0))
    assert events(machine, 106.9) == []
    (event,) = events(machine, 107.0)
    assert isinstance(event, PeerBreach)
    assert event.late
    assert "join_game_success or join_game_failed did not come within 7 s" in event.problem


# playing


def test_we_begin_and_win() -> None:
    machine = joined()
    assert heard(machine, b"start_game\n") == [BEGINS]
    assert machine.state.game.begins == 1
    for own, other in WINNING:
        machine.move(own, 0.0)
        assert machine.segment() == f"move;{own}\n".encode()
        told = f"updated_game_board;{own};2\nupdated_game_board;{other};1\n"
        assert heard(machine, told.encode()) == [Confirmed(own), InitiatorMoved(other)]
    machine.move(3, 0.0)
    assert heard(machine, b"updated_game_board;3;2\nend_game;2\n") == [
        Confirmed(3),
        message("end_game", 2),
    ]
    assert machine.closing


@pytest.mark.parametrize("word", ["updated_game_board", "update_game_board"])
def test_a_move_is_confirmed_by_the_initiators_next_stone_alone(word: str) -> None:
    """A stranger's host never says that our stone lies; it goes on with its own, or ends."""
    machine = joined()
    heard(machine, b"start_game\n")
    for own, other in WINNING:
        machine.move(own, 0.0)
        told = heard(machine, f"{word};{other};1\n".encode())
        assert told == [Confirmed(own, implied=True), InitiatorMoved(other)]
    machine.move(3, 0.0)
    assert heard(machine, b"end_game;2\n") == [message("end_game", 2)]


def test_a_move_is_confirmed_by_a_board_with_both_stones() -> None:
    machine = begun(Version.V1)
    confirmed = [Confirmed(1, implied=True), InitiatorMoved(5)]
    assert heard(machine, board(0, 2, 0, 0, 0, 1, 0, 0)) == confirmed
    machine.move(0, 0.0)
    assert heard(machine, board(2, 2, 0, 0, 0, 1, 0, 0)) == [Confirmed(0)]  # now as it should


def test_a_stone_after_our_winning_move_is_a_lie() -> None:
    machine = joined()
    win(machine)
    (event,) = heard(machine, b"updated_game_board;7;1\n")
    assert event == PeerBreach("updated_game_board: field 7: The game is over")
    assert machine.state.board.count("2") == 3  # our last move was never confirmed


@pytest.mark.parametrize(
    ("answer", "move", "due"), [(5.0, 60.0, 60.0), (60.0, 5.0, 60.0), (5.0, 0.0, float("inf"))]
)
def test_a_host_that_confirms_nothing_has_the_time_for_its_own_move(
    answer: float, move: float, due: float
) -> None:
    machine = JoinSide(SMALL, "Erna", "game", 0.0, JoinLimits(answer=answer, move=move))
    heard(machine, b"join_game_success;V2\nstart_game\n")
    machine.move(1, 0.0)
    assert machine.due == due
    if due < float("inf"):
        (event,) = events(machine, due)
        assert event == PeerBreach("the board after our move did not come within 60 s", late=True)


def test_a_stone_that_confirms_nothing_and_comes_late_is_late() -> None:
    """It would be a way to think longer than those who confirm."""
    machine = JoinSide(SMALL, "Erna", "game", 0.0, JoinLimits(answer=10.0, move=3.0))
    heard(machine, b"join_game_success;V2\nstart_game\n")
    machine.move(1, 0.0)
    machine.receive(b"updated_game_board;5;1\n", 3.0)
    late = "the board after the initiator's move did not come within 3 s"
    assert events(machine, 3.0) == [Confirmed(1, implied=True), PeerBreach(late, late=True)]


def test_after_our_last_move_only_the_end_is_to_come() -> None:
    machine = JoinSide(SMALL, "Erna", "game", 0.0, JoinLimits(answer=5.0, move=60.0))
    heard(machine, b"join_game_success;V2\n")
    win(machine)
    assert machine.due == 5.0


def test_a_refused_move_ends_the_game_and_abort_game_may_follow() -> None:
    machine = joined()
    heard(machine, b"start_game\n")
    machine.move(1, 0.0)
    machine.segment()
    assert heard(machine, b"moved_failed;I do not like it\nabort_game;over\n") == [
        message("moved_failed", "I do not like it")
    ]
    assert machine.closing


def test_the_initiator_aborts() -> None:
    assert heard(joined(), b"abort_game;lunch\n") == [message("abort_game", "lunch")]


def test_moves_only_when_it_is_our_turn_and_only_possible_ones() -> None:
    machine = joined()
    with pytest.raises(MessageError, match="not our turn"):
        machine.move(0, 0.0)
    heard(machine, b"start_game\n")
    with pytest.raises(ValueError, match="below must be occupied"):
        machine.move(4, 0.0)
    assert machine.segment() == b""
    machine.move(0, 0.0)
    assert machine.segment() == b"move;0\n"


def test_the_initiators_time() -> None:
    limits = JoinLimits(answer=5.0, move=60.0)
    machine = JoinSide(SMALL, "Erna", "game", 0.0, limits)
    heard(machine, b"join_game_success;V2\n", 1.0)
    assert machine.due == 61.0
    heard(machine, b"updated_game_board;0;1\n", 2.0)
    assert events(machine, 1e9) == []  # our own time is no concern of the machine's
    machine.move(1, 100.0)
    assert machine.due == 160.0  # it may be silent until its own move
    heard(machine, b"updated_game_board;1;2\n", 101.0)
    assert machine.due == 161.0
    (event,) = events(machine, 161.0)
    assert event == PeerBreach(
        "the board after the initiator's move did not come within 60 s", late=True
    )


# lies


def begun(version: Version = Version.V2) -> JoinSide:
    machine = joined(version)
    heard(machine, b"start_game\n")
    machine.move(1, 0.0)
    machine.segment()
    return machine


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        ("updated_game_board;2;2", "our move was field 1, not 2"),
        ("updated_game_board;1;1", "field 1: The field is already occupied"),
        ("update_game_board;7;1", "updated_game_board: field 7: The field below must be"),
        ("updated_game_board;1;0", "field 1 is 0, and must be 2"),
        ("updated_game_board;1;7", "state is 7, neither 0, 1 nor 2"),
        ("synchronize_game_board;8;0;0;1;2;2;0;3;0;4;0;5;0;6;0;7;0", "V2 was agreed"),
        ("end_game;2", "by the rules the game is not over"),
        ("start_game", "expected the board after our move"),
        ("join_game_success;V2", "expected the board after our move"),
        ("move;1", "expected the board after our move"),
        ("updated_game_board;1", "takes 2 parameters"),
        ("what", "'what' is no message"),
    ],
)
def test_a_lie_after_our_move_ends_the_game(line: str, explanation: str) -> None:
    machine = begun()
    (event,) = heard(machine, f"{line}\n".encode())
    assert isinstance(event, PeerBreach)
    assert explanation in event.problem
    assert machine.segment().startswith(b"abort_game;")
    assert machine.closing


@pytest.mark.parametrize(
    ("states", "explanation"),
    [
        ((0, 0, 0, 0, 0, 0, 0, 0), "no field has changed, and must be one"),
        ((0, 2, 2, 0, 0, 0, 0, 0), "field 2 is 2, and must be 1"),
        ((0, 2, 0, 0, 0, 0, 1, 0), "field 6: The field below must be occupied first"),
        ((1, 0, 1, 0, 0, 0, 0, 0), "fields 0, 2 have changed"),
        ((0, 1, 0, 0, 0, 0, 0, 0), "field 1 is 1, and must be 2"),
        ((2, 0, 0, 0, 0, 0, 0, 0), "our move was field 1, not 0"),
        ((0, 2, 0, 0), "4 fields, and must be 8"),
        ((1,) * 8, "fields 0, 1, 2, 3, 4, ... have changed"),
        ((), "0 fields, and must be 8"),
    ],
)
def test_a_board_that_is_not_ours_ends_the_game(states: tuple[int, ...], explanation: str) -> None:
    machine = begun(Version.V1)
    (event,) = heard(machine, board(*states))
    assert isinstance(event, PeerBreach)
    assert explanation in event.problem
    assert machine.segment().startswith(b"abort_game;synchronize_game_board: ")


@pytest.mark.parametrize(
    ("line", "explanation"),
    [
        ("updated_game_board;4;1", "field 4: The field below must be occupied first"),
        ("updated_game_board;1;1", "field 1: The field is already occupied"),
        ("updated_game_board;8;1", "field 8: Fields are numbered 0 to 7"),
        ("updated_game_board;5;2", "field 5 is 2, and must be 1"),
        ("moved_failed;what", "expected the board after the initiator's move"),
    ],
)
def test_a_move_of_the_initiator_that_is_not_possible(line: str, explanation: str) -> None:
    machine = begun()
    (_, event) = heard(machine, f"updated_game_board;1;2\n{line}\n".encode())
    assert isinstance(event, PeerBreach)
    assert explanation in event.problem


@pytest.mark.parametrize("outcome", [0, 1])
def test_a_wrong_outcome(outcome: int) -> None:
    machine = joined()
    win(machine, confirmed=True)
    (_, event) = heard(machine, f"updated_game_board;3;2\nend_game;{outcome}\n".encode())
    assert isinstance(event, PeerBreach)
    assert event.problem == f"end_game: {outcome}, and must be 2: four in a line"


def test_a_line_longer_than_any_board() -> None:
    (event,) = heard(joined(), b"x" * 5000)
    assert event == PeerBreach("a line has at most 4096 bytes")


def test_the_largest_board_fits_into_a_line() -> None:
    game = ConnectFour(32, 32, 32)
    machine = joined(Version.V1, game)
    assert heard(machine, board(1, *[0] * (game.size - 1))) == [InitiatorMoved(0)]


# both sides


def is_our_turn(event: object) -> bool:
    return event == BEGINS or isinstance(event, InitiatorMoved)


class Referee:
    """A host that plays at random by the rules, on one machine, against the other."""

    def __init__(self, game: ConnectFour, best: Version, rng: Random) -> None:
        self.machine = HostSide(0.0, best=best)
        self.state: ConnectFourState = game.start()
        self.rng = rng

    def step(self) -> None:
        while (event := self.machine.next_event(0.0)) is not None:
            match event:
                case GameMessage("join_game"):
                    self.machine.accept()
                    if self.state.turn == 1:
                        self.machine.start(0.0)
                    else:
                        self._play(self.rng.choice(self.state.legal_moves()))
                case GameMessage("move", (field,)):
                    self._play(field)
                    if self.state.turn == 0:
                        self._play(self.rng.choice(self.state.legal_moves()))
                case _:
                    raise AssertionError(event)

    def _play(self, field: int) -> None:
        who = self.state.turn
        self.state = self.state.play(field)
        self.machine.tell(field, who + 1, [".12".index(stone) for stone in self.state.board])
        if self.state.outcome:
            self.machine.end(OUTCOMES[self.state.outcome.winner])
        elif who == 0:
            self.machine.ask(0.0)


def pieces(data: bytes, rng: Random) -> list[bytes]:
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(4)))
    ends = [0, *cuts, len(data)]
    return [data[a:b] for a, b in pairwise(ends)]


@given(
    st.tuples(st.integers(1, 6), st.integers(1, 5), st.integers(0, 4), st.integers(0, 1)),
    st.sampled_from(list(Version)),
    st.sampled_from(list(Version)),
    st.randoms(use_true_random=False),
)
def test_both_sides_play_whole_games_in_every_version(
    size: tuple[int, int, int, int], best: Version, asked: Version, rng: Random
) -> None:
    host = Referee(ConnectFour(*size), best, rng)
    guest = joining(ConnectFour(*size[:3]), asked)
    ended = None
    while ended is None:
        for piece in pieces(guest.segment(), rng):
            host.machine.receive(piece, 0.0)
            host.step()
        said = host.machine.segment()
        assert said, "both are waiting"
        for piece in pieces(said, rng):
            for event in heard(guest, piece):
                assert not isinstance(event, PeerBreach), event
                if isinstance(event, GameMessage) and event.header == "end_game":
                    ended = event
                if is_our_turn(event) and not guest.state.outcome:
                    guest.move(rng.choice(guest.state.legal_moves()), 0.0)
    assert guest.version == min(best, asked)
    assert guest.state == host.state
    assert guest.closing
    assert host.machine.closing


LINES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(list(PARAMETERS)).map(str.encode),
    st.sampled_from(
        [
            "join_game_success;V1",
            "join_game_success;V2",
            "start_game",
            "updated_game_board;0;1",
            "updated_game_board;0;2",
            "end_game;0",
            "moved_failed;x",
        ]
    ).map(str.encode),
    st.lists(st.integers(0, 2), min_size=8, max_size=8).map(lambda cells: board(*cells).strip()),
)


@given(st.lists(LINES, max_size=10), st.sampled_from(list(Version)))
def test_whatever_an_initiator_says_we_say_only_messages(
    lines: list[bytes], version: Version
) -> None:
    machine = joining(version=version)
    said, found = machine.segment(), []
    for line in lines:
        for event in heard(machine, line + b"\n"):
            found.append(event)
            if is_our_turn(event) and not machine.state.outcome:
                machine.move(machine.state.legal_moves()[0], 0.0)
        said += machine.segment()
    for line in said.splitlines():
        read_message(line)
    last = ("abort_game", "join_game_failed", "moved_failed", "end_game")
    for event in found[:-1]:
        assert not isinstance(event, PeerBreach)
        assert not (isinstance(event, GameMessage) and event.header in last)
