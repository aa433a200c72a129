"""Contests: games a second, what a game costs beside its bots, memory, and from start to report.

All of it goes through `spielwerk contest`. Engines play Connect Four; the bare loop plays the same
games over the rules alone, in one process. A game of programs is as long as it takes from the
end of one to that of the next, one at a time, the median. Of that the bots' own are their start and
end (measured with somebody who hangs up at once, all bots of a game at the same time) and the
processor time that they used beyond it, because they wait for nobody but us; all the rest is
overhead. Other work on the machine shows in the figures; on Linux a `chrt -r 1` before the command
keeps it off.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.contest_load import bare
from benchmarks.contest_load.descriptions import BOTS, of_engines, of_programs
from benchmarks.contest_load.runs import carry_on, effort, kept, run, seconds
from benchmarks.contest_load.simulation import judge, simulate
from benchmarks.load.figures import DISK
from benchmarks.yardstick import yardstick
from spielwerk.contests.programs import sandbox
from spielwerk.contests.ranking import rank
from spielwerk.contests.rating import fit, rated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.contest_load.bare import Loop, Start
    from benchmarks.contest_load.descriptions import Bots
    from benchmarks.contest_load.runs import Run
    from benchmarks.load.figures import Row

CORES: Final = len(os.sched_getaffinity(0))
ROUNDS: Final = {"random": 100, "level=1": 40}  # of four entrants: twelve games each

ENTRANTS: Final = 30
LARGE: Final = 12  # rounds of thirty entrants: 10,440 games
FORMATS: Final = ("html", "jsonl", "csv", "standings", "crosstable")

DRAWN: Final = 200  # contests to be ranked
FEW: Final = 8  # entrants of each
SHORT: Final = 5  # rounds: 70 games of everybody
ALIKE: Final = {"that do not matter": 0.0, "that favour a side": 0.5}


def rows() -> Iterator[Row]:
    """Engines, programs, a large contest, and its ranking."""
    yield "cores", f"{CORES}"
    with TemporaryDirectory(dir=DISK) as folder:
        for engine in ROUNDS:
            yield from _engines(Path(folder), engine)
        for bots in BOTS:
            yield from _programs(Path(folder), bots)
        yield from _large(Path(folder))
    yield from _ranking()


def _jobs(jobs: int) -> tuple[str, str, str]:
    return "--no-web", "--jobs", str(jobs)


# engines


def _engines(folder: Path, engine: str) -> Iterator[Row]:
    file = of_engines(folder, f"engines {engine}", [engine] * 4, ROUNDS[engine])
    least: Loop | None = None
    for jobs in dict.fromkeys((1, CORES)):
        found = run(file, *_jobs(jobs))
        if least is None:
            least = bare.loop(engine, found.contest)
            games = f"{least.rate:,.0f} games/s, {1000 / least.rate:.2f} ms each"
            yield f"{engine}: bare loop", f"{games}  {least.same:.0%} with the same winner"
        yield f"{engine}: contest, jobs={jobs}", _rate(found, least)


def _rate(found: Run, least: Loop) -> str:
    rates = f"{found.rate:,.0f} games/s, {found.rate / least.rate:.2f} x the bare loop"
    return f"{rates}  {_used(found)}"


def _used(found: Run) -> str:
    coordinator, workers = found.used
    share = coordinator / (coordinator + workers)
    return f"CPU a game: worker {workers:.1f} ms, coordinator {coordinator:.1f} ms ({share:.0%})"


# programs


def _programs(folder: Path, bots: Bots) -> Iterator[Row]:
    file, problem = of_programs(folder, bots), sandbox.available()
    starts = bare.starts(folder, bots)
    alone = run(file, *_jobs(1))
    known = effort(file)
    starts += bare.starts(folder, bots)
    boxed = None if problem else run(file, *_jobs(1), "--sandbox")
    start = bare.usual(starts + bare.starts(folder, bots))
    own = max(0.0, known.cpu - start.cpu)
    bots_own = f"{1000 * start.wall:.0f} ms, think {1000 * own:.0f} ms in {known.moves:.0f} moves"
    yield f"{bots.title}: {bots.players} bots start and end", bots_own
    yield "  a game", f"{_parts(alone, start, own)}  CPU of ours: {sum(alone.used):.0f} ms"
    yield "  in the sandbox", _parts(boxed, start, own) if boxed else f"not here: {problem}"
    if CORES > 1:
        yield f"  jobs={CORES}", f"{run(file, *_jobs(CORES)).rate:.1f} games/s"


def _parts(found: Run, start: Start, own: float) -> str:
    overhead = found.each - start.wall - own
    against = f"overhead {1000 * overhead:.0f} ms, {overhead / start.wall:.1f} x the start"
    return f"{found.rate:.1f} games/s  {1000 * found.each:.0f} ms, {against}"


# a large contest


def _large(folder: Path) -> Iterator[Row]:
    least = seconds("--help")
    _, small = _scheduled(of_engines(folder, "small", ["random"] * 2, 1), jobs=1)
    file = of_engines(folder, "large", ["random"] * ENTRANTS, LARGE)
    schedule, found = _scheduled(file, CORES)
    resumed = seconds("contest", "resume", str(file), "--quiet", "--no-web")
    reports = {form: _exported(file, form) for form in FORMATS}
    yield f"{ENTRANTS} bots, {len(found.contest.games):,} games: schedule", _beside(schedule, least)
    yield from _phases(found)
    for form, took in reports.items():
        size = _report(file, form).stat().st_size
        yield f"  export {form}", f"{_beside(took, least)}  {size / 1e6:.2f} MB"
    total = schedule + found.ended - found.began + sum(reports.values())
    yield "  all of that, from start to report", f"{total:.1f} s"
    yield "  contest status", _beside(seconds("contest", "status", str(file)), least)
    yield "  contest resume, with nothing left to play", _beside(resumed, least)
    yield from _ranked(file)
    yield from _memory(found, small)


def _scheduled(file: Path, jobs: int) -> tuple[float, Run]:
    """The seconds for the schedule, then the games."""
    schedule = seconds("contest", "new", str(file))
    return schedule, carry_on(file, "--port", "0", "--jobs", str(jobs))


def _beside(took: float, least: float) -> str:
    return f"{took:.2f} s, {took / least:.1f} x spielwerk --help"


def _phases(found: Run) -> Iterator[Row]:
    played = found.contest.ended - found.contest.began
    yield "  until the first game begins", f"{found.contest.began - found.began:.2f} s"
    yield f"  games, jobs={CORES}", f"{played:.1f} s, {found.rate:,.0f}/s  {_used(found)}"
    yield "  from the last game to the standings", f"{found.ended - found.contest.ended:.2f} s"


def _exported(file: Path, form: str) -> float:
    output = str(_report(file, form))
    return seconds("contest", "export", str(file), "--format", form, "--output", output)


def _report(file: Path, form: str) -> Path:
    return file.with_suffix(f".{form}")


def _ranked(file: Path) -> Iterator[Row]:
    """As the equal players of that contest made it; strengths that differ come later."""
    began = time.perf_counter()
    contest = kept(file)
    took = time.perf_counter() - began
    yield "  reading its games from the store", f"{took:.2f} s"
    described = simulate(ENTRANTS, LARGE, seed=1).contest
    ranking = _seconds(lambda: rank(described, contest.entrants, contest.games))
    yield "  ranking them, 500 resamples", f"{ranking:.2f} s, {ranking / took:.1f} x reading them"


def _memory(found: Run, small: Run) -> Iterator[Row]:
    """The coordinator's, beside that of a contest of two games at the same time of its life."""
    for when, moments in (
        ("when the first game begins", (found.contest.began, small.contest.began)),
        ("when the last game is over", (found.contest.ended, small.contest.ended)),
        ("with the ranking", (found.ended, small.ended)),
    ):
        here, idle = found.at(moments[0]).memory, small.at(moments[1]).memory
        more = f"{here - idle:.0f} MB above a contest of 2 games"
        yield f"  memory {when}", f"{here:.0f} MB, {more}"


# ranking


def _ranking() -> Iterator[Row]:
    drawn = simulate(ENTRANTS, LARGE, seed=1)
    games, unit = [game for game in map(rated, drawn.games) if game], yardstick()
    fitted = _seconds(lambda: fit(games))
    all_of_it = _seconds(lambda: rank(drawn.contest, drawn.entrants, drawn.games))
    size = f"{ENTRANTS} entrants, {len(drawn.games):,} games"
    yield f"ranking of {size}: fit", f"{fitted:.2f} s, {fitted * unit:.0f} x the yardstick"
    rest = all_of_it - fitted
    yield "  tables and intervals", f"{rest:.2f} s more, {rest * unit:.0f} x the yardstick"
    for openings, likeness in ALIKE.items():
        found = judge(DRAWN, FEW, SHORT, likeness)
        covering = f"{found.covering / found.intervals:.1%} of {found.intervals:,} cover the truth"
        more = f"width {found.width:.0f} Elo, ranks correlate {found.correlation:.2f}"
        yield f"95 % intervals, openings {openings}", f"{covering}  {more}"


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
