"""The services of a server: how each is made. It is imported only when it is to run."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from spielwerk.app.running import Server


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


def prepare(names: Collection[str]) -> None:
    """Import what takes a while before anybody is let in, who would have to wait for it."""
    for name in names:
        for module in _LARGE.get(name, ()):
            import_module(module)


def _mnm(server: Server) -> Service:
    from spielwerk.servers.mnm import MnmService

    return MnmService(server.arena, server.journal, server.settings.mnm, server.metrics)


def _dice(server: Server) -> Service:
    from spielwerk.servers.dice import DiceService

    return DiceService(server.arena, server.journal, server.settings.dice, server.metrics)


def _oware(server: Server) -> Service:
    from spielwerk.servers.oware import OwareService

    return OwareService(server.arena, server.journal, server.settings.oware, server.metrics)


def _index(server: Server) -> Service:
    from spielwerk.servers.index.figures import Figures
    from spielwerk.servers.index.service import IndexService

    service = IndexService(
        server.arena,
        server.journal,
        server.settings.index,
        server.metrics,
        server.archive.index_games,
    )
    server.metrics.registry.register(Figures(service.index))
    return service


def _host(server: Server) -> Service:
    from spielwerk.servers.host import HostService

    index = server.addresses.get("index", [None])[0]
    settings = server.settings
    hosts = settings.tables.remote_hosts
    leave = getattr(server.services.get("index"), "leave", None)
    return HostService(server.arena, server.journal, settings.host, index, hosts, leave)


def _web(server: Server) -> Service:
    from spielwerk.clients.oware import only_at
    from spielwerk.contests.archive import ContestArchive
    from spielwerk.web.app import make_app
    from spielwerk.web.browsers import Browsers
    from spielwerk.web.rates import Rates
    from spielwerk.web.serving import WebService
    from spielwerk.web.site import Limits, Site

    settings, web = server.settings, server.settings.web
    limits = Limits(
        body=web.body_limit,
        patience=web.patience,
        hosts=frozenset(web.hosts),
        listing=web.listing,
        sockets=max(1, web.connections * 9 // 10),  # the rest is for requests
        move_time=settings.mnm.move_time,
        move_times={
            "dice": round(1000 * settings.dice.answer),
            "connect4": settings.host.move_time,
        },
        options={"dice": {"target": settings.dice.target, "rounds": settings.dice.rounds}},
        allow_remote=only_at(settings.tables.remote_hosts),
    )
    site = Site(
        server.arena,
        server.archive,
        server.open_wires,
        server.pulse.problems,
        server.metrics.text,
        server,
        Browsers(server.secret, server.token),
        Rates(web.creation_burst, web.creation_rate),
        ContestArchive(server.store),
        lambda: server.contest,
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


MAKERS: Final[dict[str, Callable[[Server], Service]]] = {
    "mnm": _mnm,
    "dice": _dice,
    "oware": _oware,
    "index": _index,
    "host": _host,
    "web": _web,
}


_LARGE: Final = {
    "host": ("spielwerk.servers.host",),
    "web": ("spielwerk.web.app", "spielwerk.web.serving"),
}
