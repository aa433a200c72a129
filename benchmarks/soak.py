"""A hundred honest games, alone and beside every attack at once: `python -m benchmarks.soak`.

It takes half an hour, with `--short` two minutes. The honest ones play at every service of a real
server with its own data: clients of the game server, dice bots, people in browsers, people against
engines, Oware clients, and Connect Four found at the index server. First they play alone; then one
attacker from a single address and one from a hundred do to the server all that
`benchmarks.attacks` knows, and the figures stand beside each other. A loss is anything that must
not happen to an honest player: a connection that ends, a refusal, a line that is not answered.

At the end the store is asked whether all that was confirmed is there, the log whether anything
failed, and a port of this machine that the server must not reach whether it did. The machine is
shared by the server, the honest ones and the attackers; a
`nice -n -15` before the command keeps other work off.
"""

from __future__ import annotations

import json
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from benchmarks.attacks.visitors import Attack, orders
from benchmarks.load.figures import DISK
from benchmarks.load.generator import Orders
from benchmarks.load.processes import OTHER_CORES, SERVER_CORES, measure_each, pinned, server
from spielwerk.app.settings import SERVICES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from benchmarks.load.processes import Measured, ServerProcess

SPIELWERK: Final = str(Path(sys.executable).with_name("spielwerk"))
SECONDS: Final = 1800.0
SHORT: Final = 120.0
ALONE: Final = 0.3  # of the time, before the attack
PLACES: Final = 500  # connections of each service, so that the attackers fill them
TABLES: Final = 2000
SEED: Final = 1

# The moves of a kind of game, by its name and its tables' names, beside what players were told.
STORED: Final = {
    "mnm and web": "name = 'load'",
    "dice": "games.game = 'dice' AND name <> 'load'",
    "connect4": "name LIKE 'soak %' AND seat = 1",
}
MOVES: Final = "SELECT count(*) FROM moves JOIN games ON moves.game = games.id WHERE seat >= 0 AND "


def main() -> int:
    """Run it, and print the figures; 1 if something was lost."""
    seconds = SHORT if "--short" in sys.argv else SECONDS
    print(__doc__)
    print(f"cores of the server {SERVER_CORES}, of all others {OTHER_CORES}; {seconds:.0f} s\n")
    with TemporaryDirectory(dir=DISK) as place, ExitStack() as stack:
        folder = Path(place)
        canary = stack.enter_context(closing(socket.create_server(("127.0.0.1", 0))))
        with _serving(folder) as serving:
            ports = dict(zip(SERVICES, serving.ports(len(SERVICES)), strict=True))
            alone = _honest(serving, ports, ALONE * seconds, nullcontext())
            attack = _attacked(ports, canary.getsockname()[1])
            beside = _honest(serving, ports, (1 - ALONE) * seconds, attack)
            memory = serving.memory("VmHWM")
            failures = (folder / "log").read_text(errors="replace").count(" error ")
        _print(alone, beside)
        print(f"\nthe server's memory at its most: {memory:.0f} MB; errors in its log: {failures}")
        lost = sum(found.counts["failures"] for found in beside.values())
        return int(any([*_checked(folder, canary, alone, beside), lost, failures]))


@contextmanager
def _serving(folder: Path) -> Iterator[ServerProcess]:
    options = [f"--set={name}.connections={PLACES}" for name in SERVICES]
    options += [f"--port={name}=0" for name in SERVICES]
    options += [f"--set=tables.limit={TABLES}", "--set=mnm.thinking=60", "--set=dice.answer=60"]
    command = [SPIELWERK, "serve", "--data", str(folder), *options]
    with server(*command, log=folder / "log") as serving:
        yield serving


def _honest(
    serving: ServerProcess,
    ports: dict[str, int],
    seconds: float,
    attack: AbstractContextManager[None],
) -> dict[str, Measured]:
    """A hundred games at all services, and what was measured of each kind."""
    web, load = ports["web"], "benchmarks.soak_load"
    kinds = {
        "mnm": Orders("benchmarks.mnm_load.clients", ports["mnm"], 30, 1.0, SEED, web),
        "dice": Orders("benchmarks.dice_load.clients", ports["dice"], 10, 0.5, SEED),
        "web": Orders("benchmarks.web_load.players", web, 30, 1.0, SEED),
        "level 3": Orders(f"{load}.opponents", web, 5, 1.0, SEED),
        "oware": Orders(f"{load}.oware", ports["oware"], 15, 1.0, SEED),
        "connect4": Orders(f"{load}.connect4", ports["index"], 10, 0.5, SEED, web),
    }
    found = measure_each(serving, [*kinds.values()], seconds, beside=attack)
    return dict(zip(kinds, found, strict=True))


@contextmanager
def _attacked(ports: dict[str, int], canary: int) -> Iterator[None]:
    """Two attackers, from one address and from a hundred, and what they did."""
    attacks = [Attack(ports, addresses, canary) for addresses in (1, 100)]
    with pinned(OTHER_CORES), ExitStack() as stack:
        running = [
            stack.enter_context(subprocess.Popen(orders(attack), stdout=subprocess.PIPE, text=True))
            for attack in attacks
        ]
        try:
            yield
        finally:
            for one in running:
                one.terminate()
        for attack, one in zip(attacks, running, strict=True):
            done = Counter(json.loads(one.communicate()[0]))
            told = ", ".join(f"{count:,} {what}" for what, count in done.most_common())
            print(f"attacks from {attack.addresses} address(es): {told}")


# what became of it


def _print(alone: dict[str, Measured], beside: dict[str, Measured]) -> None:
    print(f"\n{'':10}{'alone':>40}{'under attack':>40}")
    for name, found in alone.items():
        print(f"{name:10}{_figures(found):>40}{_figures(beside[name]):>40}")
    for name, found in beside.items():
        if found.problem:
            print(f"{name}: {found.problem}")
    for run in (alone, beside):
        found = run["mnm"]
        late = f"99 % of the clients' lines late by {1000 * found.behind:.0f} ms at most"
        print(f"server: {found.cpu / found.seconds:.0%} of its core; {late}")


def _figures(found: Measured) -> str:
    times = f"{found.percentile(50):.0f}, {found.percentile(99):.0f} ms"
    return f"{len(found.latencies):,} in {times}, {found.counts['failures']} lost"


def _checked(folder: Path, canary: socket.socket, *runs: dict[str, Measured]) -> Iterator[bool]:
    """Whether something that must not happen did, for everything that can be looked up."""
    told: Counter[str] = Counter()
    for run in runs:
        told["mnm and web"] += run["mnm"].counts["decisions"] + run["web"].counts["decisions"]
        told["dice"] += run["dice"].counts["decisions"]
        told["connect4"] += run["connect4"].counts["decisions"]
    with closing(sqlite3.connect(folder / "spielwerk.db")) as database:
        for what, which in STORED.items():
            (stored,) = database.execute(MOVES + which).fetchone()
            print(f"{what}: {told[what]:,} moves confirmed, {stored:,} stored")
            yield stored < told[what]
    canary.setblocking(False)
    try:
        canary.accept()
        reached = True
    except BlockingIOError:
        reached = False
    print(f"a service of this machine was reached through the server: {reached}")
    yield reached


if __name__ == "__main__":
    sys.exit(main())
