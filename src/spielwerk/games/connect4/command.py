"""`spielwerk solve connect4`: make the book of perfect games on 7 x 6, and keep it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from spielwerk.terminal.commands import progress, whole_number


def solve(
    threads: Annotated[
        int, typer.Option(parser=whole_number, help="Threads; 0 for one a processor.")
    ] = 0,
) -> None:
    """Find the moves of perfect games on 7 x 6.

    Only those are kept that take the solver long.
    What is judged is saved; an interrupted computation continues where it stopped.
    """
    from spielwerk.games.connect4.engine.book_maker import BookMaker
    from spielwerk.games.connect4.engine.flat_book import kept_book, write_book

    path = kept_book()
    judged = path.with_suffix(".judged")
    with progress() as show:
        maker = BookMaker(
            judged,
            threads or os.cpu_count() or 1,
            lambda stones, done, all_: show(f"connect4, {stones} stones", done / all_),
        )
        book = maker.make()
    write_book(path, book)
    judged.unlink()
    typer.echo(f"Solved: {len(book):,} positions, {path}")
