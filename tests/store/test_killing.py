"""kill -9 at any instant: every acknowledged move is there, once and in order."""

from __future__ import annotations

import subprocess
import sys
from random import Random

from spielwerk.store.opening import open_store
from spielwerk.store.reading import unfinished
from tests.store.samples import move

ROUNDS = 2


def killed_after(url: str, lines: int) -> list[str]:
    """What the scribe said before it was killed, and while it died."""
    command = [sys.executable, "-m", "tests.store.scribe", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as scribe:
        assert scribe.stdout
        said = [scribe.stdout.readline() for _ in range(lines)]
        scribe.kill()
        said += scribe.stdout.readlines()
    return [line for line in said if line.endswith("\n")]


def test_every_acknowledged_move_survives(store_url: str) -> None:
    rng = Random(0)
    acknowledged: dict[str, list[int]] = {}
    for _ in range(ROUNDS):
        for line in killed_after(store_url, rng.randint(1, 200)):
            game, number = line.split()
            acknowledged.setdefault(game, []).append(int(number))
        with open_store(store_url) as store:
            kept = {record.id: record.moves for record in unfinished(store)}
        for game, numbers in acknowledged.items():
            assert kept[game] == tuple(map(move, range(len(kept[game]))))
            assert numbers == sorted(set(numbers))
            # At most the move that was under way is there without having been acknowledged.
            assert len(kept[game]) - 1 in {numbers[-1], numbers[-1] + 1}


def test_a_killed_first_start_does_no_harm(store_url: str) -> None:
    script = "import sys; from spielwerk.store.opening import open_store; open_store(sys.argv[1])"
    for delay in (0.0, 0.2, 0.3):
        with subprocess.Popen([sys.executable, "-c", script, store_url]) as process:
            try:
                process.wait(delay)
            except subprocess.TimeoutExpired:
                process.kill()
    open_store(store_url).close()
