"""`spielwerk check oware`: is a move server what the Oware task asks for?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk.check import command as frame
from spielwerk.check.case import Wording
from spielwerk.check.command import ReportOptions, seconds

if TYPE_CHECKING:
    from spielwerk.check.oware.trial import Peer


@frame.with_options(ReportOptions)
def check(
    options: ReportOptions,
    host: Annotated[str, typer.Argument(metavar="HOST", help="Host of the server.")] = "localhost",
    port: Annotated[
        int,
        typer.Argument(metavar="PORT", parser=frame.port_number, help="TCP port of the server."),
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
            help="Also check that the server drops a request after this many seconds of silence.",
        ),
    ] = None,
    strength: Annotated[
        bool,
        typer.Option("--strength", help="Also play games to check the minimum strength."),
    ] = False,
) -> None:
    """Check a running Oware move server (Hagen, 2007/08).

    Exit codes: 0 if all cases passed, 1 if some failed, 2 if the server cannot be reached.
    """
    from spielwerk.check.case import select
    from spielwerk.check.oware.cases import all_cases
    from spielwerk.check.oware.trial import Peer
    from spielwerk.check.server import check

    wanted = options.only or []
    strength = strength or any(pattern.startswith("strength") for pattern in wanted)
    known = all_cases(options.seed, silence, strength=strength, document_only=options.document_only)
    cases, peer = select(known, wanted), Peer(host, port, timeout, close_patience=close_timeout)
    frame.check_server(
        cases,
        lambda done: check(cases, peer, options.jobs or 8, done),
        lambda: _about(peer, options.seed),
        options,
    )


def _about(peer: Peer, seed: int) -> tuple[dict[str, object], str]:
    """What is known of the server, and the heading of the report."""
    from spielwerk.check.visible import visible

    author = None if peer.names.author is None else visible(peer.names.author)
    strategies = {str(n): visible(name) for n, name in peer.names.strategies.items()}
    title = Wording("Oware move server", "Oware-Zugserver")
    about = {"check": "oware", "title": title, "seed": seed, "host": peer.host, "port": peer.port}
    place, names = f"{peer.host}:{peer.port}", ", ".join(strategies.values())
    head = Wording(f"Oware server {place}", f"Oware-Server {place}")
    if strategies:
        english = f"{head}, by {author}, strategies: {names}"
        head = Wording(english, f"{head.de}, von {author}, Strategien: {names}")
    return {**about, "author": author, "strategies": strategies}, head
