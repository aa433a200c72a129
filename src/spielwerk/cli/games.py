"""`spielwerk games`: the games of a running server."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from spielwerk.errors import UsageError, quote
from spielwerk.terminal.commands import GameName, MoreOptions, Options, whole_number

app = typer.Typer(help="Create, list and show games on a running server.")

ServerUrl = Annotated[
    str,
    typer.Option(
        "--server", metavar="URL", envvar="SPIELWERK_SERVER", help="Address of the web server."
    ),
]
HERE = "http://127.0.0.1:8000"
MATCHES = "/api/v1/matches"

SEATS = {
    "client": "COMPUTER",
    "person": "HUMAN",
    "engine": "ENGINE",
    "remote": "ENGINE",
    "bot": "COMPUTER",  # a client that this command starts itself
}


@app.command()
def new(
    game: GameName,
    more: MoreOptions = None,
    option: Options = None,
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="POSITION",
            help="Start from this position, as `spielwerk games show` or a table's page gives it.",
        ),
    ] = "",
    name: Annotated[str, typer.Option(help="Name of the game.")] = "",
    seats: Annotated[
        str,
        typer.Option(
            help="Who plays at each seat, such as client,engine:level=7 or "
            "person,engine:time=0.5,depth=4 or person,remote:HOST:PORT (default: clients). "
            "With bot:COMMAND this command plays the seat until the game is over."
        ),
    ] = "",
    names: Annotated[str, typer.Option(help="The players' names, separated by commas.")] = "",
    time: Annotated[
        int | None,
        typer.Option(metavar="MS", parser=whole_number, help="Milliseconds per move."),
    ] = None,
    clock: Annotated[
        str,
        typer.Option(
            metavar="MIN+SEC",
            help="Minutes per player for the whole game, and seconds added per turn, such as "
            "5+3; single moves are then limited only by --time.",
        ),
    ] = "",
    n: Annotated[
        int | None, typer.Option(parser=whole_number, help="Size of the board; same as n=SIZE.")
    ] = None,
    pace: Annotated[
        str,
        typer.Option(
            help="How the server writes to clients of this table: first-then-rest, block or "
            "line (default: as the port is set)."
        ),
    ] = "",
    dialect: Annotated[
        int | None,
        typer.Option(
            parser=whole_number, help="Print the Game-ID as clients of dialect 1, 2 or 3 write it."
        ),
    ] = None,
    tournament: Annotated[
        bool,
        typer.Option("--tournament", help="A wrong message or a broken connection loses the game."),
    ] = False,
    spelling: Annotated[
        str,
        typer.Option(
            metavar="document|variant",
            help="Words that the server sends, if the protocol has variants.",
        ),
    ] = "",
    version: Annotated[
        str, typer.Option(metavar="V1|V2", help="Highest version of the protocol to use.")
    ] = "",
    only: Annotated[str, typer.Option(metavar="NAME", help="Allow only this player to join.")] = "",
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the person who hosts before a player joins.")
    ] = False,
    server: ServerUrl = HERE,
    token: Annotated[
        str,
        typer.Option(
            metavar="TOKEN",
            envvar="SPIELWERK_WEB_TOKEN",
            help="Operator token, for remote players at hosts that the server does not allow.",
        ),
    ] = "",
) -> None:
    """Set up a game and print its Game-ID."""
    from spielwerk.cli.bot import bots_of, play_seats
    from spielwerk.cli.remote import Remote, understood
    from spielwerk.wire.mnm.words import DIALECTS, game_kinds

    if dialect is not None and (dialect not in DIALECTS or game not in game_kinds()):
        known = f"{' and '.join(game_kinds())} have dialects {', '.join(map(str, DIALECTS))}"
        raise UsageError(f"--dialect {dialect} for {game}: {known}")
    options = [*(option or []), *(more or []), *([] if n is None else [f"n={n}"])]
    wire = {
        "pace": pace,
        "spelling": spelling,
        "version": version,
        "only": only,
        "ask": "yes" if ask else "",
    }
    general: dict[str, Any] = {"name": name, "timeout": time, "tournament": tournament}
    general |= {"clock": _clock(clock)} if clock else {}
    wish = {
        "type": game,
        "gameGeneric": general | {"wire": {key: text for key, text in wire.items() if text}},
        "gameSpecific": dict(_assignment(text) for text in options),
        "start": start,
        "players": _players(seats, names),
    }
    bots = bots_of(game, split_seats(seats) if seats else [])
    remote = Remote(server, token)
    answer = remote.post(MATCHES, wish)
    with understood(remote):
        game_id = _word(answer["id"])
    typer.echo(DIALECTS[dialect].game_id(game_id) if dialect else game_id)
    if bots:
        typer.echo(f"The table: {remote.url}/t/{game_id}", err=True)
        raise SystemExit(play_seats(remote, game, f"{MATCHES}/{game_id}", bots))


@app.command("list")
def listed(
    limit: Annotated[int, typer.Option(parser=whole_number, help="Maximum number of games.")] = 20,
    server: ServerUrl = HERE,
) -> None:
    """List the newest games."""
    from spielwerk.cli.remote import Remote, line, understood

    remote = Remote(server)
    answer = remote.get(f"{MATCHES}?limit={limit}")
    with understood(remote):
        lines = [line(game) for game in answer["matches"]]
    for one in lines:
        typer.echo(one)


@app.command()
def show(
    game_id: Annotated[str, typer.Argument(metavar="ID", help="The Game-ID.")],
    wire: Annotated[
        bool, typer.Option("--wire", help="Also print all messages of every connection.")
    ] = False,
    session: Annotated[
        bool,
        typer.Option("--session", help="Print only the messages of all seats, in order."),
    ] = False,
    server: ServerUrl = HERE,
) -> None:
    """Show a game: seats, moves, board and result."""
    from rich.console import Console

    from spielwerk.cli import remote as server_games
    from spielwerk.cli.remote import Remote, understood

    if not (game_id.isascii() and game_id.isalnum()):
        raise UsageError(
            f"{quote(game_id)} is not a Game-ID: a Game-ID has only letters and digits"
        )
    remote = Remote(server)
    game = remote.get(f"{MATCHES}/{game_id}")
    wires = remote.get(f"{MATCHES}/{game_id}/wire") if wire or session else {"connections": []}
    console = Console(highlight=False)
    with understood(remote):
        connections = wires["connections"]
        parts = [*(server_games.session(connections) if session else ())]
        if not session:
            parts += server_games.pictured(game, console.encoding)
            parts += [text for one in connections for text in server_games.connection(one)]
    for text in parts:
        console.print(text, soft_wrap=True)


def _assignment(text: str) -> tuple[str, int]:
    """An option as the API takes it."""
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(f"{quote(text)} is no choice of an option: expected NAME=VALUE")
    return name, whole_number(value)


def _clock(text: str) -> dict[str, int]:
    """A game clock as the API takes it, in milliseconds."""
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)\+(\d{1,6}(?:\.\d{1,3})?)", text, re.ASCII)
    if not found:
        wanted = "expected minutes for the game and seconds for each turn, like 5+3"
        raise UsageError(f"--clock {quote(text)}: {wanted}")
    minutes, seconds = map(float, found.groups())
    return {"time": round(60_000 * minutes), "increment": round(1000 * seconds)}


def _players(seats: str, names: str) -> list[dict[str, Any]]:
    """The players as the API takes them; none if nothing is said about them."""
    named = [name.strip() for name in names.split(",")] if names else []
    wanted = split_seats(seats) if seats else ["client"] * len(named)
    if len(named) > len(wanted):
        raise UsageError(f"--names {quote(names)}: {len(named)} names for {len(wanted)} seats")
    players = []
    for number, seat in enumerate(wanted):
        kind, _, engine = seat.partition(":")
        engine = {"remote": seat, "bot": ""}.get(kind, engine)
        player = {"type": SEATS[kind]} | ({"engine": engine} if engine else {})
        players.append(player | ({"name": named[number]} if number < len(named) else {}))
    return players


def split_seats(text: str) -> list[str]:
    """The seats in the list; a comma may also belong to a player: `engine:time=1,depth=4`."""
    seats: list[str] = []
    for part in text.split(","):
        kind, colon, _ = part.strip().partition(":")
        if kind in SEATS and (kind == "engine" or bool(colon) == (kind in ("remote", "bot"))):
            seats.append(part.strip())
        elif seats and seats[-1].startswith(("engine:", "remote:")) and "=" in part:
            seats[-1] += f",{part.strip()}"
        else:
            known = "client, person, engine, engine:PLAYER, remote:HOST:PORT or bot:COMMAND"
            raise UsageError(
                f"--seats {quote(text)}: {quote(part)} is not a seat; expected {known}"
            )
    return seats


def _word(text: object) -> str:
    if not isinstance(text, str) or not text.isalnum():
        raise TypeError("expected a Game-ID")
    return text
