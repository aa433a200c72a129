"""What is counted, as Prometheus reads it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from spielwerk.app.metrics import Metrics
from spielwerk.app.server import running
from spielwerk.store.records import Reason, SeatKind, SeatRecord
from spielwerk.tables.wishes import NewTable
from tests.servers.live import settings_for
from tests.waiting import until


def figures(metrics: Metrics) -> dict[str, float]:
    """The samples by name and labels."""
    families = text_string_to_metric_families(metrics.text().decode())
    return {
        " ".join([sample.name, *sample.labels.values()]): sample.value
        for family in families
        for sample in family.samples
    }


def test_services_are_counted_apart() -> None:
    metrics = Metrics()
    for service in ("mnm", "mnm", "dice"):
        metrics.opened(service)
    metrics.closed("mnm")
    metrics.refused("mnm", "time-out")
    metrics.answered("mnm", 0.004)
    metrics.answered("mnm", 0.006)
    metrics.moved("quarto")
    seen = figures(metrics)
    assert seen["spielwerk_connections mnm"] == 1
    assert seen["spielwerk_connections_opened_total mnm"] == 2
    assert seen["spielwerk_connections dice"] == 1
    assert seen["spielwerk_refused_total time-out mnm"] == 1
    assert seen["spielwerk_answer_seconds_count mnm"] == 2
    assert seen["spielwerk_answer_seconds_bucket 0.005 mnm"] == 1
    assert seen["spielwerk_moves_total quarto"] == 1


def test_the_journal_and_the_loop_are_measured() -> None:
    metrics = Metrics()
    metrics.committed(7, 0.003, 1)
    metrics.late(0.25)
    seen = figures(metrics)
    assert seen["spielwerk_journal_batch_entries_sum"] == 7
    assert seen["spielwerk_journal_commit_seconds_sum"] == 0.003
    assert seen["spielwerk_journal_failures_total"] == 1
    assert seen["spielwerk_loop_lag_seconds"] == 0.25
    assert seen["process_resident_memory_bytes"] > 1_000_000


def test_every_server_counts_for_itself() -> None:
    one, other = Metrics(), Metrics()
    one.moved("quarto")
    assert "spielwerk_moves_total quarto" not in figures(other)


def test_tables_are_counted_by_state(tmp_path: Path) -> None:
    person = SeatRecord(SeatKind.PERSON, "")

    async def main() -> dict[str, float]:
        async with running(settings_for(tmp_path)) as server:
            for wish in (NewTable("oware"), NewTable("oware", seats=(person, person))):
                await server.arena.create(wish)
            over = await server.arena.create(NewTable("oware"))
            over.abort(Reason.ABORTED, "")
            await until(lambda: over.over)
            both = await server.arena.create(NewTable("oware", seats=(person, person)))
            for seat in both.seats:
                seat.occupant = Nobody()
            return figures(server.metrics)

    seen = asyncio.run(main())
    states = {key: value for key, value in seen.items() if key.startswith("spielwerk_tables")}
    assert states == {
        "spielwerk_tables waiting": 2,
        "spielwerk_tables playing": 1,
        "spielwerk_tables finished": 1,
    }


class Nobody:
    """Somebody who sits and does nothing."""

    def look(self) -> None:
        pass

    def dismiss(self, why: str) -> None:
        assert why
