"""The services of a server: how each is made. It is imported only when it is to run."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from spielwerk.app.settings import WEB
from spielwerk.games import kits

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from types import ModuleType

    from spielwerk.app.server import Server
    from spielwerk.app.settings import Settings


class Service(Protocol):
    """Something that listens."""

    async def start(self, bind: str) -> Sequence[tuple[str, int]]:
        """Listen, and say on which addresses; OSError if that is not possible."""

    async def stop(self) -> None:
        """Accept nobody any more, and let those who are here take their leave."""


@runtime_checkable
class Movable(Protocol):
    """A service whose port can be changed."""

    async def change_port(self, port: int) -> Sequence[tuple[str, int]]:
        """Listen there from now on; OSError, and nothing changes, if that is not possible."""


def make(name: str, server: Server) -> Service:
    """The service of this name, for this server."""
    if name == WEB:
        return _web(server)
    service: Service = import_module(f"spielwerk.servers.{name}").SERVICE.of(server)
    return service


def prepare(names: Collection[str]) -> None:
    """Import what takes a while before clients are let in, who would have to wait for it."""
    for module in ("spielwerk.web.app", "spielwerk.web.serving") if WEB in names else ():
        import_module(module)


def _web(server: Server) -> Service:
    from spielwerk.net.rates import Rates
    from spielwerk.web.app import make_app
    from spielwerk.web.browsers import Browsers
    from spielwerk.web.serving import WebService
    from spielwerk.web.site import RequestLimits, Site

    settings, web = server.settings, server.settings.web
    limits = RequestLimits(
        body=web.body_limit,
        patience=web.patience,
        hosts=frozenset(web.hosts),
        listing=web.listing,
        sockets=max(1, web.connections * 9 // 10),  # the rest is for requests
        move_time=settings.mnm.move_time,
        move_times=_move_times(settings),
        options={game: one.table_options for game, one in _game_sections(settings)},
        allow_remote=_remote_players().only_at(settings.tables.remote_hosts),
    )
    site = Site(
        server.arena,
        server.store,
        server.open_wires,
        server.pulse.problems,
        server.metrics.text,
        server,
        Browsers(server.secret, server.token),
        Rates(web.creation_burst, web.creation_rate),
        lambda: server.contest,
        server.contests_here,
        limits,
    )
    app = make_app(site)
    server.conclude = app.state.hub.contests.conclude
    return WebService(
        app,
        web.numbers(),
        patience=web.patience,
        connections=web.connections,
        goodbye=app.state.hub.stop,
    )


def _remote_players() -> ModuleType:
    """The module of players on other machines, which says where visitors may have them."""
    remote = next(kit.remote for kit in kits().values() if kit.remote)
    return import_module(remote.partition(":")[0])


def _move_times(settings: Settings) -> dict[str, int]:
    """Milliseconds for a move at a new table, by game, where a service of the game says so."""
    return {
        game: section.move_time
        for game, section in _game_sections(settings)
        if hasattr(section, "move_time")
    }


def _game_sections(settings: Settings) -> Iterator[tuple[str, Any]]:
    for game, kit in kits().items():
        for name in kit.servers:
            yield game, settings.section(name)
