"""Transcripts: what was said, in order, with times, in a room of fixed size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spielwerk.net.connection import Cursor, Direction, Piece, Transcript, unpack

HEADER = 20  # bytes for time, direction and length, at most
PIECES = st.lists(
    st.tuples(
        st.sampled_from([Direction.SENT, Direction.RECEIVED]),
        st.integers(0, 300).map(lambda length: b"x" * length),
    ),
    max_size=60,
)


def written(limit: int, pieces: list[tuple[Direction, bytes]]) -> list[Piece]:
    """The pieces, one a second, as they come back."""
    transcript = Transcript(limit)
    for second, (direction, data) in enumerate(pieces):
        transcript.add(second, direction, data)
    return unpack(transcript.pack())


def size(pieces: list[Piece]) -> int:
    """All bytes that were said, those that are only counted too."""
    return sum(
        int(piece.data) if piece.direction is Direction.LEFT_OUT else len(piece.data)
        for piece in pieces
    )


def told(pieces: list[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.direction is not Direction.LEFT_OUT]


@given(PIECES)
def test_what_fits_comes_back_as_it_was(pieces: list[tuple[Direction, bytes]]) -> None:
    room = 3 * sum(len(data) + HEADER for _, data in pieces)
    expected = [Piece(1000 * n, side, data) for n, (side, data) in enumerate(pieces)]
    assert written(room, pieces) == expected


def test_times_are_milliseconds_and_never_before_the_beginning() -> None:
    transcript = Transcript(1000)
    transcript.add(-0.5, Direction.SENT, b"a")
    transcript.add(1.234, Direction.RECEIVED, b"b")
    assert [piece.at for piece in unpack(transcript.pack())] == [0, 1234]


@given(PIECES, st.integers(0, 3000))
def test_no_more_is_kept_than_the_limit_and_its_last_pieces(
    pieces: list[tuple[Direction, bytes]], limit: int
) -> None:
    kept = written(limit, pieces)
    longest = HEADER + 300
    assert sum(len(piece.data) + HEADER for piece in kept) <= limit + 3 * longest


@given(PIECES, st.integers(0, 3000))
def test_every_byte_is_kept_or_counted(pieces: list[tuple[Direction, bytes]], limit: int) -> None:
    assert size(written(limit, pieces)) == sum(len(data) for _, data in pieces)


@given(PIECES, st.integers(0, 3000))
def test_what_is_kept_is_in_order(pieces: list[tuple[Direction, bytes]], limit: int) -> None:
    times = [piece.at for piece in told(written(limit, pieces))]
    assert times == sorted(times)


@given(PIECES.filter(bool), st.integers(2000, 3000))
def test_the_beginning_and_the_end_are_kept(
    pieces: list[tuple[Direction, bytes]], limit: int
) -> None:
    kept = told(written(limit, pieces))
    assert kept[0] == Piece(0, *pieces[0])
    assert kept[-1] == Piece(1000 * (len(pieces) - 1), *pieces[-1])


def test_a_flood_is_told_by_its_beginning_and_its_length() -> None:
    kept = written(30_000, [(Direction.RECEIVED, b"z" * 1_000_000)])
    assert kept == [
        Piece(0, Direction.RECEIVED, b"z" * 4096),
        Piece(0, Direction.LEFT_OUT, b"995904"),
    ]


def test_floods_are_counted_to_the_last_byte() -> None:
    flood = [(Direction.RECEIVED, b"z" * 100_000)] * 50
    assert size(written(15_000, flood)) == 5_000_000


# following


@given(PIECES, st.integers(300, 3000), st.sets(st.integers(0, 60)))
def test_who_follows_hears_everything_once(
    pieces: list[tuple[Direction, bytes]], limit: int, looks: set[int]
) -> None:
    transcript, place = Transcript(limit), Cursor()
    heard: list[Piece] = []
    for second, (direction, data) in enumerate(pieces):
        transcript.add(second, direction, data)
        if second in looks:
            news, place = transcript.after(place)
            heard += news
    news, place = transcript.after(place)
    heard += news
    assert size(heard) == sum(len(data) for _, data in pieces)
    assert place.pieces == len(pieces)
    assert transcript.after(place) == ([], place)
    kept = [piece for piece in heard if piece.direction is not Direction.LEFT_OUT]
    said = [(direction, data) for _, direction, data in kept]
    rest = iter(pieces)
    assert all(piece in rest for piece in said)


def test_from_the_beginning_it_is_what_would_be_kept() -> None:
    transcript = Transcript(300)
    for number in range(100):
        transcript.add(number, Direction.SENT, b"%d" % number)
        assert transcript.after(Cursor())[0] == unpack(transcript.pack())


def test_the_directions_are_numbered_as_stores_have_them() -> None:
    assert [*Direction] == [0, 1, 2]
    assert Direction(0) is Direction.RECEIVED
    assert Direction(1) is Direction.SENT
