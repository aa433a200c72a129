"""What the pages and the API show and use; the running server fills it in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

from spielwerk.servers.settings import OneOf, Ports, ServiceSettings, Shown, Texts, checked, setting

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from spielwerk.net.connection import Line
    from spielwerk.net.rates import Rates
    from spielwerk.store.opening import Readable
    from spielwerk.store.records import WireRecord
    from spielwerk.tables.arena import Arena
    from spielwerk.web.browsers import Browsers


class Services(Protocol):
    """The services of the running server."""

    @property
    def addresses(self) -> Mapping[str, Sequence[tuple[str, int]]]:
        """Where each of them listens."""

    @property
    def dialects(self) -> Mapping[int, int]:
        """What the game server speaks, by its ports."""

    @property
    def clients(self) -> Mapping[str, int]:
        """How many are connected to each of them."""

    def lines(self) -> Sequence[Line]:
        """The transcripts of all connections to games that are open now."""

    def service(self, name: str) -> object | None:
        """The service of this name, if it runs here."""

    def offer(self, game_id: str) -> Mapping[str, object] | None:
        """Where a table is offered to strangers, if it is."""

    async def change_port(self, name: str, port: int) -> None:
        """Have a service listen elsewhere; SpielwerkError if it cannot, OSError if it is taken."""


class RunningContest(Protocol):
    """The contest that this server plays."""

    @property
    def id(self) -> str:
        """Which one it is."""

    @property
    def jobs(self) -> int:
        """Games at once; 0: it is held, what is being played goes on and nothing is begun."""

    @property
    def playing(self) -> int:
        """Games that are being played now; others are begun, too, but wait until there is room."""

    @property
    def rate(self) -> float | None:
        """Games a minute; None while that is not known."""

    @property
    def eta(self) -> float | None:
        """Seconds until all are played; None while that is not known."""

    def absent(self) -> Sequence[str]:
        """Those whom everything waits for; none while something is played or can be."""

    def running(self) -> Mapping[str, int]:
        """The games that can be watched: their numbers in the schedule by their Game-IDs."""

    def set_jobs(self, jobs: int) -> None:
        """Have so many games at once from now on."""

    def stop(self) -> None:
        """Begin to stop, as with Ctrl-C; it can be resumed."""


def _token(text: str) -> None:
    if "***" in text:
        raise ValueError("the token is hidden; write the real one in its place")
    if text and (len(text) < 8 or not text.isascii() or " " in text):
        raise ValueError("must be 8 ASCII characters or more, without blanks")


class WebSettings(ServiceSettings):
    """The HTTP server: API, health and metrics."""

    name: ClassVar = "web"
    ports: Ports = setting(("8000",), "Ports; 0 for any free one.", min_length=1)
    hosts: Texts = setting(
        (),
        "Names by which browsers may call this server, besides its addresses, localhost and the "
        "machine's own name; behind a proxy the name that the proxy goes by.",
    )
    proxies: Texts = setting(
        (),
        "Addresses or networks of proxies, besides this machine, that are believed when they say "
        "for whom they ask (X-Forwarded-For).",
    )
    listing: Annotated[str, OneOf(("everybody", "local", "nobody"))] = setting(
        "everybody",
        "Who may list the games with their IDs, by which clients join them: everybody, "
        "local (programs on this machine) or nobody.",
    )
    show: bool = setting(
        True,
        "Whether a game between two engines is shown in the lobby while people watch and "
        "nothing else is played.",
    )
    checks: Annotated[str, OneOf(("local", "everybody"))] = setting(
        "local",
        "Who may check programs on the pages, which opens ports for them: local (this machine, "
        "and the operator) or everybody.",
    )
    body_limit: int = setting(65_536, "Bytes in the body of a request, at most.", 1024, 16_777_216)
    patience: float = setting(
        10.0, "Seconds for a request to arrive, head and body each.", 0.1, 600
    )
    token: Annotated[str, checked(_token), Shown(lambda text: "***" if text else "")] = setting(
        "",
        "What the operator shows to delete games and change ports, "
        "8 characters or more; empty: made at every start and printed.",
        repr=False,
    )
    creation_burst: int = setting(600, "Games that one address may set up at once.", 1, 1_000_000)
    creation_rate: float = setting(10.0, "And then how many a second.", 0.001, 1_000_000)
    connections: int = setting(1000, "Most connections at once, pages included.", 1, 1_000_000)


@dataclass(frozen=True, slots=True)
class UsualTable:
    """What a new table is like where the wish does not say."""

    move_time: int = 3000  # milliseconds, where the game does not say
    move_times: Mapping[str, int] = field(default_factory=dict)  # of games that have their own
    options: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # likewise, by game

    def time_for(self, game: str) -> int:
        """Milliseconds for a move of this game."""
        return self.move_times.get(game, self.move_time)

    def options_for(self, game: str) -> Mapping[str, int]:
        """The options of this game that the settings choose."""
        return self.options.get(game, {})


@dataclass(frozen=True, slots=True)
class Site:
    """The arena and its surroundings, as the web sees them."""

    arena: Arena
    store: Readable
    open_wires: Callable[[str], Sequence[WireRecord]]  # not in the archive yet
    problems: Callable[[], Awaitable[list[str]]]  # what does not work at the moment
    metrics: Callable[[], bytes]  # in Prometheus' text format
    services: Services
    browsers: Browsers
    creations: Rates  # of games
    contest: Callable[[], RunningContest | None]  # the one that is played here
    contests_here: Collection[str]  # all that were played since this server began
    settings: WebSettings
    usual: UsualTable
    pin_remote: Callable[[str], Awaitable[str]]  # raises for players a visitor may not name
