"""`spielwerk check oware`: is a move server what the Oware task asks for?"""

from __future__ import annotations

from typing import Annotated

import typer

from spielwerk.check import command as frame
from spielwerk.check.command import seconds


def check(
    host: Annotated[str, typer.Argument(metavar="HOST", help="Where it runs.")] = "localhost",
    port: Annotated[
        int, typer.Argument(metavar="PORT", parser=frame.port_number, help="Its TCP port.")
    ] = 7889,
    only: frame.Only = None,
    list_cases: frame.ListCases = False,
    document_only: frame.DocumentOnly = False,
    seed: frame.Seed = 0,
    json: frame.JsonFile = None,
    junit: frame.JunitFile = None,
    timeout: frame.Timeout = 10.0,
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
    parallel: frame.Parallel = 8,
) -> None:
    """Probe an Oware move server (Hagen, Programmierpraktikum 2007/08) and say what is wrong.

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the server cannot be reached.
    """
    from spielwerk.check.case import select
    from spielwerk.check.oware.cases import all_cases
    from spielwerk.check.oware.peer import Peer, check
    from spielwerk.check.report import visible

    cases = select(all_cases(seed, silence, document_only=document_only), only or [])
    if list_cases:
        frame.list_cases(cases)
        return
    frame.check_files(json, junit)
    peer = Peer(host, port, timeout, close_timeout)
    verdicts, duration = frame.carry_out(
        len(cases), lambda done: check(cases, peer, parallel, done)
    )
    author = None if peer.names.author is None else visible(peer.names.author)
    strategies = {str(n): visible(name) for n, name in peer.names.strategies.items()}
    about = {"check": "oware", "seed": seed, "host": host, "port": port}
    about |= {"author": author, "strategies": strategies}
    frame.write_files(json, junit, verdicts, about, f"oware {host}:{port}")
    head = f"Oware server {host}:{port}"
    if strategies:
        head += f", by {author}, strategies: {', '.join(strategies.values())}"
    frame.conclude(verdicts, head, duration)
