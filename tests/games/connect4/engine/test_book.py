"""The book of 7 x 6: its scores and moves against the solver, itself and what is known."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from benchmarks.connect4 import played

from spielwerk.engines.interface import Limits, Score, Stop
from spielwerk.engines.tables import TableFileError, read_table, write_table
from spielwerk.games.connect4.engine import book_maker
from spielwerk.games.connect4.engine.book_maker import COMPLETE, BookMaker, landings
from spielwerk.games.connect4.engine.flat_board import FlatPosition, position_of
from spielwerk.games.connect4.engine.flat_book import (
    BOOK_BOARD,
    KIND,
    SHIPPED,
    VERSION,
    BookEntry,
    FlatBook,
    book_for,
    canonical,
    key_of,
    read_book,
    squares_of,
    write_book,
)
from spielwerk.games.connect4.engine.flat_engine import FlatEngine
from spielwerk.games.connect4.engine.flat_solver import Solver
from spielwerk.games.connect4.rules import ConnectFour

FIRST_MOVES = (-2, -1, 0, 1, 0, -1, -2)  # published, by column
START = FlatPosition(0, 0)
QUICK = 12
"""With so many stones and more, the solver soon has the score of a position."""


@pytest.fixture(scope="module")
def book() -> FlatBook:
    return read_book(SHIPPED)


@pytest.fixture(scope="module")
def engine() -> FlatEngine:
    return FlatEngine(table_bits=20)


def image(position: FlatPosition) -> FlatPosition:
    """The position mirrored left to right."""
    return FlatPosition(mirrored(position.mover), mirrored(position.occupied))


def mirrored(board: int) -> int:
    return sum(
        BOOK_BOARD.square(row * 7 + 6 - column)
        for row, column in product(range(6), range(7))
        if board & BOOK_BOARD.square(row * 7 + column)
    )


def openings(stones: int) -> list[dict[int, FlatPosition]]:
    """All positions with 0, 1, ... up to so many stones by key; nobody can have won."""
    layers = [{0: START}]
    for _ in range(stones):
        children = [p.after(square) for p in layers[-1].values() for square in landings(p)]
        layers.append({key_of(child): child for child in children})
    return layers


def score_in(book: FlatBook, position: FlatPosition) -> int:
    found = book.find(position)
    assert found
    return found.score


def perfect_game(book: FlatBook, chance: random.Random) -> list[FlatPosition]:
    """The positions of the book in a game of its moves against any."""
    solver, position, found = Solver(BOOK_BOARD, 0), START, []
    if chance.random() < 0.5:
        position = position.after(chance.choice(landings(position)))
    while (entry := book.find(position)) and entry.columns:
        found.append(position)
        position = position.after(chance.choice(squares_of(entry.columns, landings(position))))
        reply = chance.choice(landings(position))
        if solver.wins(position, reply):
            break
        position = position.after(reply)
    return found


def stopped() -> Stop:
    stop = Stop()
    stop.set()
    return stop


def test_it_holds_every_position_with_few_stones(book: FlatBook) -> None:
    for layer in openings(COMPLETE):
        assert all(book.find(position) for position in layer.values())


def test_the_key_is_that_of_the_mirror_image_and_no_other() -> None:
    positions = {played(f"{a}{b}{c}{d}")[-1] for a, b, c, d in product("1234567", repeat=4)}
    pairs = {frozenset({position, image(position)}) for position in positions}
    assert all(key_of(position) == key_of(image(position)) for position in positions)
    assert all(canonical(position) == canonical(image(position)) for position in positions)
    assert len({key_of(position) for position in positions}) == len(pairs) == 568


def test_every_early_score_is_the_best_of_the_moves(book: FlatBook) -> None:
    for layer in openings(COMPLETE - 1):
        for position in layer.values():
            children = [position.after(square) for square in landings(position)]
            best = max(-score_in(book, child) for child in children)
            assert score_in(book, position) == best


def test_the_solver_finds_the_same_scores_and_moves(book: FlatBook) -> None:
    chance, solver, compared = random.Random(3), Solver(BOOK_BOARD, 20), 0
    while compared < 20:
        late = [p for p in perfect_game(book, chance) if p.stones >= QUICK]
        for position in (*late, *map(image, late)):
            entry = book.find(position)
            assert entry
            assert solver.score(position) == entry.score
            best = solver.best_moves(position, entry.score)
            assert set(squares_of(entry.columns, landings(position))) <= set(best or ())
            compared += 1


def test_a_move_of_the_book_keeps_the_score(book: FlatBook) -> None:
    chance, compared = random.Random(4), 0
    for _ in range(500):
        for position in perfect_game(book, chance):
            entry = book.find(position)
            assert entry
            for square in squares_of(entry.columns, landings(position)):
                after = book.find(position.after(square))
                compared += after is not None
                assert after is None or -after.score == entry.score
    assert compared > 100


def test_what_is_published_is_in_it(book: FlatBook) -> None:
    assert score_in(book, START) == 1
    assert tuple(-score_in(book, played(column)[-1]) for column in "1234567") == FIRST_MOVES


@pytest.mark.parametrize("limits", [Limits(), Limits(nodes=1), Limits(time=0.001)])
def test_the_first_move_is_known_at_once(engine: FlatEngine, limits: Limits) -> None:
    state = ConnectFour().start()
    result = engine.search(state, limits)
    assert result.move == 3
    assert result.score == Score(1.0, exact=True, result=1, plies=41)
    assert engine.search(state, stop=stopped()).move == 3


def test_the_engine_plays_a_move_of_the_book(engine: FlatEngine, book: FlatBook) -> None:
    state = ConnectFour().start()
    for _ in range(3):
        entry = book.find(position_of(state))
        assert entry
        result = engine.search(state, stop=stopped())
        assert result.score.exact
        assert entry.columns >> result.move % 7 & 1
        state = state.play(result.move)
        state = state.play(state.legal_moves()[0])


def test_levels_of_limited_depth_do_not_use_it(engine: FlatEngine) -> None:
    state = ConnectFour().start()
    assert not engine.search(state, Limits(depth=3)).score.exact
    assert not any(score.exact for score in engine.analyse(state, Limits(depth=2)).values())


@pytest.mark.parametrize("positions", [None, 0, 1, 10**6, -2])
def test_a_wrong_number_of_positions_is_damage(tmp_path: Path, positions: int | None) -> None:
    path, content = tmp_path / "some.table", read_table(SHIPPED, KIND, VERSION)[1]
    write_table(path, KIND, VERSION, {"positions": positions}, content)
    with pytest.raises(TableFileError, match=r"some\.table: damaged"):
        read_book(path)


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:-9] + bytes(9)])
def test_a_kept_book_that_was_cut_or_changed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: object
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    path = tmp_path / "connect4-7x6.table"
    path.write_bytes(damage(SHIPPED.read_bytes()))  # type: ignore[operator]
    with pytest.raises(TableFileError, match=r"connect4-7x6\.table: damaged"):
        book_for.__wrapped__(BOOK_BOARD)


def test_an_interrupted_computation_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, centre = tmp_path / "judged", 1 << 21
    firsts = {
        key_of(START.after(square)): BookEntry(-1 if square == centre else 0, 1 << 3)
        for square in landings(START)
    }
    seconds = [START.after(centre).after(square) for square in landings(START.after(centre))]
    easy = {key_of(position): BookEntry(1, book_maker.EASY_FLAG) for position in seconds}
    write_book(judged, FlatBook(firsts | easy))
    monkeypatch.setattr(book_maker, "COMPLETE", 1)
    monkeypatch.setattr(book_maker, "LAST", 1)
    made = BookMaker(judged, 1, lambda *_: pytest.fail("judged again")).make()
    assert made.entries() == {key_of(START): BookEntry(1, 1 << 3)} | firsts
