"""A contest run from the command line: when its games were played, and what it used meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final

from spielwerk.store import contests as reading
from spielwerk.store.opening import open_reader
from spielwerk.store.records import Ending, Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.store.records import EntrantRecord, Pairing

SPIELWERK: Final = str(Path(sys.executable).with_name("spielwerk"))

LOOK: Final = 0.05  # seconds between two samples
WARMING: Final = 0.1  # part of the games after which everything is warm
PATIENCE: Final = 900.0  # seconds for a whole contest
TICK: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """What the processes of a contest have used until a moment."""

    at: float  # seconds since 1970
    coordinator: float  # seconds of processor time
    workers: float  # the same, all of them together, without the programs that they start
    memory: float  # megabytes of the coordinator


@dataclass(frozen=True)
class Contest:
    """What is in the store when all games are played."""

    entrants: Sequence[EntrantRecord]
    games: Sequence[Pairing]

    @property
    def outcomes(self) -> list[Ending]:
        """In the order in which the games ended."""
        done = [game.ending for game in self.games if game.ending]
        return sorted(done, key=lambda outcome: outcome.at)

    @property
    def began(self) -> float:
        """When the first game was begun, in seconds since 1970."""
        return min(game.started for game in self.games if game.ending) / 1000

    @property
    def ended(self) -> float:
        """When the last game was over."""
        return self.outcomes[-1].at / 1000


@dataclass(frozen=True)
class Run:
    """A contest that was played from its first game to its last."""

    began: float  # the command, in seconds since 1970
    ended: float
    samples: Sequence[Sample]
    contest: Contest

    @property
    def each(self) -> float:
        """Seconds from the end of one game to that of the next, the median; one at a time."""
        ends = [outcome.at for outcome in self.contest.outcomes]
        return median(after - before for before, after in pairwise(ends)) / 1000

    @property
    def rate(self) -> float:
        """Games a second, when everything is warm."""
        since, games = self._warm()
        return games / (self.contest.ended - since)

    @property
    def used(self) -> tuple[float, float]:
        """Milliseconds of processor time a game, of the coordinator and of the workers."""
        since, games = self._warm()
        first, last = self.at(since), self.at(self.contest.ended)
        coordinator, workers = last.coordinator - first.coordinator, last.workers - first.workers
        return 1000 * coordinator / games, 1000 * workers / games

    def at(self, moment: float) -> Sample:
        """The last sample until then, or the first of all."""
        until = [sample for sample in self.samples if sample.at <= moment]
        return until[-1] if until else self.samples[0]

    def _warm(self) -> tuple[float, int]:
        """When that was, and how many games ended since."""
        outcomes = self.contest.outcomes
        first = int(len(outcomes) * WARMING)
        return outcomes[first].at / 1000, len(outcomes) - first - 1


def run(file: Path, *options: str) -> Run:
    """Play a new contest to its end."""
    for left in file.parent.glob(f"{file.stem}.db*"):
        left.unlink()
    return carry_on(file, *options)


def carry_on(file: Path, *options: str) -> Run:
    """Play a contest, or what is left of it, to its end."""
    command, began = [SPIELWERK, "contest", "run", str(file), "--quiet", *options], time.time()
    samples: list[Sample] = []
    log = file.with_suffix(".log")
    with log.open("w") as output, subprocess.Popen(command, stdout=output, stderr=output) as it:
        while it.poll() is None:
            if time.time() - began > PATIENCE:
                it.kill()
            with suppress(OSError, IndexError):  # it ends just now
                samples.append(_sample(it.pid))
            time.sleep(LOOK)
    if it.returncode:
        raise RuntimeError(f"the contest failed: {log.read_text()}")
    played = Run(began, time.time(), samples, kept(file))
    if foul := {one.reason for one in played.contest.outcomes} - {Reason.WIN, Reason.DRAW}:
        raise RuntimeError(f"the games were not clean: {', '.join(foul)}")
    return played


def seconds(*arguments: str) -> float:
    """How long a command of ours takes as a whole."""
    began = time.perf_counter()
    subprocess.run([SPIELWERK, *arguments], check=True, capture_output=True)
    return time.perf_counter() - began


def kept(file: Path) -> Contest:
    """What the contest's store has."""
    with open_reader(str(file.with_suffix(".db"))) as store:
        (record,) = reading.contests(store)
        return Contest(reading.entrants(store, record.id), reading.pairings(store, record.id))


@dataclass(frozen=True)
class Effort:
    """What the programs of a game do, the median."""

    cpu: float  # seconds, all of them together
    moves: float


def effort(file: Path) -> Effort:
    """What is known of the programs of a contest."""
    with open_reader(str(file.with_suffix(".db"))) as store:
        (record,) = reading.contests(store)
        games = reading.pairings(store, record.id)
        reports = [reading.reports(store, record.id, game.number) for game in games]
    return Effort(
        median(sum(one.cpu or 0 for one in game) for game in reports) / 1000,
        median(sum(one.moves for one in game) for game in reports),
    )


# processes


def _sample(pid: int) -> Sample:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    workers = sum(_cpu(int(child)) for child in children)
    status = Path(f"/proc/{pid}/status").read_text()
    memory = int(status.partition("VmRSS:")[2].split()[0]) / 1024
    return Sample(time.time(), _cpu(pid), workers, memory)


def _cpu(pid: int) -> float:
    """Seconds, in user mode and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK
