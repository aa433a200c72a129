"""`spielwerk contest`: programs and engines play each other for a ranking."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.cli.contest_run import (
    BIND,
    RunOptions,
    check_folder,
    coming,
    command,
    open_existing,
    play,
    port_number,
    remark,
    shown,
    take_up,
)
from spielwerk.errors import UsageError, quote
from spielwerk.platforms import require_posix
from spielwerk.terminal.commands import Options, whole_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.stored import StoredContest
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import ContestRecord

app = typer.Typer(help="Contests: programs and engines play each other for a ranking.")

FORMATS: Final = ("jsonl", "csv", "html", "standings", "crosstable")
LANGUAGES: Final = ("de", "en")
ENDINGS: Final = ("", "-wal", "-shm", "-journal", ".lock")  # of the files that a store is made of
MOST_JOBS: Final = 256

File = Annotated[Path, typer.Argument(metavar="FILE", help="The contest's description, TOML.")]
StoreUrl = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="Where it is kept; if not given, beside FILE."),
]


def job_count(text: str) -> int:
    """Read a number of games at once."""
    jobs = whole_number(text)
    if not 0 <= jobs <= MOST_JOBS:
        raise typer.BadParameter(f"{jobs} is not from 0 to {MOST_JOBS}")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(parser=job_count, help="Games at once; if not given, by processors."),
]
Sandbox = Annotated[
    bool | None,
    typer.Option(
        "--sandbox/--no-sandbox",
        help="Put programs into bubblewrap: loopback only, read-only.",
        show_default="the previous choice, off at first",
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on this Dask cluster; `local`: on one of its own."),
]
Port = Annotated[
    int | None, typer.Option(parser=port_number, help="Port of the pages; 8000 if it is free.")
]
NoWeb = Annotated[bool, typer.Option("--no-web", help="Without pages.")]
Bind = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Where pages are served; 0.0.0.0: for all.")
]
Door = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]PORT",
        help="Port where those come who have open seats; Connect Four: index=PORT, host=PORT.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only the result.")]
Stay = Annotated[bool, typer.Option("--stay", help="Serve the pages on when all is played.")]


@app.callback()
def contest() -> None:
    """Contests: programs and engines play each other for a ranking."""


# drawing it up


@app.command()
def new(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="The contest's description, TOML.")
    ] = None,
    example: Annotated[
        str | None, typer.Option(metavar="GAME", help="Print a description to begin with.")
    ] = None,
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="Write FILE, for this game.")
    ] = None,
    entrant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]ENTRANT",
            help="Who takes part: engine:level=7, remote:HOST:PORT, open:NAME or a command; "
            "repeatable.",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name; the file's if not given.")] = None,
    option: Options = None,
    form: Annotated[
        str | None, typer.Option("--format", help="round-robin, gauntlet or ladder.")
    ] = None,
    phase: Annotated[str | None, typer.Option(help="training or competition.")] = None,
    rounds: Annotated[
        int | None,
        typer.Option(parser=whole_number, help="Openings a pair, streams of throws a three."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(parser=whole_number, help="Fixes schedule, openings and throws.")
    ] = None,
    store: StoreUrl = None,
) -> None:
    """Check a description and draw up its schedule; or print or write a description first."""
    from spielwerk.contests.description import read

    given = {
        "options": option,
        "format": form,
        "phase": phase,
        "rounds": rounds,
        "seed": seed,
        "name": name,
    }
    content = {key: value for key, value in given.items() if value is not None}
    if example is not None:
        _print_example(example, file, game, entrant, content)
        return
    if file is None:
        raise UsageError("name the description: spielwerk contest new FILE; or --example GAME")
    check_folder(store)
    _write_description(file, game, entrant, content)
    contest = read(file)
    taken = take_up(file, contest, store, must_be_there=False)
    _tell(file, taken, store)
    remark(contest)


def _print_example(
    example: str, file: Path | None, game: str | None, entrant: object, content: object
) -> None:
    from spielwerk.contests.drafts import example as text_of

    if file or game or entrant or content:
        raise UsageError(f"--example {example} prints a description and nothing else")
    typer.echo(text_of(example), nl=False)


def _write_description(
    file: Path, game: str | None, entrants: list[str] | None, content: dict[str, Any]
) -> None:
    """Write the description that was given on the command line, if one was."""
    from spielwerk.contests.description import new as described
    from spielwerk.contests.drafts import as_toml
    from spielwerk.terminal.files import write

    if game is None:
        if entrants or content:
            raise UsageError("a description is written with --game GAME --entrant ENTRANT ...")
        return
    if file.exists():
        raise UsageError(f"{file} is there already; change it with an editor, or name another")
    content = {"name": file.stem, "game": game, **content}
    write(file, [as_toml(described(content, entrants or [], file.parent))])


def _tell(file: Path, taken: StoredContest, store: str | None) -> None:
    """Print what was made."""
    from spielwerk.cli.contest_status import columns, shortened
    from spielwerk.contests.stored import store_of

    contest, url = taken.contest, store_of(file, store)
    games = _games(taken.games, coming(url, taken))
    typer.echo(f"{contest.name}: {contest.game}, {len(contest.entrants)} entrants, {games}")
    rows = [[f"  {shortened(one.name)}", one.kind, one.text] for one in contest.entrants]
    for line in columns(rows, range(3)) if rows else ():
        typer.echo(line)
    if not taken.new:
        more = f", {taken.added} games are new" if taken.added else ""
        typer.echo(f"it was drawn up before{more}")
    typer.echo(f"store: {shown(url)}")
    typer.echo(f"start it with: {command('run', file, store)}")


def _games(drawn_up: int, coming: int | None) -> str:
    """How many games there will be."""
    if coming is None:
        return "games as long as it runs"
    return f"about {drawn_up + coming} games" if coming else f"{drawn_up} games"


# playing it


def _add_playing(name: str, meaning: str, *, must_be_there: bool) -> None:
    """Add a command that plays a contest: two begin differently, and all else is the same."""

    def playing(
        file: File,
        store: StoreUrl = None,
        jobs: Jobs = None,
        sandbox: Sandbox = None,
        cluster: Cluster = None,
        port: Port = None,
        no_web: NoWeb = False,
        bind: Bind = BIND,
        door: Door = None,
        quiet: Quiet = False,
        stay: Stay = False,
    ) -> None:
        require_posix(f"spielwerk contest {name}")
        from spielwerk.app.contest import Plan
        from spielwerk.contests.stored import store_of

        plan = Plan(
            store=store_of(file, store),
            jobs=jobs,
            cluster=cluster or "",
            bind=bind,
            port=port,
            web=not no_web,
            stay=stay,
        )
        play(RunOptions(file, store, plan, sandbox, door or (), quiet), must_be_there=must_be_there)

    app.command(name, help=meaning)(playing)


_add_playing(
    "run",
    "Run a contest, or continue it; Ctrl-C interrupts it safely.\n\n"
    "Exit codes: 0 if all games are played, 1 if it was stopped or games were given up, 2 usage.",
    must_be_there=False,
)
_add_playing(
    "resume",
    "Go on with a contest that was begun; the same as run, but it must be there.",
    must_be_there=True,
)


# looking at it


@contextmanager
def _looking(file: Path, store: str | None) -> Iterator[tuple[Readable, ContestRecord]]:
    """The contest in its store, whether its programs are still there or not."""
    from spielwerk.contests.description import name_in
    from spielwerk.contests.stored import find

    name = name_in(file)
    advice = f"`{command('new', file, store)}` draws it up"
    with open_existing(file, store, advice) as opened:
        yield opened, find(opened, name)


@app.command()
def status(
    file: File,
    store: StoreUrl = None,
    game: Annotated[
        int | None,
        typer.Option(metavar="N", parser=whole_number, help="Show this game of the schedule."),
    ] = None,
) -> None:
    """How far a contest is, while it runs or later; or everything about one of its games."""
    from spielwerk.cli.contest_status import show_game, show_status

    with _looking(file, store) as (opened, record):
        if game is None:
            show_status(opened, record, command("resume", file, store))
        else:
            show_game(opened, record, game)


@app.command()
def jobs(
    file: File,
    number: Annotated[int, typer.Argument(metavar="N", parser=job_count, help="Games at once.")],
    store: StoreUrl = None,
) -> None:
    """Have a running contest play so many games at once from now on; 0: none, until you say so."""
    from spielwerk.cli.contest_status import HELD, NO_WORKER
    from spielwerk.contests.stored import tell_jobs

    with _looking(file, store) as (opened, record):
        now = tell_jobs(opened, record.id, number)
    idle = NO_WORKER if number else HELD
    typer.echo(f"{record.name}: {f'{now} games at once' if now else idle}")


@app.command()
def export(
    file: File,
    form: Annotated[str, typer.Option("--format", help=", ".join(FORMATS))],
    output: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it there, not to the screen.")
    ] = None,
    language: Annotated[str, typer.Option(help="Of a report: de or en.")] = "en",
    store: StoreUrl = None,
) -> None:
    """Write a contest's games, standings or crosstable, or a report that stands by itself."""
    from spielwerk.cli.contest_status import is_owned
    from spielwerk.contests.exports import pieces
    from spielwerk.terminal.files import check_spared

    for value, allowed, what in ((form, FORMATS, "format"), (language, LANGUAGES, "language")):
        if value not in allowed:
            raise UsageError(f"--{what} {quote(value)}: there are {', '.join(allowed)}")
    with _looking(file, store) as (opened, record):
        if output is not None:
            check_spared(output, file, *(Path(f"{opened.label}{end}") for end in ENDINGS))
        live = is_owned(opened.label)
        _write(output, pieces(opened, record, form, language, live=live))


def _write(output: Path | None, content: Iterator[str]) -> None:
    from spielwerk.terminal.files import write

    if output is not None:
        write(output, content)
        return
    for piece in content:
        typer.echo(piece, nl=False)
