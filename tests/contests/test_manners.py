"""Who computes while another one has to move: on one processor, and in nobody's way."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import psutil
import pytest

from spielwerk.contests.playing import manners
from spielwerk.contests.playing.manners import CROWDED, SOME
from spielwerk.contests.programs import sandbox
from spielwerk.contests.programs.confining import Confinement
from spielwerk.contests.programs.measuring import Load
from spielwerk.store.contest_records import End
from tests.contests.running import Program, python, run, said
from tests.contests.stage import assigned, played, program

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.contests.assignment import Played

needs_processors = pytest.mark.skipif(
    not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
    reason="needs a system that tells processes where to run, and two processors",
)


def everywhere() -> set[int]:
    return os.sched_getaffinity(0)


def alone() -> set[int]:
    return {max(everywhere())}


def allowed(pid: int) -> list[set[int]]:
    """Where the threads of a process and its children may run."""
    tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    threads = [thread.id for process in tree for thread in process.threads()]
    return [os.sched_getaffinity(thread) for thread in threads]


# programs

FAMILY = """
import os, threading, time
if os.fork():
    threading.Thread(target=time.sleep, args=(100,)).start()
    print('ready', flush=True)
time.sleep(100)
"""


@needs_processors
@pytest.mark.parametrize("sandboxed", [False, True])
def test_all_of_a_program_is_confined_and_let_go_again(sandboxed: bool) -> None:
    if sandboxed and (problem := sandbox.available()):
        pytest.skip(problem)

    async def main() -> None:
        async with Program(python(FAMILY), sandboxed=sandboxed) as family:
            await said(family, "ready")
            assert family.tree is not None
            for confined, place in ((True, alone()), (True, alone()), (False, everywhere())):
                family.confine(confined)
                found = allowed(family.tree.root)
                assert len(found) >= 3
                assert all(one == place for one in found)

    run(main())


@needs_processors
def test_who_gets_away_is_confined_again() -> None:
    escape = f"import os; os.sched_setaffinity(0, {everywhere()}); print('free', flush=True)"
    wait = "import os, time\nwhile len(os.sched_getaffinity(0)) > 1: time.sleep(0.01)"

    async def main() -> None:
        async with Program(python(f"{wait}\n{escape}\ntime.sleep(100)")) as fleeing:
            fleeing.confine()
            await said(fleeing, "free")
            assert fleeing.tree is not None
            assert allowed(fleeing.tree.root) == [everywhere()]
            fleeing.confine()
            assert allowed(fleeing.tree.root) == [alone()]

    run(main())


def test_a_program_that_has_ended_is_left_alone() -> None:
    async def main() -> None:
        program = Program(python("pass"))
        program.confine()
        async with program:
            await program.ended
            program.confine()

    run(main())


# games


def late_against(fault: str) -> Played:
    """A game in which one is too late while the other one does what it does."""
    slow = program("quarto", "--fault late", "anna")
    other = program("quarto", f"--fault {fault}" if fault else "", "bert")
    (one,) = played(assigned("quarto", slow, other, move_time=1000))
    return one


@pytest.fixture(autouse=True)
def busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests may run where nobody gets more than a little of a processor."""
    monkeypatch.setattr(manners, "SOME", 0.05)


@pytest.fixture
def confined(monkeypatch: pytest.MonkeyPatch) -> list[list[set[int]]]:
    """Where those may run who are confined, every time that it happens."""
    usual: Callable[[Confinement], None] = Confinement.close
    found: list[list[set[int]]] = []

    def close(confinement: Confinement) -> None:
        usual(confinement)
        found.append(allowed(confinement._tree.root))

    monkeypatch.setattr(Confinement, "close", close)
    monkeypatch.setattr(Load, "during", lambda *_: False)
    return found


@needs_processors
def test_who_computes_while_another_one_has_to_move_is_confined(
    confined: list[list[set[int]]],
) -> None:
    one = late_against("ponder")
    assert (one.outcome.end, one.outcome.culprits) == (End.TIME_OUT, (0,))
    assert len(confined[-1]) == 5
    assert all(place == alone() for place in confined[-1])


def test_who_only_waits_is_not_confined(
    confined: list[list[set[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manners, "SOME", SOME)
    assert late_against("").outcome.end is End.TIME_OUT
    assert not confined


@needs_processors
def test_who_has_to_move_itself_is_let_go() -> None:
    thinking = program("quarto", "--fault slow --fault-at 1 --move-time 1000", "anna")
    asked = program("quarto", "--fault ponder", "bert")
    places: list[list[set[int]]] = []
    usual = Confinement.open

    def release(confinement: Confinement) -> None:
        closed = confinement.closed
        usual(confinement)
        if closed:
            places.append(allowed(confinement._tree.root))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Confinement, "open", release)
        (one,) = played(assigned("quarto", thinking, asked))
    assert one.outcome.end in (End.WIN, End.DRAW)
    assert places
    assert all(place == everywhere() for threads in places for place in threads)


@pytest.mark.parametrize("busy", [True, False])
def test_who_cannot_be_confined_spoils_the_game_for_nobody(
    busy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Load, "during", lambda *_: busy)
    monkeypatch.setattr(Confinement, "close", lambda _: None)  # as where there is no such thing
    monkeypatch.setattr(manners, "CROWD", 0.05)
    one = late_against("ponder")
    if busy:
        assert one.outcome.end is End.SERVER_ERROR
        assert (one.outcome.culprits, one.outcome.detail) == ((), f"bert: {CROWDED}")
    else:
        assert (one.outcome.end, one.outcome.culprits) == (End.TIME_OUT, (0,))


def test_who_is_too_late_beside_others_who_wait_has_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Load, "during", lambda *_: True)
    one = late_against("")
    assert (one.outcome.end, one.outcome.culprits) == (End.TIME_OUT, (0,))
    assert one.outcome.overloaded
