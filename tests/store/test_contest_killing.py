"""kill -9 while a contest is played: each game is counted once, whole, or is played again."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

from sqlalchemy import select

from spielwerk.store import contests, reading, schema
from spielwerk.store.opening import Readable, Store, open_reader, open_store
from spielwerk.store.records import Pairing, PairingState
from tests.store.contest_samples import CONTEST, reports_of
from tests.store.contest_scribe import GAMES, settling

ROUNDS = 2

Attempt = tuple[int, int]  # at the game with the first number, for the second's time


def scribe(url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.store.contest_scribe", url]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def killed_after(url: str, lines: int) -> list[str]:
    """What the scribe said before it was killed, and while it died."""
    with scribe(url) as process:
        assert process.stdout
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.readlines()
    return [line for line in said if line.endswith("\n")]


def attempts(lines: list[str], word: str) -> set[Attempt]:
    found = (line.split()[1:] for line in lines if line.startswith(word))
    return {(int(number), int(attempt)) for number, attempt in found}


def settled_games(store: Readable) -> list[Attempt]:
    """The games that were written, each as the attempt in which it was played."""
    with store.reading() as connection:
        names = connection.scalars(select(schema.games.c.id)).all()
    return [(int(number), int(attempt)) for number, attempt in map(_parts, names)]


def _parts(name: str) -> list[str]:
    return name.removeprefix("game").split("x")


def check(store: Readable, found: Pairing) -> None:
    """A game of the schedule has its whole game, or nothing at all."""
    if found.state in (PairingState.NEW, PairingState.RUNNING):
        assert (found.game, found.ending) == (None, None)
        return
    entry = settling(found.number, found.attempt)
    assert entry.record
    assert found == replace(entry.pairing, repeated=found.repeated)
    assert reading.game(store, entry.record.id) == entry.record
    assert reading.wires(store, entry.record.id) == [*entry.wires]
    reports = contests.reports(store, CONTEST, found.number)
    assert reports == [*reports_of(found.number)]


def check_all(store: Readable) -> None:
    found = contests.pairings(store, CONTEST)
    assert len(found) == GAMES
    for one in found:
        check(store, one)
    written = settled_games(store)
    assert len(written) == len(set(written))
    done = sorted(one.number for one in found if one.state is PairingState.DONE)
    # Whatever has been written twice for a game is a repetition that was asked for.
    assert sorted(number for number, attempt in written if _counts(number, attempt)) == done


def _counts(number: int, attempt: int) -> bool:
    return settling(number, attempt).pairing.state is PairingState.DONE


def test_each_game_of_a_contest_is_counted_once(store_url: str) -> None:
    rng, begun, settled = Random(9), set[Attempt](), set[Attempt]()
    for _ in range(ROUNDS):
        said = killed_after(store_url, rng.randint(1, 150))
        begun |= attempts(said, "begun")
        settled |= attempts(said, "settled")
        with open_store(store_url) as store, open_reader(store_url) as reader:
            check_all(reader)
            check_acknowledged(store, begun, settled)
    with scribe(store_url) as process:
        process.communicate()
    assert process.returncode == 0
    with open_store(store_url) as store:
        check_all(store)
        assert contests.counts(store, CONTEST)[PairingState.DONE] == GAMES


def check_acknowledged(store: Store, begun: set[Attempt], settled: set[Attempt]) -> None:
    """What was said to be written is there, and at most what was under way besides."""
    written = set(settled_games(store))
    assert settled <= written
    known = {found.number: found.attempt for found in contests.pairings(store, CONTEST)}
    assert all(known[number] >= attempt for number, attempt in begun)


def test_a_schedule_is_there_whole_or_not_at_all(store_url: str) -> None:
    open_store(store_url).close()
    for delay in (0.3, 0.4, 0.45, 0.5, 0.55, 0.6):
        with scribe(store_url) as process:
            try:
                process.communicate(timeout=delay)
            except subprocess.TimeoutExpired:
                process.kill()
        with open_store(store_url) as store:
            known = contests.contest(store, CONTEST)
            assert len(contests.pairings(store, CONTEST)) == (GAMES if known else 0)
