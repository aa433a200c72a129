"""Every setting of the server: its default, what it may be, and what it means.

A section is a dataclass; one with `ports` is a service. A new service is its dataclass here and a
line in `Settings`, and nothing else reads or prints settings by name.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, NamedTuple, cast

from spielwerk.errors import quote
from spielwerk.servers.section import WHOLE, Section, Unfit, setting
from spielwerk.wire.connect4.index import Limits as IndexLimits
from spielwerk.wire.dice.server import Limits
from spielwerk.wire.dice.words import Mode
from spielwerk.wire.mnm.server import Pace, Timing
from spielwerk.wire.mnm.words import DIALECTS, Dialect

DAY: Final = 24 * 3600.0


# what is checked of texts


class MnmPort(NamedTuple):
    """A port of the game server, how it speaks there, and how it writes; None for the setting."""

    port: int
    dialect: int | None = None
    pace: Pace | None = None


def _port(text: str) -> int:
    number = int(text) if WHOLE.fullmatch(text) else -1
    if not 0 <= number <= 65535:
        raise Unfit(f"{quote(text)} is no port: 0 (any free one) to 65535")
    return number


def _mnm_port(text: str) -> MnmPort:
    """Read PORT[:DIALECT[:PACE]]."""
    port, *rest = text.split(":")
    dialect, pace = (*rest, "", "")[:2]
    if len(rest) > 2 or dialect not in ("", *map(str, DIALECTS)) or pace not in ("", *Pace):
        raise Unfit(
            f"{quote(text)} is not PORT[:DIALECT[:PACE]], with a dialect of "
            f"{', '.join(map(str, DIALECTS))} and a pace of {', '.join(Pace)}"
        )
    return MnmPort(_port(port), int(dialect) if dialect else None, Pace(pace) if pace else None)


def _service(text: str) -> None:
    if text not in SERVICES:
        raise Unfit(f"{quote(text)} is no service; there are {', '.join(SERVICES)}")


def _address(text: str) -> None:
    if not text or " " in text:
        raise Unfit("must be an address or a host's name")


def _ascii(text: str) -> None:
    if not text or not text.isascii() or not text.isprintable():
        raise Unfit("must be printable ASCII characters")


def _token(text: str) -> None:
    if "***" in text:
        raise Unfit("the token is hidden; write the real one in its place")
    if text and (len(text) < 8 or not text.isascii() or " " in text):
        raise Unfit("must be 8 ASCII characters or more, without blanks")


def _store_url(text: str) -> None:
    if "***" in text:
        raise Unfit("the password is masked; write the real one in its place")


# the sections


class PlainPorts(Section):
    """The base of services whose ports are numbers and nothing else."""

    ports: tuple[str, ...]

    def numbers(self) -> list[int]:
        """The ports."""
        return [_port(text) for text in self.ports]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings(Section):
    """The server as a whole."""

    name = "server"
    bind: str = setting(
        "127.0.0.1",
        "Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everybody (IPv4).",
        check=_address,
    )
    only: tuple[str, ...] = setting((), "Services to run; none named: all of them.", check=_service)
    data: str = setting(
        "", "Folder for the database; empty: $SPIELWERK_DATA, or the user's data folder."
    )
    log: str = setting("info", "How much is logged.", choices=("debug", "info", "warning", "error"))
    sweep: float = setting(5.0, "Seconds between two looks at old tables.", low=0.05, high=3600)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings(Section):
    """Where games are kept."""

    name = "store"
    url: str = setting(
        "",
        "Database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; "
        "empty: spielwerk.db in the data folder.",
        check=_store_url,
        secret=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings(Section):
    """Tables of all games."""

    name = "tables"
    limit: int = setting(10_000, "Most unfinished games at once.", low=1, high=1_000_000)
    age_limit: float = setting(
        DAY, "Seconds that an unfinished game waits for somebody to come.", low=1, high=3650 * DAY
    )
    finished_kept: float = setting(
        60.0, "Seconds that a finished game still tells its result.", low=0, high=DAY
    )
    remote_hosts: tuple[str, ...] = setting(
        ("localhost", "127.0.0.1", "::1"),
        "Hosts to which visitors may have the server connect (remote:HOST:PORT); * for any. "
        "The operator may name any Oware server.",
    )
    engine_threads: int = setting(
        0, "Threads that engines think in; 0: one less than processors.", low=0, high=1024
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MnmSettings(Section):
    """The game server for Quarto and Nine Men's Morris."""

    name = "mnm"
    ports: tuple[str, ...] = setting(
        ("1357", "1358:2", "1359:3"),
        "Ports, each PORT[:DIALECT[:PACE]]; 0 for any free one.",
        low=1,
        check=_mnm_port,
    )
    dialect: int = setting(
        1,
        "Dialect of ports that name none: 1 is the documents', 2 and 3 later servers'.",
        choices=tuple(DIALECTS),
    )
    pace: str = setting(
        str(Pace.FIRST_THEN_REST),
        "How ports that do not say so cut a block of lines into segments.",
        choices=tuple(map(str, Pace)),
    )
    move_time: int = setting(
        3000,
        "Milliseconds for a move, where the game does not say.",
        low=10,
        high=86_400_000,
    )
    prolog: float = setting(
        30.0, "Seconds for each answer before the game begins.", low=0.1, high=3600
    )
    okwait: float = setting(5.0, "Seconds for OKWAIT.", low=0.1, high=3600)
    wait_interval: float = setting(1.0, "Seconds from one WAIT to the next.", low=0.05, high=3600)
    thinking: float = setting(1.0, "Seconds for THINKING after the field.", low=0.05, high=3600)
    grace: float = setting(
        0.1, "Seconds that a move may be late, for the network's sake.", low=0, high=60
    )
    reservation: float = setting(
        5.0, "Seconds that the seat of a lost client stays closed to others.", low=0, high=DAY
    )
    line_limit: int = setting(1024, "Bytes in a client's line, at most.", low=64, high=1_048_576)
    backlog: int = setting(
        65_536,
        "Bytes that a client may send ahead of our answers.",
        low=1024,
        high=16_777_216,
    )
    connections: int = setting(5000, "Most connections at once.", low=1, high=1_000_000)
    transcript: int = setting(
        32_768, "Bytes kept of what a connection says and hears.", low=0, high=16_777_216
    )

    def listeners(self) -> list[tuple[int, Dialect, Pace]]:
        """Every port with what is spoken there, and how it is written."""
        return [
            (port, DIALECTS[dialect or self.dialect], pace or Pace(self.pace))
            for port, dialect, pace in map(_mnm_port, self.ports)
        ]

    def timing(self) -> Timing:
        """What clients may take their time for."""
        return Timing(
            prolog=self.prolog,
            okwait=self.okwait,
            thinking=self.thinking,
            grace=self.grace,
            line=self.line_limit,
            backlog=self.backlog,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceSettings(PlainPorts):
    """The dice server."""

    name = "dice"
    ports: tuple[str, ...] = setting(("9001",), "Ports; 0 for any free one.", low=1, check=_port)
    mode: str = setting(
        Mode.TRAIN.name.lower(),
        "What is played for; it stands in the greeting and in the records.",
        choices=tuple(mode.name.lower() for mode in Mode),
    )
    target: int = setting(150, "Points that win; older courses: 200.", low=3, high=10_000)
    rounds: int = setting(100, "Rounds after which a game is broken off.", low=1, high=10_000)
    answer: float = setting(
        2.0, "Seconds for every answer of a bot; older courses: 3.", low=0.05, high=3600
    )
    instances: int = setting(
        2,
        "Most bots of one name at once while mode is train; 0: no limit.",
        low=0,
        high=1_000_000,
    )
    line_limit: int = setting(100, "Characters in a bot's line, at most.", low=16, high=65_536)
    backlog: int = setting(
        4096, "Bytes that a bot may send before they are asked for.", low=128, high=1_048_576
    )
    seed: str = setting("", "Seed for dice that fall the same way again; empty: real chance.")
    connections: int = setting(5000, "Most connections at once.", low=1, high=1_000_000)
    transcript: int = setting(
        16_384, "Bytes kept of what a connection says and hears.", low=0, high=16_777_216
    )

    def greeted_mode(self) -> Mode:
        """The mode as the protocol knows it."""
        return Mode[self.mode.upper()]

    def limits(self) -> Limits:
        """What bots may take their time for."""
        return Limits(answer=self.answer, line=self.line_limit, backlog=self.backlog)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwareSettings(PlainPorts):
    """The Oware move server."""

    name = "oware"
    ports: tuple[str, ...] = setting(
        ("7889",),
        "Ports; 0 for any free one, which is also used if these are taken.",
        low=1,
        check=_port,
    )
    author: str = setting("Spielwerk", "Name of the author in every answer, ASCII.", check=_ascii)
    names: tuple[str, ...] = setting(
        ("Spielwerk tuned", "Spielwerk simple"),
        "Names of strategies 0 and 1 in every answer, ASCII.",
        low=2,
        check=_ascii,
    )
    reference: bool = setting(
        default=False,
        meaning="Play the document's plain evaluation as strategy 0, like its reference server.",
    )
    vary: bool = setting(
        default=False, meaning="Choose among equal moves by chance, not the same way every time."
    )
    silence: float = setting(
        30.0, "Seconds of silence that end the wait for a request.", low=0.05, high=3600
    )
    line_limit: int = setting(65_536, "Bytes in a line, at most.", low=64, high=16_777_216)
    connections: int = setting(20_000, "Most connections at once.", low=1, high=1_000_000)
    transcript: int = setting(
        0, "Bytes kept of what a connection says and hears.", low=0, high=16_777_216
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings(PlainPorts):
    """The index server of Connect Four; heartbeats come on the same ports (UDP)."""

    name = "index"
    ports: tuple[str, ...] = setting(("9090",), "Ports; 0 for any free one.", low=1, check=_port)
    spelling: str = setting(
        "document",
        "Words of the answers: the document's, or the variant that some clients understand.",
        choices=("document", "variant"),
    )
    silence: float = setting(
        60.0,
        "Seconds of silence after which an initiator's games fall away; "
        "0: never, for clients that send no heartbeats.",
        low=0,
        high=365 * DAY,
    )
    beat: float = setting(10.0, "Seconds between two heartbeats of ours.", low=0.1, high=DAY)
    idle: float = setting(
        DAY, "Seconds that a connection may be silent; 0: for ever.", low=0, high=365 * DAY
    )
    reading: float = setting(
        10.0, "Seconds for a client to read what waits for it.", low=0.1, high=3600
    )
    entries: int = setting(10_000, "Most games in the list.", low=1, high=1_000_000)
    entries_each: int = setting(1000, "Most games of one host.", low=1, high=1_000_000)
    name_limit: int = setting(
        100, "Characters in the name of a player or a game, at most.", low=1, high=1000
    )
    side_limit: int = setting(
        255, "Width, height and depth of a board, at most.", low=1, high=1_000_000
    )
    line_limit: int = setting(1024, "Bytes in a client's line, at most.", low=64, high=1_048_576)
    backlog: int = setting(
        65_536,
        "Bytes that a client may send ahead of our answers.",
        low=1024,
        high=16_777_216,
    )
    connections: int = setting(5000, "Most connections at once.", low=1, high=1_000_000)
    connections_each: int = setting(
        500, "Most connections of one host at once.", low=1, high=1_000_000
    )

    @property
    def transcript(self) -> int:
        """Nothing is kept of what is said here: it belongs to no game."""
        return 0

    def limits(self) -> IndexLimits:
        """What may stand in the list."""
        return IndexLimits(
            entries=self.entries,
            entries_each=self.entries_each,
            side=self.side_limit,
            name=self.name_limit,
            silence=self.silence,
            beat=self.beat,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSettings(PlainPorts):
    """The host of Connect Four tables that are offered at index servers."""

    name = "host"
    ports: tuple[str, ...] = setting(
        ("8080",),
        "Port for TCP and UDP; 0 for any free one, which is also used if this is taken.",
        low=1,
        check=_port,
    )
    address: str = setting(
        "", "What opponents are told to connect to; empty: the address that we listen on."
    )
    spelling: str = setting(
        "document",
        "Words of the answers: the document's, or the variant that some clients understand.",
        choices=("document", "variant"),
    )
    move_time: int = setting(
        10_000,
        "Milliseconds for a move, where the game does not say; 0: no limit.",
        low=0,
        high=86_400_000,
    )
    connections: int = setting(200, "Most connections at once.", low=1, high=1_000_000)
    transcript: int = setting(
        65_536, "Bytes kept of what a connection says and hears.", low=0, high=16_777_216
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSettings(PlainPorts):
    """The HTTP server: API, health and metrics."""

    name = "web"
    ports: tuple[str, ...] = setting(("8000",), "Ports; 0 for any free one.", low=1, check=_port)
    hosts: tuple[str, ...] = setting(
        (), "Names of this server that browsers on this machine may use, besides localhost."
    )
    listing: str = setting(
        "everybody",
        "Who may list the games with their IDs, by which clients join them: everybody, "
        "somebody on this machine or nobody.",
        choices=("everybody", "local", "nobody"),
    )
    body_limit: int = setting(
        65_536, "Bytes in the body of a request, at most.", low=1024, high=16_777_216
    )
    patience: float = setting(
        10.0, "Seconds for a request to arrive, head and body each.", low=0.1, high=600
    )
    token: str = setting(
        "",
        "What the operator shows to delete games and change ports, 8 characters or more; "
        "empty: made at every start and printed.",
        check=_token,
        hidden=True,
    )
    creation_burst: int = setting(
        600, "Games that one address may set up at once.", low=1, high=1_000_000
    )
    creation_rate: float = setting(10.0, "And then how many a second.", low=0.001, high=1_000_000)
    connections: int = setting(1000, "Most connections at once.", low=1, high=1_000_000)


@dataclass(frozen=True, slots=True)
class Settings:
    """All sections."""

    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    tables: TableSettings = TableSettings()
    mnm: MnmSettings = MnmSettings()
    dice: DiceSettings = DiceSettings()
    oware: OwareSettings = OwareSettings()
    index: IndexSettings = IndexSettings()
    host: HostSettings = HostSettings()
    web: WebSettings = WebSettings()

    def section(self, name: str) -> Section:
        """The section of this name."""
        return cast("Section", getattr(self, name))

    @property
    def services(self) -> tuple[str, ...]:
        """The services that are to run, in their fixed order."""
        return tuple(name for name in SERVICES if name in (self.server.only or SERVICES))


SECTIONS: Final[dict[str, type[Section]]] = {
    f.name: type(cast("Section", f.default)) for f in fields(Settings)
}
SERVICES: Final = tuple(
    name
    for name, section in SECTIONS.items()
    if any(one.name == "ports" for one in section.settings())
)
