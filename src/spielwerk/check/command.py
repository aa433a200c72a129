"""The frame of `spielwerk check NAME`: options, progress, files and the report."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk.errors import UsageError, quote
from spielwerk.terminal.commands import progress, whole_number

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from spielwerk.check.case import Case, CaseVerdict


def seconds(text: str) -> float:
    """Read a time that was typed."""
    try:
        time = float(text)
    except ValueError:
        raise typer.BadParameter(f"{quote(text)} is no number of seconds") from None
    if not 0 < time <= 3600 or math.isnan(time):
        raise typer.BadParameter(f"{quote(text)} is not between 0 and 3600 seconds")
    return time


def port_number(text: str) -> int:
    """Read a port that was typed."""
    port = whole_number(text)
    if not 0 < port < 65536:
        raise typer.BadParameter(f"{port} is no TCP port; they are 1 to 65535")
    return port


def positive(text: str) -> int:
    """Read a number of things that was typed."""
    count = whole_number(text)
    if not 1 <= count <= 256:
        raise typer.BadParameter(f"{count} is not between 1 and 256")
    return count


Only = Annotated[
    list[str] | None,
    typer.Option(
        "--only", metavar="PATTERN", help="Only these cases or groups (* and ?); repeatable."
    ),
]
ListCases = Annotated[
    bool, typer.Option("--list", help="List the cases and their rules, and do nothing.")
]
DocumentOnly = Annotated[
    bool,
    typer.Option(
        "--document-only", help="Leave out what the document leaves open (marked * in --list)."
    ),
]
Seed = Annotated[int, typer.Option(parser=whole_number, help="Varies the random cases.")]
JsonFile = Annotated[
    Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
]
JunitFile = Annotated[
    Path | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML.")
]
Timeout = Annotated[float, typer.Option(parser=seconds, help="Seconds to wait for an answer.")]
Parallel = Annotated[int, typer.Option(parser=positive, help="Cases at a time.")]


def list_cases(cases: Sequence[Case]) -> None:
    """Print the cases and their rules."""
    width = max(len(case.name) for case in cases)
    for case in cases:
        mark = "*" if case.decided else " "
        typer.echo(f"{case.name:<{width}} {mark} {case.rule} ({case.source})")


def check_files(*files: Path | None) -> None:
    """Say before the work, not after it, that a file cannot be written."""
    for file in filter(None, files):
        try:
            file.open("a", encoding="utf-8").close()
        except OSError as error:
            raise UsageError(f"cannot write {quote(str(file))}: {error.strerror}") from None


def carry_out(
    count: int, check: Callable[[Callable[[CaseVerdict], None]], Awaitable[list[CaseVerdict]]]
) -> tuple[list[CaseVerdict], float]:
    """The verdicts of so many cases, and the seconds they took; a bar shows how far it is."""
    import asyncio  # takes a while, and `--help` needs it not

    start = time.monotonic()
    failed = done = 0
    with progress() as show:

        def judged(verdict: CaseVerdict) -> None:
            nonlocal failed, done
            done += 1
            failed += not verdict.passed
            show(f"{done} of {count} cases, {failed} failed", done / count)

        async def run() -> list[CaseVerdict]:
            return await check(judged)

        show("connecting", 0.0)
        verdicts = asyncio.run(run())
    return verdicts, time.monotonic() - start


def write_files(
    json: Path | None,
    junit: Path | None,
    verdicts: Sequence[CaseVerdict],
    about: Mapping[str, object],
    suite: str,
) -> None:
    """Write the files that were asked for."""
    from spielwerk.check.report import as_json, as_junit

    if json:
        json.write_text(as_json(verdicts, about), encoding="utf-8", newline="\n")
    if junit:
        junit.write_text(as_junit(verdicts, suite), encoding="utf-8", newline="\n")


def conclude(verdicts: Sequence[CaseVerdict], head: str, duration: float) -> None:
    """Print the report, with colours where a terminal wants them; exit with 1 if a case failed."""
    from rich.console import Console

    from spielwerk.check.report import ReportLine, report

    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in (ReportLine(head), ReportLine(""), *report(verdicts, duration)):
        console.print(line.text, style=line.style or None)
    if not all(verdict.passed for verdict in verdicts):
        raise SystemExit(1)
