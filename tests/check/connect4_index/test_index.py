"""Every planted fault of an index server is found and named; the honest and the odd ones pass."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest

from spielwerk.check.case import Case, CaseVerdict, select
from spielwerk.check.connect4_index import cases
from spielwerk.check.connect4_index.trial import CheckedIndex, IndexTrial
from spielwerk.check.server import check
from spielwerk.errors import UsageError
from tests.check.connect4_index.faults import (
    AcceptsTakenNames,
    EndsAtAnUnknownMessage,
    KnowsNoBraces,
    NeverSeals,
    caught,
)
from tests.check.connect4_index.index_server import IndexServer
from tests.check.connect4_index.oddities import harmless, harmless_by_document
from tests.check.hasty import run_hastily
from tests.check.live import exit_code, running
from tests.check.planting import Planted, told

Server = type[IndexServer]


def checked(server: IndexServer, chosen: Sequence[Case], parallel: int = 4) -> list[CaseVerdict]:
    async def work() -> list[CaseVerdict]:
        async with server.listening() as port:
            return await check(chosen, CheckedIndex("127.0.0.1", port), parallel)

    return run_hastily(work())


def test_an_honest_server_passes_everything_and_nothing_is_left_there() -> None:
    server = IndexServer()
    verdicts = checked(server, cases())
    assert [verdict for verdict in verdicts if verdict.faults] == []
    assert len(verdicts) >= 60
    assert server.left == []


@pytest.mark.parametrize("planted", caught, ids=str)
def test_a_planted_fault_is_found_and_named(planted: Planted) -> None:
    [verdict] = checked(planted.faulty(), select(cases(), [planted.case]))
    planted.is_told(verdict)


ODD = [*((server, False) for server in harmless)]
ODD += [*((server, True) for server in harmless_by_document)]


@pytest.mark.parametrize(("server", "document_only"), ODD, ids=str)
def test_what_is_odd_is_no_fault(server: Server, document_only: bool) -> None:
    chosen = [case for case in cases() if not (document_only and case.decided)]
    assert told(checked(server(), chosen)) == []


@pytest.mark.parametrize("server", [KnowsNoBraces, AcceptsTakenNames, EndsAtAnUnknownMessage])
def test_faults_too_leave_no_games_behind(server: Server) -> None:
    faulty = server()
    checked(faulty, [case for case in cases() if not case.alone])
    assert faulty.left == []


def test_interrupted_it_removes_its_games() -> None:
    async def work() -> None:
        async with server.listening() as port:
            trial = IndexTrial(CheckedIndex("127.0.0.1", port))
            task = asyncio.create_task(trial.carry_out(register_and_wait))
            await asyncio.sleep(1.0)
            assert len(server.games) == 1
            task.cancel()
            await asyncio.wait([task])

    async def register_and_wait(trial: IndexTrial) -> None:
        await trial.register()
        await asyncio.sleep(30.0)

    server = IndexServer()
    run_hastily(work())
    assert server.left == []


command = partial(exit_code, "connect4-index")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with running(IndexServer()) as port:
        assert command("127.0.0.1", port, "--case", "seal") == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"Connect Four index server 127.0.0.1:{port}\n")
    assert "7 cases" in printed
    with running(NeverSeals()) as port:
        assert command("127.0.0.1", port, "--case", "seal/game") == 1
    assert "is Open in the list, not Sealed" in capsys.readouterr().out
    with pytest.raises(UsageError, match=f"port {port}"):
        command("127.0.0.1", port)


def test_the_list_of_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert command("--list", "--language", "de") == 0
    printed = capsys.readouterr().out
    assert "Ein vergebener Name wird mit register_failed abgelehnt." in printed
    assert "time-out/silent" in printed
