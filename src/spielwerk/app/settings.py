"""Every setting of a server: from a file, the environment and the command line, and printed.

The command line goes before the environment, the environment before the file, the file before the
defaults. A game's kit names the services that it needs, and each service brings its own section.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, NamedTuple

from platformdirs import user_data_path
from pydantic import Strict

from spielwerk.errors import quote
from spielwerk.games import kits
from spielwerk.servers.settings import (
    DAY,
    Entry,
    OneOf,
    Section,
    SettingError,
    Shown,
    Texts,
    checked,
    limits,
    marked,
    masked,
    setting,
)
from spielwerk.web.site import WebSettings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pydantic.fields import FieldInfo

FILE: Final = "spielwerk.toml"
"""Read from the current folder when no other file is named."""

LARGEST: Final = 1_000_000
PREFIX: Final = "SPIELWERK_"
DATABASE: Final = "spielwerk.db"
WEB: Final = "web"

SERVICES: Final = (*dict.fromkeys(name for kit in kits().values() for name in kit.servers), WEB)
"""All services in their fixed order; each but the pages is a module of `spielwerk.servers`."""


# the sections that are no game's


def _service(text: str) -> None:
    if text not in SERVICES:
        raise ValueError(f"{quote(text)} is not a service; the services are {', '.join(SERVICES)}")


def _address(text: str) -> None:
    if not text or " " in text:
        raise ValueError("must be an address or a host's name")


def _store_url(text: str) -> None:
    if "***" in text:
        raise ValueError("the password is masked; write the real one in its place")


class ServerSettings(Section):
    """The server as a whole."""

    name: ClassVar = "server"
    bind: Annotated[str, checked(_address)] = setting(
        "127.0.0.1",
        "Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for all (IPv4).",
    )
    only: Annotated[tuple[Annotated[Entry, checked(_service)], ...], Strict(strict=False)] = (
        setting((), "Services to run; none named: all of them.")
    )
    data: str = setting(
        "", "Folder for the database; empty: $SPIELWERK_DATA, or the user's data folder."
    )
    log: Annotated[str, OneOf(("debug", "info", "warning", "error"))] = setting(
        "info", "How much is logged."
    )
    sweep: float = setting(5.0, "Seconds between two looks at old tables.", 0.05, 3600)


class StoreSettings(Section):
    """Where games are kept."""

    name: ClassVar = "store"
    url: Annotated[str, checked(_store_url), Shown(masked)] = setting(
        "",
        "Database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME; "
        "empty: spielwerk.db in the data folder.",
    )


class TableSettings(Section):
    """Tables of all games."""

    name: ClassVar = "tables"
    limit: int = setting(10_000, "Most unfinished games at once.", 1, 1_000_000)
    limit_each: int = setting(2000, "Most of them that one address may have set up.", 1, 1_000_000)
    engine_tables: int = setting(
        20, "Most games between engines that one address may have running.", 1, 1_000_000
    )
    age_limit: float = setting(
        DAY, "Seconds that an unfinished game waits for players.", 1, 3650 * DAY
    )
    finished_kept: float = setting(
        60.0, "Seconds that a finished game still tells its result.", 0, DAY
    )
    remote_hosts: Texts = setting(
        (),
        "HOST or HOST:PORT to which visitors may have the server connect, besides its own "
        "services; * for any public address. Others are listed by their address. The operator may "
        "name any server.",
    )
    engine_threads: int = setting(
        0,
        "Engines that think at once, and as many again in short; 0: one less than processors.",
        0,
        1024,
    )


@cache
def sections() -> Mapping[str, type[Section]]:
    """All sections by their names, in the order in which they are printed."""
    services = [import_module(f"spielwerk.servers.{name}").SETTINGS for name in SERVICES[:-1]]
    all_sections = (ServerSettings, StoreSettings, TableSettings, *services, WebSettings)
    return {section.name: section for section in all_sections}


class Settings:
    """All sections, found as attributes; those that are not given have their defaults."""

    server: ServerSettings
    store: StoreSettings
    tables: TableSettings
    web: WebSettings

    def __init__(self, **given: Section) -> None:
        self._sections = {name: given.get(name) or kind() for name, kind in sections().items()}
        if unknown := given.keys() - self._sections.keys():
            raise SettingError(_no_section(min(unknown)))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_sections"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and self._sections == other._sections

    def __hash__(self) -> int:
        return hash((*self._sections.values(),))

    def section(self, name: str) -> Section:
        """The section of this name."""
        return self._sections[name]

    def replaced(self, **sections: Section) -> Settings:
        """The settings with other sections in some places."""
        return Settings(**{**self._sections, **sections})

    @property
    def services(self) -> tuple[str, ...]:
        """The services that are to run, in their fixed order."""
        return tuple(name for name in SERVICES if name in (self.server.only or SERVICES))


# from where settings come


class Given(NamedTuple):
    """A setting as it was given; texts still have to be read, a file's values have a type."""

    where: str
    section: str
    name: str
    value: object
    text: bool = True


def from_file(path: Path) -> list[Given]:
    """What the TOML file sets, or SettingError if it cannot be read."""
    try:
        tables = tomllib.loads(_content(path).decode())
    except UnicodeDecodeError:
        raise SettingError(f"{path}: it is not UTF-8 text") from None
    except OSError as error:
        raise SettingError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingError(f"{path}: {' '.join(str(error).split())}") from None
    return list(_entries(str(path), tables))


def _content(path: Path) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):
        raise SettingError("it is not a regular file")
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise SettingError(f"more than {LARGEST} bytes")
    return content


def _entries(where: str, tables: dict[str, Any]) -> Iterator[Given]:
    for section, values in tables.items():
        if section not in sections():
            raise SettingError(f"{where}: {_no_section(section)}")
        if not isinstance(values, dict):
            raise SettingError(f"{where}: {section} is a section; write [{section}] above it")
        for name, value in values.items():
            yield Given(where, section, name, value, text=False)


def from_environment(environment: Mapping[str, str]) -> list[Given]:
    """What variables SPIELWERK_SECTION_NAME set; variables of no section are ignored."""
    given = []
    for variable, text in sorted(environment.items()):
        section, _, name = variable.removeprefix(PREFIX).lower().partition("_")
        if variable.startswith(PREFIX) and section in sections() and name:
            given.append(Given(variable, section, name, text))
    return given


def from_assignment(text: str) -> Given:
    """What `--set SECTION.NAME=VALUE` sets."""
    key, equals, value = text.partition("=")
    section, dot, name = key.strip().partition(".")
    if not equals or not dot:
        raise SettingError(f"--set {quote(masked(text))}: expected SECTION.NAME=VALUE")
    return Given("--set", section, name, value.strip())


# putting them together


def put_together(given: Iterable[Given]) -> Settings:
    """The settings; of what is given more than once the last counts."""
    values: dict[str, dict[str, object]] = {name: {} for name in sections()}
    for one in given:
        values.setdefault(one.section, {})[one.name] = _value(one)
    return Settings(**{name: kind(**values[name]) for name, kind in sections().items()})


def _value(given: Given) -> object:
    """The value as its section keeps it, or SettingError with where it was given."""
    section = _find(given)
    value = section.read(given.name, str(given.value)) if given.text else given.value
    try:
        return getattr(section(**{given.name: value}), given.name)
    except SettingError as unfit:
        what = f"{given.section}.{given.name} = {section.quoted(given.name, given.value)}"
        raise SettingError(f"{given.where}: {what}: {unfit.fitting}") from None


def _find(given: Given) -> type[Section]:
    if given.section not in sections():
        raise SettingError(f"{given.where}: {_no_section(given.section)}")
    section = sections()[given.section]
    known = section.model_fields
    if given.name not in known:
        likely = get_close_matches(given.name, known, n=1)
        names = f"did you mean {likely[0]}?" if likely else f"there are {', '.join(known)}"
        missing = quote(f"{given.section}.{given.name}")
        raise SettingError(f"{given.where}: there is no setting {missing}; {names}")
    return section


def _no_section(name: str) -> str:
    return f"there is no section {quote(name)}; the sections are {', '.join(sections())}"


def with_ports(settings: Settings, texts: Iterable[str]) -> Settings:
    """The settings with ports as `--port` takes them: PORT for the only service, or NAME=PORT."""
    ports: dict[str, list[str]] = {}
    for text in texts:
        name, equals, port = text.rpartition("=")
        if not equals:
            if len(settings.services) != 1:
                example = f"--port {settings.services[0]}={port}"
                raise SettingError(f"--port {quote(text)}: for which service? Write {example}")
            name = settings.services[0]
        elif name not in settings.services:
            running = ", ".join(settings.services)
            raise SettingError(
                f"--port {quote(text)}: {quote(name)} does not run here; {running} do"
            )
        ports.setdefault(name, []).append(port)
    chosen = {name: _value(Given("--port", name, "ports", ",".join(ports[name]))) for name in ports}
    return settings.replaced(
        **{name: settings.section(name).replaced(ports=value) for name, value in chosen.items()}
    )


# what follows from them


def data_folder(settings: Settings) -> Path:
    """Where the server keeps its files."""
    chosen = settings.server.data or os.environ.get("SPIELWERK_DATA")
    return Path(chosen) if chosen else user_data_path("spielwerk")


def store_url(settings: Settings) -> str:
    """The database: its URL, or simply the file."""
    if settings.store.url:
        return settings.store.url
    return str(data_folder(settings).absolute() / DATABASE)


def as_toml(settings: Settings) -> str:
    """Every setting with its meaning, its default and its value, as a file that can be read."""
    lines = [
        "# The settings of `spielwerk serve`. The command line goes before the environment",
        f"# ({PREFIX}SECTION_NAME), the environment before this file, this file before defaults.",
    ]
    here = {("server", "data"): str(data_folder(settings)), ("store", "url"): store_url(settings)}
    for name, section in sections().items():
        lines += ["", "", f"# {section.about()}", f"[{name}]"]
        for key, field in section.model_fields.items():
            value = getattr(settings.section(name), key)
            lines += ["", *_comments(section, key, field)]
            if (name, key) in here and not value:
                lines.append(f"# here: {_toml(here[name, key], section, key)}")
            lines.append(f"{key} = {_toml(value, section, key)}")
    return "\n".join(lines) + "\n"


def _comments(section: type[Section], key: str, field: FieldInfo) -> list[str]:
    """What stands above a setting."""
    lines = wrap(field.description or "", 96)
    if choices := marked(field, OneOf):
        values = ", ".join(_toml(choice, section, key) for choice in choices.values)
        lines.append(f"one of {values}")
    elif bounds := limits(field):
        lines.append(f"from {_plain(bounds[0])} to {_plain(bounds[1])}")
    lines.append(f"default: {_toml(field.default, section, key)}")
    return [f"# {line}" for line in lines]


def _plain(number: float) -> str:
    return str(number).removesuffix(".0")


def _toml(value: object, section: type[Section], key: str) -> str:
    """The value as TOML writes it; JSON's way is the same for what our settings can hold."""
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(entry, section, key) for entry in value)}]"
    if isinstance(value, str):
        value = section.shown(key, value)
    return json.dumps(value, ensure_ascii=False)
