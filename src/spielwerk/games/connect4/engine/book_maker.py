"""Making the book of 7 x 6: which positions perfect games lead to, and which of them are hard.

First all positions with few stones get their scores. The walk through perfect games then begins
with the empty board for the player who begins, and with every first move for the other. It goes
on from each position with best moves and any replies to the next positions in which it is the same
player's turn. Where more than one move is best, all are followed as long as there are few stones,
later only one from hard positions. Positions are hard if the solver with an empty table needs more
nodes than an answer may take; they get into the book. Positions that take it next to nothing are
not followed: what comes after them is not hard either.

What was judged is kept in a file, so that an interrupted computation goes on where it was.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Final

from spielwerk.games.connect4.engine.flat_board import FlatPosition
from spielwerk.games.connect4.engine.flat_book import (
    BOOK_BOARD,
    BookEntry,
    FlatBook,
    canonical,
    key_of,
    read_book,
    squares_of,
    write_book,
)
from spielwerk.games.connect4.engine.flat_solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    Report = Callable[[int, int, int], None]  # stones, positions judged, positions of that layer
    Layer = dict[int, FlatPosition]

START: Final = FlatPosition(0, 0)
COMPLETE: Final = 6  # stones; all positions with so many and fewer are in the book
VARIED: Final = 4  # stones; up to here all best moves of hard positions are followed
LAST: Final = 16  # stones; later hardly any position is hard
HARD: Final = 30_000  # nodes
TRIVIAL: Final = 3_000  # nodes
EASY_FLAG: Final = 1 << 7  # in the columns of an entry of the kept file: not for the book
SAVED_EVERY: Final = 60  # seconds

QUICK_TABLE: Final = 18
LARGE_TABLE: Final = 24


class Judge(threading.local):
    """Two solvers for each thread: one that finds out what is hard, one that remembers."""

    def __init__(self) -> None:
        self.quick = Solver(BOOK_BOARD, QUICK_TABLE)
        self.large = Solver(BOOK_BOARD, LARGE_TABLE)

    def entry(self, position: FlatPosition) -> BookEntry:
        """The score with the moves to follow; flagged if the position need not be in the book."""
        if position.stones <= COMPLETE:
            return self._hard(position)
        self.quick.forget()
        self.quick.budget(HARD)
        score = self.quick.score(position)
        if score is not None:
            moves = self.quick.best_moves(position, score)
            if moves is not None:
                followed = moves if self.quick.nodes > TRIVIAL else []
                return BookEntry(score, EASY_FLAG | columns_of(followed))
        return self._hard(position)

    def score(self, position: FlatPosition) -> BookEntry:
        """The score alone."""
        return BookEntry(self.large.exact_score(position))

    def _hard(self, position: FlatPosition) -> BookEntry:
        score = self.large.exact_score(position)
        moves = self.large.best_moves(position, score, most_followed(position))
        return BookEntry(score, columns_of(moves or []))


def most_followed(position: FlatPosition) -> int:
    """How many best moves of a hard position are followed."""
    return BOOK_BOARD.width if position.stones <= VARIED else 1


def columns_of(squares: Iterable[int]) -> int:
    """The columns of these squares, a bit each."""
    return sum(1 << BOOK_BOARD.column(square) for square in squares)


def landings(position: FlatPosition) -> list[int]:
    """The squares where a stone can fall."""
    return BOOK_BOARD.squares((position.occupied + BOOK_BOARD.bottom) & BOOK_BOARD.board)


class BookMaker:
    """The walk through perfect games, with what is known of their positions so far."""

    def __init__(self, kept: Path, threads: int, report: Report) -> None:
        self._kept = kept
        self._threads = threads
        self._report = report
        self._judge = Judge()
        self._rules = Solver(BOOK_BOARD, 0)
        self._found = read_book(kept).entries() if kept.exists() else {}
        self._saved = time.monotonic()

    def make(self) -> FlatBook:
        """The book, when all is computed."""
        self._complete()
        for layer in (self._layer([START]), self._layer(self._replies(START))):
            while layer:
                self._judge_all(layer, self._judge.entry)
                layer = self._layer(self._following(layer))
        self._save()
        return FlatBook(
            {key: entry for key, entry in self._found.items() if entry.columns < EASY_FLAG}
        )

    def _complete(self) -> None:
        """Find the scores of all positions with few stones, and the moves that follow from them."""
        layers = [self._layer([START])]
        for _ in range(COMPLETE):
            layers.append(self._layer(c for p in layers[-1].values() for c in self._replies(p)))
        deepest = layers.pop()
        missing = {key: deepest[key] for key in deepest.keys() - self._found.keys()}
        self._judge_all(missing, self._judge.score)
        for layer in reversed(layers):
            self._found |= {key: self._from_children(position) for key, position in layer.items()}

    def _from_children(self, position: FlatPosition) -> BookEntry:
        squares = BOOK_BOARD.from_centre(landings(position))
        scores = {s: -self._found[key_of(position.after(s))].score for s in squares}
        best = max(scores.values())
        moves = [square for square in squares if scores[square] == best]
        return BookEntry(best, columns_of(moves[: most_followed(position)]))

    def _judge_all(self, layer: Layer, judge: Callable[[FlatPosition], BookEntry]) -> None:
        """Judge the positions of a layer that are not known yet; those alike one after another."""
        known = {key for key in layer if (entry := self._found.get(key)) and entry.columns}
        keys = sorted(layer.keys() - known)
        with ThreadPoolExecutor(self._threads) as pool:
            entries = pool.map(lambda key: judge(layer[key]), keys)
            for count, (key, entry) in enumerate(zip(keys, entries, strict=True), 1):
                self._found[key] = entry
                self._report(layer[key].stones, count, len(keys))
                if time.monotonic() > self._saved + SAVED_EVERY:
                    self._save()

    def _save(self) -> None:
        write_book(self._kept, FlatBook(self._found))
        self._saved = time.monotonic()

    def _following(self, layer: Layer) -> Iterator[FlatPosition]:
        """The positions after a move that is followed and any reply."""
        for key, position in layer.items():
            if position.stones < LAST:
                for square in squares_of(self._found[key].columns, landings(position)):
                    if not self._rules.wins(position, square):
                        yield from self._replies(position.after(square))

    def _replies(self, position: FlatPosition) -> Iterator[FlatPosition]:
        for square in landings(position):
            if not self._rules.wins(position, square):
                yield position.after(square)

    def _layer(self, positions: Iterable[FlatPosition]) -> Layer:
        """The positions by key, without mirror images."""
        return {key_of(position): canonical(position) for position in positions}
