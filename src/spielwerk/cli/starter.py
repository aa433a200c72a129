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
    language: Annotated[str, typer.Option(help="Language: c, java or python.")] = "python",
    folder: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Folder to write (default: PROTOCOL-LANGUAGE)."),
    ] = None,
    skeleton: Annotated[
        bool,
        typer.Option("--skeleton", help="Leave out the parts that are the task of the course."),
    ] = False,
) -> None:
    """Write a small client as a starting point. It builds and plays whole games as it is."""
    place = folder or Path(f"{protocol}-{language}")
    for path in write_starter(protocol, language, place, skeleton=skeleton):
        typer.echo(str(path))
