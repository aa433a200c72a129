"""The solved sectors: against another solver, against the rules, interrupted, damaged."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from spielwerk.engines.tables import TableFileError
from spielwerk.games.morris.engine import SearchMemory, sectors
from spielwerk.games.morris.engine.board import MorrisPosition
from spielwerk.games.morris.engine.evaluation import WEIGHTS
from spielwerk.games.morris.engine.sectors import (
    SHIPPED,
    Sector,
    SolvedSectors,
    board_number,
    classes_of,
    load_sector,
    sector_path,
    sectors_up_to,
)
from spielwerk.games.morris.engine.solver import solve, stats
from spielwerk.games.morris.rules import MILLS, QUIET_TURNS, MorrisState

from .positions import after_turns, thrown

SECTORS: list[Sector] = [(3, 3), (3, 4), (4, 3), (4, 4)]


@pytest.fixture(scope="module")
def thinking(tmp_path_factory: pytest.TempPathFactory) -> SearchMemory:
    """The sectors of the package alone."""
    return SearchMemory(10, tmp_path_factory.mktemp("empty"), WEIGHTS)


def result_at(value: int, quiet: int) -> int:
    """1, 0 or -1 for the player to move, as the byte says."""
    return int(np.sign(value)) if quiet < abs(value) else 0


def in_table(thinking: SearchMemory, state: MorrisState) -> int:
    value = thinking.solved_value(MorrisPosition.of(state))
    assert value is not None
    return value


def by_rules(thinking: SearchMemory, state: MorrisState) -> int:
    """The result one turn ahead: the rules play, the table is asked only after the turn."""
    best = -1
    for after in after_turns(state):
        if after.outcome:
            winner = after.outcome.winner
            result = 0 if winner is None else (1 if winner == state.player else -1)
        else:
            result = -result_at(in_table(thinking, after), after.quiet)
        best = max(best, result)
    return best


def raw_three_three() -> tuple[list[int], NDArray[np.bool_], NDArray[np.bool_]]:
    """All sets of three stones, which are disjoint, and which differ by one stone."""
    sets = [sum(1 << f for f in fields) for fields in combinations(range(24), 3)]
    array = np.array(sets)
    common = np.bitwise_count(array[:, None] & array[None, :])
    return sets, common == 0, common == 2


def test_three_three_agrees_with_a_solver_without_symmetry_or_levels() -> None:
    """Count by count from the fiftieth turn down, over all pairs of sets, by matrix products."""
    sets, apart, one_moved = raw_three_three()
    moves = one_moved.astype(np.float32)
    mill = np.array([any(s == sum(1 << f for f in m) for m in MILLS) for s in sets])
    closing = (moves @ (apart & mill[:, None]).astype(np.float32) > 0) & apart
    table = raw_table(sets, apart)
    won = lost = np.zeros_like(apart)
    for quiet in range(QUIET_TURNS - 1, QUIET_TURNS - 7, -1):
        # The opponent's boards after the turn: rows are the stones that moved, columns the other's.
        next_won, next_lost = won.T & apart, lost.T & apart
        won = closing | ((moves @ next_lost.astype(np.float32) > 0) & apart)
        not_losing = moves @ (apart & ~next_won).astype(np.float32) > 0
        lost = apart & ~closing & ~not_losing
        decided = quiet < np.abs(table)
        assert ((table > 0) & decided & apart == won).all()
        assert ((table < 0) & decided & apart == lost).all()
    assert won.sum() > closing.sum()
    assert lost.any()


def raw_table(sets: list[int], apart: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The bytes of 3-3 for every pair of sets, 0 where they overlap."""
    values = load_sector(SHIPPED, (3, 3))
    of_rank = classes_of(3).of_rank
    table = np.zeros(apart.shape, np.int8)
    for row, own in enumerate(sets):
        for column in np.flatnonzero(apart[row]):
            table[row, column] = values[board_number(own, sets[column], 3, of_rank)]
    return table


@pytest.mark.parametrize("sector", SECTORS)
def test_boards_agree_with_the_rules_one_turn_ahead(sector: Sector, thinking: SearchMemory) -> None:
    """Turns lead to higher counts or fewer stones, so agreement everywhere would be a proof."""
    rng = random.Random(sum(sector))
    for _ in range(200):
        state = thrown(rng, *sector, rng.randrange(QUIET_TURNS))
        if not state.outcome:
            assert result_at(in_table(thinking, state), state.quiet) == by_rules(thinking, state)


@pytest.mark.parametrize("sector", SECTORS)
def test_values_change_exactly_at_their_count(sector: Sector, thinking: SearchMemory) -> None:
    """Among boards that are not a plain draw, at the last count of the win or loss and after it."""
    rng = random.Random(7 * sum(sector))
    checked = 0
    for _ in range(40_000):
        state = thrown(rng, *sector, 0)
        value = 0 if state.outcome else in_table(thinking, state)
        for quiet in {abs(value) - 1, min(abs(value), QUIET_TURNS - 1)} if value else set():
            counted = with_count(state, quiet)
            assert result_at(value, quiet) == by_rules(thinking, counted), counted
            checked += 1
        if checked > 120:
            break
    assert checked > (0 if sector == (4, 4) else 120)


def with_count(state: MorrisState, quiet: int) -> MorrisState:
    parsed = state.game.parse_state(str(state).rsplit(" ", 1)[0] + f" {quiet}")
    assert isinstance(parsed, MorrisState)
    return parsed


@pytest.mark.parametrize("sector", SECTORS)
def test_stats_count_all_boards(sector: Sector, tmp_path: Path) -> None:
    mover, opponent = sector
    found = stats(sector, tmp_path)
    assert found is not None
    assert sum(found) == comb(24, mover) * comb(24 - mover, opponent)


class Interrupted(Exception):
    """Somebody has pressed the keys."""


def test_solving_goes_on_where_it_was_and_finds_what_the_package_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(sector: Sector, _share: float) -> None:
        if sector == (4, 3):
            raise Interrupted

    monkeypatch.setattr(sectors, "SHIPPED", tmp_path / "nothing")
    with pytest.raises(Interrupted):
        solve((4, 3), interrupt, tmp_path, threads=2)
    assert [path.name for path in tmp_path.iterdir()] == ["morris-3-3.table"]
    begun: list[Sector] = []
    solve((4, 3), lambda sector, _share: begun.append(sector), tmp_path, threads=2)
    assert set(begun) == {(4, 3)}
    for sector in ((3, 3), (4, 3), (3, 4)):
        assert (load_sector(tmp_path, sector) == load_sector(SHIPPED, sector)).all()


def test_sectors_come_after_those_they_lead_to() -> None:
    order = [(3, 3), (3, 4), (4, 3), (4, 4), (3, 5), (5, 3), (4, 5), (5, 4)]
    assert sectors_up_to((5, 4)) == order


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "content": lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:],
    "end": lambda data: data[:-5],
    "name": lambda _data: sector_path(SHIPPED, (4, 3)).read_bytes(),
    "version": lambda data: data.replace(b'"version": 1', b'"version": 0'),
    "everything": lambda _data: b"no table",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named_and_never_used(damage: str, tmp_path: Path) -> None:
    path = sector_path(tmp_path, (3, 4))
    path.write_bytes(DAMAGES[damage](sector_path(SHIPPED, (3, 4)).read_bytes()))
    with pytest.raises(TableFileError, match=r"morris-3-4\.table"):
        SolvedSectors(tmp_path)
    with pytest.raises(TableFileError, match=r"morris-3-4\.table"):
        solve((4, 3), folder=tmp_path)
