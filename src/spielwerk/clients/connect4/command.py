"""`spielwerk connect4`: offer games of Connect Four at an index server, list and join them.

The context's object is the function that does a program's work: it knows databases and servers.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from spielwerk.errors import NotationError, SpielwerkError, UsageError, quote
from spielwerk.terminal.commands import CommandFailed, seconds, whole_number

if TYPE_CHECKING:
    from spielwerk.clients.connect4.index import IndexClient
    from spielwerk.clients.connect4.join import Invitation, JoinSettings
    from spielwerk.clients.connect4.offers import Offer, OfferSettings
    from spielwerk.games.connect4.rules import ConnectFour
    from spielwerk.store.records import SeatRecord
    from spielwerk.wire.connect4.messages import Version


Work = Callable[[Any], Awaitable[bool]]
"""What a program does where it works: there it has a console, and `serve` for a server."""

app = typer.Typer(help="Play Connect Four over the network: host, list and join games.")

HERE: Final = "127.0.0.1"
MOST_GAMES: Final = 1000
LONGEST: Final = 24 * 3600.0
SPELLINGS: Final = ("document", "variant")

_BOARD: Final = re.compile(r"([0-9]{1,9})x([0-9]{1,9})(?:x([0-9]{1,9}))?")


def _long(text: str) -> float:
    """Read a time that was typed, up to a day."""
    return seconds(text, LONGEST)


Index = Annotated[
    str | None,
    typer.Option(
        "--index", metavar="HOST:PORT", help="Address of the index server (default port: 9090)."
    ),
]
Player = Annotated[
    str,
    typer.Option(
        metavar="PLAYER",
        help="Player: human, engine, engine:level=5 (1 to 10), engine:time=1 or random.",
    ),
]
Me = Annotated[str, typer.Option("--me", metavar="NAME", help="Name of the player.")]
Board = Annotated[
    str,
    typer.Option(metavar="WxHxD", help="Columns, rows and layers; WxH for the flat game."),
]
Delay = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        parser=seconds,
        help="Shortest time for a computer's move, so that people can follow.",
    ),
]
BestVersion = Annotated[
    str, typer.Option(metavar="V1|V2", help="Highest protocol version to speak.")
]
StoreUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Database for the game (default: connect4.db in the data folder, or the next free "
        "one if another program uses it).",
    ),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Do not save the game.")]


@app.command()
def host(
    context: typer.Context,
    name: Annotated[str, typer.Option(help="Name of the game; not yet used at the index server.")],
    board: Board = "7x6",
    index: Index = None,
    player: Player = "human",
    me: Me = "Spielwerk",
    games: Annotated[
        int,
        typer.Option(parser=whole_number, help="Number of games to host; their names get numbers."),
    ] = 1,
    port: Annotated[
        int, typer.Option(parser=whole_number, help="TCP and UDP port; 0 for any free one.")
    ] = 8080,
    bind: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Address to listen on (default: as needed).")
    ] = "",
    address: Annotated[
        str, typer.Option(help="Address that others connect to, if it differs from --bind.")
    ] = "",
    protocol: BestVersion = "V2",
    spelling: Annotated[
        str,
        typer.Option(
            metavar="document|variant", help="Words to send; some courses use the variant."
        ),
    ] = "document",
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            parser=_long,
            help="Time for each move of the opponent; 0 for no limit.",
        ),
    ] = 10.0,
    delay: Delay = 1.0,
    heartbeat: Annotated[
        float,
        typer.Option(metavar="SECONDS", parser=_long, help="Time between two heartbeats."),
    ] = 10.0,
    silence: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            parser=_long,
            help="Time without heartbeats after which to check whether the index server is alive; "
            "0 for never.",
        ),
    ] = 60.0,
    odd: Annotated[
        bool, typer.Option("--odd", help="Allow boards with an odd number of fields.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Allow only this player to join; repeatable."),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask before a player joins.")] = False,
    store: StoreUrl = None,
    no_store: NoStore = False,
) -> None:
    """Host games at an index server and play them.

    Without --index, an index server is started.
    """
    from spielwerk.clients.connect4.offers import HostError, OfferSettings, invited, offers
    from spielwerk.clients.connect4.screen import HUMAN, own_seat
    from spielwerk.games.connect4.rules import ConnectFour
    from spielwerk.net.addresses import EVERYWHERE
    from spielwerk.wire.connect4.host import HostLimits

    if not 1 <= games <= MOST_GAMES:
        raise UsageError(f"--games {games}: from 1 to {MOST_GAMES}")
    if games > 1 and player == HUMAN:
        raise UsageError(f"--games {games}: one person plays one game; choose --player engine")
    if not 0 <= port <= 65535:
        raise UsageError(f"--port {port}: ports go from 0 to 65535")
    if not heartbeat:
        raise UsageError("--heartbeat 0: must be more than 0")
    game = replace(parse_board(board), begins=0)
    if game.size % 2 and not odd:  # both players get equally many stones
        size = f"{game.width} x {game.height} x {game.depth} is {game.size} fields"
        raise HostError(f"{size}, an odd number; --odd allows it")
    settings = OfferSettings(
        bind=bind,
        address=address,
        port=port,
        version=_version(protocol),
        variant=_choice("--spelling", spelling, SPELLINGS) == "variant",
        limits=HostLimits(move=timeout),
        heartbeat=heartbeat,
        silence=silence,
    )
    wanted = offers(name, games, game, own_seat(player, me, game))
    for offer in wanted:
        offer.only, offer.ask = invited(only or ()), ask
    local = index is None
    asked = _index_client(index, bind if bind not in ("", *EVERYWHERE) else HERE)
    work = _host(wanted, settings, asked, local, delay)
    context.obj(work, ConnectFour.name, store, not no_store)


@app.command("list")
def list_games(index: Index = None) -> None:
    """List the games at an index server."""
    import asyncio

    from spielwerk.clients.connect4.join import listed
    from spielwerk.errors import printable
    from spielwerk.net.addresses import written

    client = _index_client(index)
    try:
        games = asyncio.run(listed(client))
    except SpielwerkError as error:
        raise CommandFailed(str(error)) from None
    for game in games:
        board = f"{game.width}x{game.height}" + (f"x{game.depth}" if game.depth > 1 else "")
        where = written(game.address, game.port)
        line = f"{game.status:6}  {board:>9}  {where:21}  {game.name}  ({game.player})"
        problem = f"  cannot be joined: {game.problem}" if game.problem else ""
        typer.echo(printable(line + problem))


@app.command()
def join(
    context: typer.Context,
    first: Annotated[
        str,
        typer.Argument(metavar="NAME|HOST:PORT", help="Name of the game, or address of its host."),
    ],
    second: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of the game, after HOST:PORT.")
    ] = None,
    index: Index = None,
    player: Player = "human",
    me: Me = "Spielwerk",
    board: Annotated[
        str,
        typer.Option(
            metavar="WxHxD", help="Size of the board, if there is no index server to tell it."
        ),
    ] = "7x6",
    protocol: BestVersion = "V2",
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", parser=_long, help="Time for each move of the host; 0 for no limit."
        ),
    ] = 300.0,
    delay: Delay = 1.0,
    store: StoreUrl = None,
    no_store: NoStore = False,
) -> None:
    """Join a game and play it."""
    from spielwerk.clients.connect4.index import HOST_PORT
    from spielwerk.clients.connect4.join import Invitation, JoinSettings
    from spielwerk.clients.connect4.screen import own_seat
    from spielwerk.games.connect4.rules import ConnectFour
    from spielwerk.net.addresses import Endpoint
    from spielwerk.wire.connect4.join import JoinLimits

    invitation = None
    if second is not None:
        if index is not None:
            raise UsageError(f"--index {index}: leave it out, or {quote(first)}")
        invitation = Invitation(Endpoint.parse(first, HOST_PORT), second, parse_board(board))
    settings = JoinSettings(version=_version(protocol), limits=JoinLimits(move=timeout))
    seat = own_seat(player, me, parse_board(board))
    work = _join(invitation, first, _index_client(index), seat, settings, delay)
    context.obj(work, ConnectFour.name, store, not no_store)


# what was typed


def parse_board(text: str) -> ConnectFour:
    """Read a board that was typed."""
    from spielwerk.games.connect4.rules import ConnectFour

    match = _BOARD.fullmatch(text)
    if not match:
        raise NotationError("board", text, "expected WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH")
    width, height, depth = (int(number or 1) for number in match.groups())
    return ConnectFour(width, height, depth)


def _version(text: str) -> Version:
    from spielwerk.wire.connect4.messages import Version

    return Version(_choice("--protocol", text, tuple(Version)))


def _choice(option: str, text: str, choices: tuple[str, ...]) -> str:
    if text not in choices:
        raise UsageError(f"{option} {quote(text)}: must be {' or '.join(choices)}")
    return text


def _index_client(text: str | None, here: str = HERE) -> IndexClient:
    """The index server that was named, or the one on this machine."""
    from spielwerk.clients.connect4.index import INDEX_PORT, IndexClient
    from spielwerk.net.addresses import Endpoint

    return IndexClient(
        Endpoint(here, INDEX_PORT) if text is None else Endpoint.parse(text, INDEX_PORT)
    )


# what is done


def _host(
    wanted: list[Offer], settings: OfferSettings, index: IndexClient, local: bool, delay: float
) -> Work:
    async def work(workplace: Any) -> bool:
        from spielwerk.clients.connect4.host import GameHost
        from spielwerk.clients.connect4.screen import PacedEngines, PeerScreen

        ports = [] if settings.bind else ["web=0"]
        bind = HERE
        if local and not await _answers(index):
            ports.append(f"index={index.place.port}")
            bind = settings.bind or HERE
        async with workplace.serve(*(ports or ["web=0"]), bind=bind) as server:
            server.arena.engines = engines = PacedEngines(delay)
            await engines.warm_up(wanted[0].seat, wanted[0].game)
            screen = PeerScreen(workplace.console, boards=len(wanted) == 1)
            host = GameHost(server.arena, server.journal, index, screen, settings)
            return await host.run(wanted)

    return work


async def _answers(index: IndexClient) -> bool:
    """Whether there is an index server already."""
    from spielwerk.clients.connect4.index import IndexLost

    try:
        await index.games()
    except IndexLost:
        return False
    return True


def _join(
    invitation: Invitation | None,
    name: str,
    index: IndexClient,
    seat: SeatRecord,
    settings: JoinSettings,
    delay: float,
) -> Work:
    async def work(workplace: Any) -> bool:
        from spielwerk.clients.connect4.join import find, join
        from spielwerk.clients.connect4.screen import PacedEngines, PeerScreen

        found = invitation or await find(index, name)
        async with workplace.serve("web=0") as server:
            server.arena.engines = engines = PacedEngines(delay)
            await engines.warm_up(seat, found.game)
            screen = PeerScreen(workplace.console)
            return await join(server.arena, server.journal, found, seat, screen, settings)

    return work
