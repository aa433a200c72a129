"""The solved sectors: against other solvers, against the rules, interrupted, damaged."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from spielwerk.engines.interface import EngineError
from spielwerk.engines.tables import TableFileError
from spielwerk.games.morris.engine import gpu, sectors, solver
from spielwerk.games.morris.engine.board import MorrisPosition
from spielwerk.games.morris.engine.cores import Cores
from spielwerk.games.morris.engine.index import (
    Sector,
    board_count,
    board_number,
    classes_of,
    moving_sectors,
    places_of,
    placing_sectors,
    sector_size,
)
from spielwerk.games.morris.engine.packing import BLOCK, PackedValues
from spielwerk.games.morris.engine.sectors import (
    SHIPPED,
    SolvedSectors,
    Stats,
    load_sector,
    open_sector,
    own_sectors,
    pack_sector,
    result_at,
    save_sector,
    sector_path,
    stats,
    tally,
)
from spielwerk.games.morris.engine.solver import solve
from spielwerk.games.morris.engine.verify import compare, verify
from spielwerk.games.morris.rules import MILLS, QUIET_TURNS, MorrisState

from .one_thread import OneThreadCuda
from .positions import after_turns, thrown

THREE = Sector(3, 3)
BRUTE_FORCE = Path(__file__).parents[3] / "naive" / "morris.cc"


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> SolvedSectors:
    """The sectors of the package alone."""
    return SolvedSectors(tmp_path_factory.mktemp("empty"))


@pytest.fixture(scope="module")
def small_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game with three stones each, solved from the first placement on."""
    folder = tmp_path_factory.mktemp("small")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sectors, "SHIPPED", folder / "nothing")
        solve(THREE, folder=folder, threads=2)
    return folder


def in_table(solved: SolvedSectors, state: MorrisState) -> int:
    position = MorrisPosition.of(state)
    value = solved.value(position.own, position.opponent, 0)
    assert value is not None
    return value


def by_rules(solved: SolvedSectors, state: MorrisState) -> int:
    """The result one turn ahead: the rules play, the table is asked only after the turn."""
    best = -1
    for after in after_turns(state):
        if after.outcome:
            winner = after.outcome.winner
            result = 0 if winner is None else (1 if winner == state.player else -1)
        else:
            result = -result_at(in_table(solved, after), after.quiet)
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
    values = load_sector(SHIPPED, THREE)
    of_rank = classes_of(3).of_rank
    table = np.zeros(apart.shape, np.int8)
    for row, own in enumerate(sets):
        for column in np.flatnonzero(apart[row]):
            table[row, column] = values[board_number(own, sets[column], 3, of_rank)]
    return table


@pytest.mark.slow
def test_the_game_with_three_stones_agrees_with_brute_force(
    small_game: Path, tmp_path: Path
) -> None:
    """How many boards of each table have which value, symmetric ones apart."""
    program = tmp_path / "brute"
    compiler = ["g++", "-O2", "-std=c++17", "-pthread", str(BRUTE_FORCE), "-o", str(program)]
    subprocess.run(compiler, check=True)
    printed = subprocess.run([str(program), "3"], check=True, capture_output=True, text=True)
    lines = [line.split() for line in printed.stdout.splitlines()]
    expected = {
        Sector(int(mover), int(opponent), int(hands)): sorted(values)
        for mover, opponent, hands, *values in lines
    }
    assert {sector: counted(small_game, sector) for sector in own_sectors(small_game)} == expected


def counted(folder: Path, sector: Sector) -> list[str]:
    values = load_sector(folder, sector)
    sizes = classes_of(sector.mover).sizes
    weights = np.repeat(sizes, len(values) // len(sizes))
    boards = np.bincount(values.astype(np.int64) + QUIET_TURNS, weights)
    return sorted(f"{n - QUIET_TURNS}:{int(count)}" for n, count in enumerate(boards) if count)


def test_the_device_writes_the_same_files(
    small_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its kernels, as one thread of this machine."""
    monkeypatch.setitem(sys.modules, "cupy", OneThreadCuda(tmp_path))
    monkeypatch.setattr(gpu, "TILE", 16)
    monkeypatch.setattr(sectors, "SHIPPED", tmp_path / "nothing")
    solve(THREE, folder=tmp_path / "device", gpu=True)
    assert own_sectors(small_game) == [THREE, *placing_sectors(3)]
    for sector in own_sectors(small_game):
        written, expected = (sector_path(f, sector) for f in (tmp_path / "device", small_game))
        assert written.read_bytes() == expected.read_bytes(), sector
    solve(Sector(4, 3), folder=tmp_path / "device", gpu=True)  # where a capture may hold the draw
    for sector in moving_sectors(Sector(4, 3)):
        assert stats(sector, tmp_path / "device") == stats(sector, SHIPPED)


ORBITS = (0x550055, 0xAA00AA, 0x005500, 0x00AA00)  # fields that symmetries carry to each other


def symmetric_values(sector: Sector) -> NDArray[np.int8]:
    """Anything, but equal for symmetric boards: by how many stones lie on which kind of field."""
    drawn = np.random.default_rng(1).integers(-QUIET_TURNS, QUIET_TURNS + 1, 1 << 16, np.int8)
    places = places_of(24 - sector.mover, sector.opponent)
    rows = []
    for own in classes_of(sector.mover).sets.tolist():
        around = [field for field in range(24) if not own >> field & 1]
        key = np.zeros(len(places), np.int64)
        for orbit in ORBITS:
            among = sum(1 << n for n, field in enumerate(around) if orbit >> field & 1)
            key = 100 * key + 10 * (own & orbit).bit_count() + np.bitwise_count(places & among)
        rows.append(drawn[key * 40503 % len(drawn)])
    return np.concatenate(rows)


def test_two_mills_at_once_are_placed_as_the_rules_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which needs five stones: one sector alone, and anything in those that its turns lead to."""
    sector = Sector(4, 2, 6)
    for captures in range(3):
        after = sector.after(captures)
        save_sector(tmp_path, after, symmetric_values(after), Stats(0, 0, 0))
    below = solver.SolvedFiles(tmp_path)
    Cores(tmp_path, below, 2).solve([sector], lambda _share: None)
    solved = SolvedSectors(tmp_path)
    for number in range(0, sector_size(sector), 97):
        compare(solved, sector, number)
    monkeypatch.setitem(sys.modules, "cupy", OneThreadCuda(tmp_path))
    device = gpu.Gpu(tmp_path / "device", below)
    device.solve([sector], lambda _share: None)
    device.finish()
    assert stats(sector, tmp_path / "device") == stats(sector, tmp_path)


def test_boards_agree_with_the_rules_one_turn_ahead(shipped: SolvedSectors) -> None:
    """Turns lead to higher counts or fewer stones, so agreement everywhere would be a proof."""
    assert shipped.sectors == moving_sectors(Sector(4, 4))
    for sector in shipped.sectors:
        rng = random.Random(sum(sector))
        for _ in range(200):
            state = thrown(rng, sector.mover, sector.opponent, rng.randrange(QUIET_TURNS))
            if not state.outcome:
                assert result_at(in_table(shipped, state), state.quiet) == by_rules(shipped, state)


def test_a_wrong_board_is_found_and_named(small_game: Path, tmp_path: Path) -> None:
    verify(SolvedSectors(small_game), 300, lambda _share: None, seed=1)
    sector = Sector(2, 3, 1)
    values = load_sector(small_game, sector).copy()
    values[::20] += 1
    for other in own_sectors(small_game):
        save_sector(tmp_path, other, load_sector(small_game, other), Stats(0, 0, 0))
    save_sector(tmp_path, sector, values, Stats(0, 0, 0))
    with pytest.raises(EngineError, match=r"sector 2-3 hand 1: -?\d+ is wrong for "):
        verify(SolvedSectors(tmp_path), 3000, lambda _share: None, seed=1)


def test_results_add_up_to_all_boards(small_game: Path) -> None:
    for folder in (SHIPPED, small_game):
        for sector in own_sectors(folder):
            found = stats(sector, folder)
            assert found
            assert found[0] == tally(sector, load_sector(folder, sector))
            assert sum(found[0]) == board_count(sector)
            assert min(found[0]) >= 0


class Interrupted(Exception):
    """Somebody has pressed the keys."""


def test_solving_goes_on_where_it_was_and_finds_what_the_package_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(what: str, _share: float, _left: float | None) -> None:
        if what == "4-3":
            raise Interrupted

    monkeypatch.setattr(sectors, "SHIPPED", tmp_path / "nothing")
    with pytest.raises(Interrupted):
        solve(Sector(4, 3), interrupt, tmp_path, threads=2)
    assert [path.name for path in tmp_path.iterdir()] == ["morris-3-3.table"]
    begun: list[str] = []
    solve(Sector(4, 3), lambda what, _share, _left: begun.append(what), tmp_path, threads=2)
    assert set(begun) == {"4-3"}
    for sector in moving_sectors(Sector(4, 3)):
        assert stats(sector, tmp_path) == stats(sector, SHIPPED)
        assert (load_sector(tmp_path, sector) == load_sector(SHIPPED, sector)).all()


def test_a_full_disk_is_named_and_costs_nothing_that_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(_file: int) -> None:
        if len([*tmp_path.iterdir()]) > 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(sectors, "SHIPPED", tmp_path / "nothing")
    monkeypatch.setattr("os.fsync", write)
    with pytest.raises(TableFileError, match="cannot be written: No space left on device"):
        solve(THREE, folder=tmp_path)
    assert own_sectors(tmp_path) == solver.jobs(THREE)[0] + placing_sectors(3)[:2]
    assert len([*tmp_path.iterdir()]) == 3
    for sector in own_sectors(tmp_path):
        open_sector(tmp_path, sector)


def test_what_does_not_fit_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "disk_usage", lambda _folder: SimpleNamespace(free=20e9))
    with pytest.raises(EngineError, match=r"room for 20\.0 GB, .* takes 27\.9 GB"):
        solve(Sector(9, 9), folder=tmp_path)


def test_sectors_come_after_those_they_lead_to() -> None:
    solved: set[Sector] = set()
    for job in solver.jobs(Sector(9, 9)):
        for sector in job:
            assert all(
                sector.after(captures) in {*solved, *job}
                for captures in range(3)
                if sector.opponent - captures >= sector.fewest
            )
        solved |= {*job}
    assert len(solved) == 546


@pytest.fixture
def packed(small_game: Path, tmp_path: Path) -> Path:
    path = sector_path(tmp_path, THREE)
    path.write_bytes(sector_path(small_game, THREE).read_bytes())
    with ThreadPoolExecutor(2) as pool:
        pack_sector(tmp_path, THREE, pool)
        pack_sector(tmp_path, THREE, pool)  # which changes nothing
    return path


def test_a_packed_sector_holds_the_same(packed: Path, small_game: Path) -> None:
    original = sector_path(small_game, THREE)
    assert packed.stat().st_size < original.stat().st_size / 3
    assert stats(THREE, packed.parent) == stats(THREE, small_game)
    values, found = load_sector(small_game, THREE), open_sector(packed.parent, THREE)
    assert isinstance(found, PackedValues)
    assert (found.unpacked() == values).all()
    places = [0, BLOCK - 1, BLOCK, len(values) - 1, 0]
    assert [found[place] for place in places] == values[places].tolist()


def test_a_damaged_block_is_named_where_no_checksum_was_read(packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[-100] ^= 1
    packed.write_bytes(data)
    with pytest.raises(TableFileError, match=r"morris-3-3\.table: damaged: the checksum"):
        open_sector(packed.parent, THREE)
    found = open_sector(packed.parent, THREE, checked=False)
    assert found[0] is not None
    with pytest.raises(TableFileError, match=r"morris-3-3\.table: damaged: block 12: "):
        found[12 * BLOCK]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "content": lambda data: data[:-5] + bytes([data[-5] ^ 1]) + data[-4:],
    "end": lambda data: data[:-5],
    "name": lambda _data: sector_path(SHIPPED, Sector(4, 3)).read_bytes(),
    "version": lambda data: data.replace(b'"version": 1', b'"version": 0'),
    "everything": lambda _data: b"no table",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_named_and_never_used(damage: str, tmp_path: Path) -> None:
    path = sector_path(tmp_path, Sector(3, 4))
    path.write_bytes(DAMAGES[damage](sector_path(SHIPPED, Sector(3, 4)).read_bytes()))
    with pytest.raises(TableFileError, match=r"morris-3-4\.table"):
        SolvedSectors(tmp_path)
    with pytest.raises(TableFileError, match=r"morris-3-4\.table"):
        solver.SolvedFiles(tmp_path)(Sector(3, 4))
