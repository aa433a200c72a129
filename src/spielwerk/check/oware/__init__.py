"""`spielwerk check oware`: is a move server what the Oware task asks for?"""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.check import command as frame
from spielwerk.check.command import ReportOptions, seconds


@frame.with_options(ReportOptions)
def check(
    options: ReportOptions,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where it runs.")] = "localhost",
    port: Annotated[
        int, typer.Argument(metavar="PORT", parser=frame.port_number, help="Its TCP port.")
    ] = 7889,
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
) -> None:
    """Probe an Oware move server (Hagen, Programmierpraktikum 2007/08) and say what is wrong.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the server cannot be reached.
    """
    from spielwerk.check.case import select
    from spielwerk.check.oware.cases import all_cases
    from spielwerk.check.oware.peer import Peer, check
    from spielwerk.check.visible import visible

    cases = select(
        all_cases(options.seed, silence, document_only=options.document_only), options.only or []
    )
    if options.list_cases:
        frame.list_cases(cases)
        return
    frame.check_files(options)
    peer = Peer(host, port, timeout, close_timeout)
    verdicts, duration = frame.carry_out(
        len(cases), lambda done: check(cases, peer, options.jobs or 8, done)
    )
    author = None if peer.names.author is None else visible(peer.names.author)
    strategies = {str(n): visible(name) for n, name in peer.names.strategies.items()}
    about = {"check": "oware", "seed": options.seed, "host": host, "port": port}
    about |= {"author": author, "strategies": strategies}
    head = f"Oware server {host}:{port}"
    if strategies:
        head += f", by {author}, strategies: {', '.join(strategies.values())}"
    frame.conclude(verdicts, about, head, duration, options)
