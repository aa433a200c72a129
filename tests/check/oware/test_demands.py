"""What section 3.13 asks: the time at each depth, and the minimum strength."""

from __future__ import annotations

import asyncio

import pytest

from spielwerk.check.case import CaseVerdict, select
from spielwerk.check.oware import demands
from spielwerk.check.oware.cases import all_cases
from spielwerk.check.oware.trial import Peer
from spielwerk.check.server import check
from tests.check.hasty import run_hastily
from tests.check.oware.move_server import MoveServer


class Thinks(MoveServer):
    """Takes so many seconds for a move at each depth, beginning with 1."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = seconds

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = await self.read(reader)
        if lines[3] or lines[1] != b"1":
            await asyncio.sleep(self.seconds[int(lines[1]) - 1])
        writer.write(self.answer(lines))
        await writer.drain()


def checked(server: MoveServer, case: str) -> CaseVerdict:
    async def work() -> CaseVerdict:
        async with server.listening() as port:
            chosen = select(all_cases(strength=True), [case])
            return (await check(chosen, Peer("127.0.0.1", port), 1))[0]

    return run_hastily(work())


def test_the_time_is_measured_at_every_depth() -> None:
    verdict = checked(Thinks(0.0, 0.1, 0.2, 0.5, 2.0, 12.0), "time")
    assert verdict.passed
    assert verdict.faults == ()
    assert [one.values["depth"] for one in verdict.measured] == [1, 2, 3, 4, 5, 6]
    assert [one.values["positions"] for one in verdict.measured] == [5, 5, 5, 5, 5, 1]
    last = verdict.measured[-1].values
    assert 12.0 <= float(str(last["longest"])) < 13.0
    assert verdict.measured[0].text.startswith("depth 1: 5 positions, median 0.0")


@pytest.mark.parametrize(
    ("seconds", "problem", "depths"),
    [
        ((0.0, 0.0, 0.0, 0.0, 0.1, 31.0), "a move at depth 6 took 31.0 s; 30 s are allowed", 6),
        ((0.0, 0.0, 0.0, 0.0, 0.1, 90.0), "a move at depth 6 took 35.0 s", 6),
        ((0.0, 0.0, 0.0, 40.0, 90.0, 90.0), "depth 4 already took 35.0 s", 4),
    ],
)
def test_what_takes_too_long_is_a_fault(
    seconds: tuple[float, ...], problem: str, depths: int
) -> None:
    verdict = checked(Thinks(*seconds), "time")
    assert [fault.kind for fault in verdict.faults] == [
        "too-slow" if depths == 6 else "too-slow-before"
    ]
    assert problem in verdict.faults[0].problem
    assert len(verdict.measured) == depths


def test_a_server_that_plays_the_first_move_is_too_weak(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demands, "GAMES", 2)
    verdict = checked(MoveServer(), "strength")
    assert [fault.kind for fault in verdict.faults] == ["too-weak"]
    assert not verdict.passed
    assert "it won 0 of 2 games" in verdict.faults[0].problem
    assert [one.values["result"] for one in verdict.measured] == ["lost", "lost"]
    assert "B took the first of equal moves" in verdict.measured[0].text
    assert "B took any of equal moves" in verdict.measured[1].text


@pytest.mark.parametrize(
    ("worst", "passed", "advised"),
    [((), True, False), ((4,), True, True), ((1, 2, 3), False, False)],
)
def test_the_majority_of_the_games_decides(
    worst: tuple[int, ...], passed: bool, advised: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = iter([number not in worst for number in range(1, demands.GAMES + 1)])
    monkeypatch.setattr(demands, "_tell", lambda *_: next(results))
    monkeypatch.setattr(demands, "_reference", lambda: None)
    monkeypatch.setattr(demands, "_reply", lambda _, state, __: state.legal_moves()[0])
    verdict = checked(MoveServer(), "strength")
    assert (verdict.passed, verdict.advised) == (passed, advised)


def test_a_wrong_move_ends_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheats(MoveServer):
        def told(self, board: list[int]) -> bytes:
            return super().told(board[::-1])

    monkeypatch.setattr(demands, "_reference", lambda: None)
    verdict = checked(Cheats(), "strength")
    assert verdict.faults[0].kind == "differs:resulting-board"
    assert verdict.measured == ()


def test_games_have_to_be_asked_for() -> None:
    assert not any(case.group == "strength" for case in all_cases())
