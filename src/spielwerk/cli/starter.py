"""`spielwerk starter`: a small project to begin a client with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spielwerk.starters import protocols, write_starter


def starter(
    protocol: Annotated[
        str, typer.Argument(metavar="PROTOCOL", help=f"One of {', '.join(protocols('python'))}.")
    ],
    language: Annotated[str, typer.Option(help="c, java or python.")] = "python",
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where; PROTOCOL-LANGUAGE if not given.")
    ] = None,
    skeleton: Annotated[
        bool, typer.Option("--skeleton", help="Leave open what the document sets as the task.")
    ] = False,
) -> None:
    """Write a small client that builds at once, plays whole games, and is meant to be changed."""
    place = folder or Path(f"{protocol}-{language}")
    for path in write_starter(protocol, language, place, skeleton=skeleton):
        typer.echo(str(path))
