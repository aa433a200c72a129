"""The sectors on a Dask cluster: the same files, workers that are lost, and those of no use."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from spielwerk import __version__
from spielwerk.engines.interface import EngineError
from spielwerk.games.morris.engine import cluster, sectors, solver
from spielwerk.games.morris.engine.index import Sector
from spielwerk.games.morris.engine.sectors import own_sectors, sector_path
from tests.waiting import PATIENCE

# Dask and its libraries leave sockets and loops to the collector when they are done.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")

THREE = Sector(3, 3)
DEADLY = "2-3 hand 1"  # the sector at which a worker dies
DYING = f"""
import os, signal
from pathlib import Path
from spielwerk.games.morris.engine import cores
def save(folder, sector, *rest, real=cores.save_sector):
    if str(sector) == {DEADLY!r} and (folder / "deaths").exists():
        deaths = int((folder / "deaths").read_text())
        if deaths:
            (folder / "deaths").write_text(str(deaths - 1))
            (folder / f".{{sectors.sector_path(folder, sector).name}}.1").write_text("half")
            os.kill(os.getpid(), signal.SIGKILL)
    real(folder, sector, *rest)
from spielwerk.games.morris.engine import sectors
sectors.SHIPPED = Path("nothing")
cores.save_sector = save
"""


@contextmanager
def two_workers() -> Iterator[str]:
    """The address of a cluster whose workers solve even what the package holds."""
    dask = pytest.importorskip("distributed")
    with dask.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        memory_limit=0,
        host="127.0.0.1",
        dashboard_address=None,
        preload=DYING,
    ) as started:
        yield str(started.scheduler_address)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with two_workers() as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sectors, "SHIPPED", tmp_path / "nothing")


def on_cluster(address: str, folder: Path) -> list[tuple[str, float, float | None]]:
    told: list[tuple[str, float, float | None]] = []
    end = time.monotonic() + 4 * PATIENCE

    def tell(*news: Any) -> None:
        told.append(news)
        assert time.monotonic() < end, news

    cluster.solve(address, THREE, tell, folder, threads=1)
    return told


@pytest.mark.slow
def test_a_cluster_writes_the_same_files_though_a_worker_is_killed(
    address: str, tmp_path: Path
) -> None:
    solver.solve(THREE, folder=tmp_path / "here")
    there = tmp_path / "there"
    there.mkdir()
    (there / "deaths").write_text("1")
    told = on_cluster(address, there)
    assert (there / "deaths").read_text() == "0"
    assert told[-1] == ("on the cluster", 1.0, 0.0)
    assert own_sectors(there) == own_sectors(tmp_path / "here")
    for sector in own_sectors(there):
        here = sector_path(tmp_path / "here", sector)
        assert sector_path(there, sector).read_bytes() == here.read_bytes(), sector
    left = {path.name for path in there.iterdir()} - {"deaths"}
    assert left == {sector_path(there, sector).name for sector in own_sectors(there)}


@pytest.mark.slow
def test_a_sector_at_which_all_workers_die_is_named_and_what_is_finished_stays(
    address: str, tmp_path: Path
) -> None:
    (tmp_path / "deaths").write_text("100")
    with pytest.raises(EngineError, match=f"the cluster cannot solve {DEADLY}: KilledWorker: "):
        on_cluster(address, tmp_path)
    finished = own_sectors(tmp_path)
    assert THREE in finished
    assert Sector(2, 3, 1) not in finished
    (tmp_path / "deaths").write_text("0")
    before = {sector: sector_path(tmp_path, sector).stat().st_mtime_ns for sector in finished}
    on_cluster(address, tmp_path)
    assert {one: sector_path(tmp_path, one).stat().st_mtime_ns for one in finished} == before
    assert Sector(0, 0, 6) in own_sectors(tmp_path)


@pytest.mark.slow
def test_a_worker_that_does_not_see_the_folder_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path that means another folder in every process stands for one that is not shared."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineError, match=r"worker tcp://\S+ cannot solve: it does not see /proc"):
        on_cluster(address, Path("/proc/self/cwd/morris"))
    assert [*(tmp_path / "morris").iterdir()] == []


def test_a_task_ends_when_nobody_wants_it_any_more(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    mark.touch()
    order = [THREE], mark, __version__, 1, [None]
    cluster.solve_here(*order)
    assert own_sectors(tmp_path) == [THREE]
    sector_path(tmp_path, THREE).unlink()
    mark.unlink()
    with pytest.raises(EngineError, match=f"cannot solve 3-3: it does not see {tmp_path}, which"):
        cluster.solve_here(*order)
    assert own_sectors(tmp_path) == []


def test_another_version_is_refused(tmp_path: Path) -> None:
    problem = cluster.problem_here(tmp_path, "0.0.1")
    assert problem == f"it has Spielwerk {__version__}, not 0.0.1"


def test_an_address_without_a_scheduler_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with pytest.raises(
        EngineError, match=r"--cluster tcp://127\.0\.0\.1:9: no Dask scheduler answers"
    ):
        on_cluster("tcp://127.0.0.1:9", tmp_path)
    assert [*tmp_path.iterdir()] == []


def test_without_dask_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineError, match=r"pip install 'spielwerk\[cluster\]'"):
        on_cluster("tcp://127.0.0.1:9", tmp_path)
