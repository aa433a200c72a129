"""`spielwerk check connect4-index`: does an index server do what the Connect Four protocol asks?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from spielwerk.check import command as frame
from spielwerk.check.case import Wording
from spielwerk.check.command import ReportOptions, seconds

if TYPE_CHECKING:
    from spielwerk.check.case import Case

SLOW: Final = ("heartbeat", "time-out")  # groups whose cases take a minute or more


@frame.with_options(ReportOptions)
def check(
    options: ReportOptions,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Host of the server.")] = "localhost",
    port: Annotated[
        int,
        typer.Argument(
            metavar="PORT", parser=frame.port_number, help="TCP and UDP port of the server."
        ),
    ] = 9090,
    timeout: Annotated[
        float, typer.Option(parser=seconds, help="Seconds to wait for an answer.")
    ] = 5.0,
    slow: Annotated[
        bool,
        typer.Option("--slow", help="Also check heartbeats and time-outs; takes some minutes."),
    ] = False,
) -> None:
    """Check a running Connect Four index server.

    It may hold other games; those of the check are removed at the end.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the server cannot be reached.
    """
    from spielwerk.check.case import select
    from spielwerk.check.connect4_index.trial import CheckedIndex
    from spielwerk.check.server import check

    known = [case for case in cases() if not (options.document_only and case.decided)]
    quick = [case for case in known if case.group not in SLOW]
    everything = slow or options.only or options.list_cases
    chosen = select(known if everything else quick, options.only or [])
    left_out = 0 if everything else len(known) - len(quick)
    server = CheckedIndex(host, port, timeout)
    title = Wording("Connect Four index server", "4-Gewinnt-Indizierungsserver")
    about = {"check": "connect4-index", "title": title, "host": host, "port": port}
    frame.check_server(
        chosen,
        lambda done: check(chosen, server, options.jobs or 4, done),
        lambda: (about, _head(title, f"{host}:{port}", left_out)),
        options,
    )


def cases() -> list[Case]:
    """All cases for an index server."""
    from spielwerk.check.connect4_index import crowd, scripts
    from spielwerk.check.connect4_index.trial import script

    return script.cases(__name__, scripts, crowd)


def _head(title: Wording, place: str, left_out: int) -> Wording:
    head = Wording(f"{title} {place}", f"{title.de} {place}")
    if not left_out:
        return head
    return Wording(
        f"{head} (without {left_out} cases that take a minute or more: --slow adds them)",
        f"{head.de} (ohne {left_out} Fälle, die eine Minute oder länger dauern: dazu --slow)",
    )
