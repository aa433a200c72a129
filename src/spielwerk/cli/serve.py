"""`spielwerk serve`: run the servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spielwerk.errors import SpielwerkError
from spielwerk.terminal.commands import whole_number

if TYPE_CHECKING:
    from spielwerk.app.settings import Given, Settings


def serve(
    only: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Run only this service; repeat it, or separate names by commas."
        ),
    ] = None,
    port: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]PORT",
            help="Port of a service, such as mnm=1358 or mnm=1358:2:line (with dialect and pace); "
            "0 picks a free one. NAME is optional if only one service runs. Repeatable.",
        ),
    ] = None,
    bind: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Address to listen on (default: 127.0.0.1)."),
    ] = None,
    dialect: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Dialect of the mnm server: 1, 2 or 3."),
    ] = None,
    pace: Annotated[
        str | None,
        typer.Option(
            metavar="PACE", help="How the mnm server writes: first-then-rest, block or line."
        ),
    ] = None,
    reference: Annotated[
        bool, typer.Option("--reference", help="Oware: use the plain evaluation as strategy 0.")
    ] = False,
    vary: Annotated[
        bool, typer.Option("--vary", help="Oware: choose among equal moves at random.")
    ] = False,
    spelling: Annotated[
        str | None,
        typer.Option(
            metavar="WORDS", help="Words that the index server sends: document or variant."
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Settings file (default: spielwerk.toml in the current folder, if there is one).",
        ),
    ] = None,
    data: Annotated[
        str | None, typer.Option(metavar="FOLDER", help="Folder for the database.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Database: sqlite:///FILE or postgresql://..."),
    ] = None,
    assignments: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SECTION.NAME=VALUE", help="Set any other setting; repeatable."
        ),
    ] = None,
    print_config: Annotated[
        bool,
        typer.Option(
            "--print-config", help="Print all settings with their meanings and values, and exit."
        ),
    ] = False,
) -> None:
    """Run the game servers and the web pages.

    The services are mnm (Quarto and Morris), dice, oware, index and host (Connect Four), and web.

    The command line overrides environment variables (SPIELWERK_MNM_OKWAIT=3), which override the
    settings file.
    """
    from spielwerk.app.settings import Given, as_toml, from_assignment

    given = [from_assignment(text) for text in assignments or []]
    given += [
        Given(f"--{name}", section, name, str(value))
        for section, name, value in (
            ("server", "only", ",".join(only) if only else None),
            ("server", "bind", bind),
            ("server", "data", data),
            ("mnm", "dialect", dialect),
            ("mnm", "pace", pace),
            ("index", "spelling", spelling),
            ("oware", "reference", "true" if reference else None),
            ("oware", "vary", "true" if vary else None),
        )
        if value is not None
    ]
    given += [Given("--store", "store", "url", store)] if store is not None else []
    settings = _settings(config, given, port or [])
    if print_config:
        typer.echo(as_toml(settings), nl=False)
    else:
        _run(settings)


def _settings(config: Path | None, given: list[Given], ports: list[str]) -> Settings:
    import os

    from spielwerk.app.settings import (
        FILE,
        from_environment,
        from_file,
        put_together,
        with_ports,
    )

    here = Path(FILE)
    path = config or (here if here.exists() else None)
    filed = from_file(path) if path else []
    return with_ports(put_together([*filed, *from_environment(os.environ), *given]), ports)


def _run(settings: Settings) -> None:
    """Run, and leave in a way that waits for nothing."""
    from spielwerk.app.process import leave, run
    from spielwerk.app.server import UncleanStop

    code = 0
    try:
        run(settings)
    except SpielwerkError as error:
        typer.echo(f"spielwerk: {error}", err=True)
        code = 1 if isinstance(error, UncleanStop) else 2
    leave(code)
