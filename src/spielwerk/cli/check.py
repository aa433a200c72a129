"""`spielwerk check`: is somebody's program what its document asks for?"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk.cli.arguments import whole_number
from spielwerk.cli.progress import progress
from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spielwerk.check.case import Verdict
    from spielwerk.check.oware.peer import Peer
    from spielwerk.check.oware.requests import OwareCase
    from spielwerk.check.report import Told

app = typer.Typer(help="Check somebody's program against the document it is written for.")


@app.callback()
def check() -> None:
    """Check somebody's program against the document it is written for."""


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


@app.command()
def oware(
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where it runs.")] = "localhost",
    port: Annotated[
        int, typer.Argument(metavar="PORT", parser=port_number, help="Its TCP port.")
    ] = 7889,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="PATTERN", help="Only these cases or groups (* and ?); repeatable."
        ),
    ] = None,
    list_cases: Annotated[
        bool, typer.Option("--list", help="List the cases and their rules, and do nothing.")
    ] = False,
    document_only: Annotated[
        bool,
        typer.Option(
            "--document-only", help="Leave out what the document leaves open (marked * in --list)."
        ),
    ] = False,
    seed: Annotated[int, typer.Option(parser=whole_number, help="Varies the random cases.")] = 0,
    json: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the results as JSON.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write them as JUnit XML.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(parser=seconds, help="Seconds to wait for an answer.")
    ] = 10.0,
    close_timeout: Annotated[
        float, typer.Option(parser=seconds, help="Seconds to wait for the server to close.")
    ] = 2.0,
    silence: Annotated[
        float | None,
        typer.Option(
            parser=seconds,
            help="Also check that a request is given up after so many seconds of silence.",
        ),
    ] = None,
    parallel: Annotated[int, typer.Option(parser=positive, help="Cases at a time.")] = 8,
) -> None:
    """Probe an Oware move server (Hagen, Programmierpraktikum 2007/08) and say what is wrong.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the server cannot be reached.
    """
    from spielwerk.check.case import select
    from spielwerk.check.oware.cases import all_cases
    from spielwerk.check.oware.peer import Peer, Settings

    cases = select(all_cases(seed, silence, document_only=document_only), only or [])
    if list_cases:
        _list(cases)
        return
    for file in (json, junit):
        _can_be_written(file)
    peer = Peer(Settings(host, port, timeout, close_timeout))
    verdicts, duration = _run(cases, peer, parallel)
    _write(json, junit, verdicts, peer, seed)
    _print(verdicts, peer, duration)
    if not all(verdict.passed for verdict in verdicts):
        raise SystemExit(1)


def _list(cases: Sequence[OwareCase]) -> None:
    width = max(len(case.name) for case in cases)
    for case in cases:
        mark = "*" if case.decided else " "
        typer.echo(f"{case.name:<{width}} {mark} {case.rule} ({case.source})")


def _can_be_written(file: Path | None) -> None:
    """Say so before the work, not after it."""
    if file:
        try:
            file.open("a", encoding="utf-8").close()
        except OSError as error:
            raise UsageError(f"cannot write {quote(str(file))}: {error.strerror}") from None


def _run(cases: Sequence[OwareCase], peer: Peer, parallel: int) -> tuple[list[Verdict], float]:
    import asyncio
    import time

    from spielwerk.check.oware import check

    start = time.monotonic()
    failed = count = 0
    with progress() as show:

        def done(verdict: Verdict) -> None:
            nonlocal failed, count
            count += 1
            failed += not verdict.passed
            show(f"{count} of {len(cases)} cases, {failed} failed", count / len(cases))

        show("connecting", 0.0)
        verdicts = asyncio.run(check(cases, peer, parallel, done))
    return verdicts, time.monotonic() - start


def _about(peer: Peer) -> dict[str, object]:
    from spielwerk.check.visible import visible

    names = peer.names
    return {
        "host": peer.settings.host,
        "port": peer.settings.port,
        "author": None if names.author is None else visible(names.author),
        "strategies": {str(n): visible(name) for n, name in names.strategies.items()},
    }


def _write(
    json: Path | None, junit: Path | None, verdicts: Sequence[Verdict], peer: Peer, seed: int
) -> None:
    from spielwerk.check.report import as_json, as_junit

    about = {"check": "oware", "seed": seed, **_about(peer)}
    suite = f"oware {peer.settings.host}:{peer.settings.port}"
    if json:
        json.write_text(as_json(verdicts, about), encoding="utf-8", newline="\n")
    if junit:
        junit.write_text(as_junit(verdicts, suite), encoding="utf-8", newline="\n")


def _print(verdicts: Sequence[Verdict], peer: Peer, duration: float) -> None:
    """The report, with colours where there is a terminal that wants them."""
    from rich.console import Console

    from spielwerk.check.report import Told, report

    about = _about(peer)
    strategies = about["strategies"]
    names = ", ".join(strategies.values()) if isinstance(strategies, dict) else ""
    head = f"Oware server {peer.settings.host}:{peer.settings.port}"
    lines: Iterable[Told] = [
        Told(f"{head}, by {about['author']}, strategies: {names}" if names else head),
        Told(""),
        *report(verdicts, duration),
    ]
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(line.text, style=line.style or None)
