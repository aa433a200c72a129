"""The endgame tables: against a search that remembers everything, interrupted, damaged."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from spielwerk.engines.compiled import kernel
from spielwerk.engines.interface import Limits
from spielwerk.engines.tables import TableFileError
from spielwerk.games.oware.engine import OwareEngine, solver
from spielwerk.games.oware.engine import endgames as tables
from spielwerk.games.oware.engine.endgames import (
    SHIPPED,
    SURE_WIN,
    UNDECIDED,
    decided,
    first_number,
    layer_path,
    load_layer,
    number_of,
    promise,
    solved_codes,
)
from spielwerk.games.oware.engine.kernel import after, all_stones, is_legal, is_over, pack, path_of
from spielwerk.games.oware.engine.proof import PROOFS, ROOM, proven_result
from spielwerk.games.oware.rules import HOUSES, MAJORITY, STONES, Oware, OwareState

from .positions import few_stones, undecided, with_long_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

BUDGET = 30_000  # situations that the search may visit for a question
PLENTY = 8 * ROOM
WORDS = {SURE_WIN: 1, 0: 0, -SURE_WIN: -1, UNDECIDED: None}


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> NDArray[np.uint8]:
    """The tables of the package alone."""
    return solved_codes(tmp_path_factory.mktemp("empty"))


@kernel
def owns(
    path: NDArray[np.uint64],
    first: int,
    index: int,
    need: int,
    codes: NDArray[np.uint8],
    budget: NDArray[np.int64],
) -> bool:
    """Whether the player to move can own so many stones at the end, by the rules alone.

    The tables only say which moves to try first. Worthless if the budget is used up.
    """
    mine, theirs = path[index, 0], path[index, 1]
    if is_over(path, first, index):
        return bool(all_stones(mine) >= need)
    budget[0] -= 1
    if budget[0] < 0 or index + 1 == len(path):
        budget[0] = -1
        return False
    for hoped in (True, False):
        for house in range(HOUSES):
            if is_legal(mine, theirs, house):
                next_mine, next_theirs, gain = after(mine, theirs, house)
                if hoped == (promise(next_mine, next_theirs, False, codes) >= need):
                    path[index + 1, 0], path[index + 1, 1] = next_mine, next_theirs
                    since = index + 1 if gain else first
                    if not owns(path, since, index + 1, STONES + 1 - need, codes, budget):
                        return True
    return False


def searched_result(state: OwareState, codes: NDArray[np.uint8]) -> int | None:
    """1, 0 or -1 for the player to move, with all that is remembered; None if it takes too long."""
    path, last = path_of(state, 400), len(state.seen)
    answers = []
    for need in (MAJORITY, MAJORITY - 1):
        budget = np.array([BUDGET], np.int64)
        answers.append(owns(path, 0, last, need, codes, budget))
        if budget[0] < 0:
            return None
    return sum(answers) - 1


def boards(stones: int) -> Iterator[tuple[int, ...]]:
    """All ways to put so many stones into twelve houses."""
    for bars in combinations(range(stones + 11), 11):
        edges = (-1, *bars, stones + 11)
        yield tuple(right - left - 1 for left, right in pairwise(edges))


def with_stores(houses: tuple[int, ...], taken: int) -> OwareState:
    board = (taken, STONES - sum(houses) - taken, *houses)
    return Oware().parse_state(" ".join(map(str, board)))


def told(state: OwareState, codes: NDArray[np.uint8]) -> int | None:
    """What the tables tell of a state in which nothing is remembered."""
    return WORDS[decided(*pack(state.board, state.player), codes)]


def test_numbers_count_all_boards_of_few_stones() -> None:
    numbers = [
        number_of(*pack((0, 0, *houses), 0)) for stones in range(6) for houses in boards(stones)
    ]
    assert sorted(numbers) == list(range(first_number(6)))


def test_every_board_of_few_stones_agrees_with_a_search_that_remembers(
    codes: NDArray[np.uint8],
) -> None:
    """All splits of the other stones that leave the game open; of four stones every fifth board."""
    seen: Counter[int | None] = Counter()
    for stones, step in ((2, 1), (3, 1), (4, 5)):
        for houses in islice(boards(stones), 0, None, step):
            for taken in range(24 - stones, 25):
                state = with_stores(houses, taken)
                known = None if state.outcome else told(state, codes)
                if known is not None:
                    found = searched_result(state, codes)
                    assert found in (known, None), str(state)
                    seen[found] += 1
    assert seen[None] < 0.25 * seen.total(), seen
    assert min(seen[1], seen[0], seen[-1]) > 100


def test_random_boards_agree_with_a_search_that_remembers(codes: NDArray[np.uint8]) -> None:
    rng = random.Random(1)
    seen: Counter[int | None] = Counter()
    for _ in range(2000):
        state = few_stones(rng, most=12)
        known = None if state.outcome else told(state, codes)
        if known is not None:
            found = searched_result(state, codes)
            assert found in (known, None), str(state)
            seen[found] += 1
    assert min(seen[1], seen[-1]) > 100, seen


def test_what_is_proven_holds_with_all_that_is_remembered(codes: NDArray[np.uint8]) -> None:
    """Also where it differs from what the tables tell without the memory."""
    rng = random.Random(2)
    seen: Counter[int | None] = Counter()
    differ = 0
    for state in (*with_long_memory(rng, 400), *undecided(rng, 300)):
        if sum(state.board[2:]) <= 12:
            nodes, stop = np.zeros(1, np.int64), np.zeros(1, np.uint8)
            known = proven_result(state, codes, PLENTY, nodes, stop)
            found = searched_result(state, codes)
            assert known is None or found in (known, None), str(state)
            seen[known] += found is not None
            differ += found is not None and told(state, codes) not in (found, None)
    assert differ > 0
    assert min(seen[1], seen[-1]) > 20, seen


def test_a_proof_that_is_stopped_takes_no_time_and_proves_nothing(
    codes: NDArray[np.uint8],
) -> None:
    nodes, stop = np.zeros(1, np.int64), np.ones(1, np.uint8)
    states = [one for one in with_long_memory(random.Random(2), 50) if sum(one.board[2:]) <= 12]
    assert {proven_result(state, codes, PLENTY, nodes, stop) for state in states} == {None}
    assert nodes[0] <= PROOFS * len(states)


def test_solving_gives_the_tables_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    shares = []
    solver.solve(6, lambda _stones, share: shares.append(share), tmp_path, threads=2)
    for stones in range(7):
        assert np.array_equal(load_layer(tmp_path, stones), load_layer(SHIPPED, stones))
    assert shares == sorted(shares)
    assert shares[-1] > 0.9


def test_a_full_disk_loses_nothing_that_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_file: int) -> None:
        if layer_path(tmp_path, 3).exists():
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", write)
        with pytest.raises(TableFileError, match=r"oware-4\.table: it cannot be written: No space"):
            solver.solve(5, folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {f"oware-{n}.table" for n in range(4)}
    assert tables.solved_layers(tmp_path) == 3
    before = layer_path(tmp_path, 3).stat().st_mtime_ns
    solver.solve(5, folder=tmp_path)
    assert tables.solved_layers(tmp_path) == 5
    assert layer_path(tmp_path, 3).stat().st_mtime_ns == before


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: data[:-1] + b"!"])
def test_a_damaged_file_is_named(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = layer_path(tmp_path, 9)
    path.write_bytes(damage(layer_path(SHIPPED, 9).read_bytes()))
    engine = OwareEngine(folder=tmp_path)
    with pytest.raises(TableFileError, match=r"oware-9\.table: damaged"):
        engine.search(Oware().start(), Limits(depth=1))


def test_the_engine_tells_results_that_it_would_not_see() -> None:
    """With depth 1, and for every move; a strategy that is named knows nothing of the tables."""
    rng, limits = random.Random(3), Limits(depth=1, seed=1)
    engine, plain = OwareEngine(), OwareEngine(0)
    known = 0
    for state in (*with_long_memory(rng, 20), *(few_stones(rng) for _ in range(60))):
        if not state.outcome:
            scores = engine.analyse(state, limits)
            best = engine.search(state, limits)
            assert best.score.value == max(score.value for score in scores.values())
            assert scores[best.move].value == best.score.value
            found = searched_result(state, solved_codes(tables.own_folder()))
            if best.score.exact and found is not None:
                assert best.score.result == found, str(state)
                known += not plain.search(state, limits).score.exact
    assert known > 10


def test_a_won_ending_is_won() -> None:
    """Against any moves: what is proven stays proven until the game is over."""
    rng, engine = random.Random(4), OwareEngine()
    won = 0
    while won < 8:
        state = few_stones(rng, most=10)
        if state.outcome or engine.search(state, Limits(depth=2)).score.result != 1:
            continue
        winner = state.player
        while not state.outcome:
            mine = state.player == winner
            moves = state.legal_moves()
            state = state.play(
                engine.search(state, Limits(depth=2)).move if mine else rng.choice(moves)
            )
        assert state.outcome.winner == winner
        won += 1
