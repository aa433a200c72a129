"""Settings from a file, the environment and the command line, and all of them as a file again."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from platformdirs import user_data_path

from spielwerk.errors import quote
from spielwerk.servers.section import SettingError, Unfit, masked
from spielwerk.servers.settings import SECTIONS, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from spielwerk.servers.section import Setting, Value

FILE: Final = "spielwerk.toml"
"""Read from the current folder when no other file is named."""

LARGEST: Final = 1_000_000
PREFIX: Final = "SPIELWERK_"
DATABASE: Final = "spielwerk.db"


class Given(NamedTuple):
    """A setting as somebody gave it; texts still have to be read, a file's values have a type."""

    where: str
    section: str
    name: str
    value: object
    text: bool = True


# from where settings come


def from_file(path: Path) -> list[Given]:
    """What the TOML file sets, or SettingError if it cannot be read."""
    try:
        sections = tomllib.loads(_content(path).decode())
    except UnicodeDecodeError:
        raise SettingError(f"{path}: it is not UTF-8 text") from None
    except OSError as error:
        raise SettingError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingError(f"{path}: {' '.join(str(error).split())}") from None
    return list(_entries(str(path), sections))


def _content(path: Path) -> bytes:
    if not stat.S_ISREG(path.stat().st_mode):
        raise SettingError(f"{path}: it is no ordinary file")
    with path.open("rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise SettingError(f"{path}: more than {LARGEST} bytes")
    return content


def _entries(where: str, sections: dict[str, Any]) -> Iterator[Given]:
    for section, values in sections.items():
        if section not in SECTIONS:
            raise SettingError(f"{where}: {_no_section(section)}")
        if not isinstance(values, dict):
            raise SettingError(f"{where}: {section} is a section; write [{section}] above it")
        for name, value in values.items():
            yield Given(where, section, name, value, text=False)


def from_environment(environment: Mapping[str, str]) -> list[Given]:
    """What variables SPIELWERK_SECTION_NAME set; variables of no section are somebody else's."""
    given = []
    for variable, text in sorted(environment.items()):
        section, _, name = variable.removeprefix(PREFIX).lower().partition("_")
        if variable.startswith(PREFIX) and section in SECTIONS and name:
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
    values: dict[str, dict[str, Value]] = {section: {} for section in SECTIONS}
    for one in given:
        values.setdefault(one.section, {})[one.name] = _value(one)
    sections: dict[str, Any] = {name: kind(**values[name]) for name, kind in SECTIONS.items()}
    return Settings(**sections)


def _value(given: Given) -> Value:
    setting = _find(given)
    try:
        return setting.read(str(given.value)) if given.text else setting.accept(given.value)
    except Unfit as unfit:
        what = f"{given.section}.{given.name} = {setting.quoted(given.value)}"
        raise SettingError(f"{given.where}: {what}: {unfit}") from None


def _find(given: Given) -> Setting:
    if given.section not in SECTIONS:
        raise SettingError(f"{given.where}: {_no_section(given.section)}")
    known = {one.name: one for one in SECTIONS[given.section].settings()}
    if given.name not in known:
        likely = get_close_matches(given.name, known, n=1)
        names = f"did you mean {likely[0]}?" if likely else f"there are {', '.join(known)}"
        missing = quote(f"{given.section}.{given.name}")
        raise SettingError(f"{given.where}: there is no setting {missing}; {names}")
    return known[given.name]


def _no_section(name: str) -> str:
    return f"there is no section {quote(name)}; there are {', '.join(SECTIONS)}"


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
    sections: dict[str, Any] = {
        name: replace(settings.section(name), ports=value)  # type: ignore[type-var]
        for name, value in chosen.items()
    }
    return replace(settings, **sections)


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
    for name, section in SECTIONS.items():
        lines += ["", "", f"# {section.__doc__}", f"[{name}]"]
        for one in section.settings():
            value = getattr(settings.section(name), one.name)
            lines += ["", *_comments(one)]
            if (name, one.name) in here and not value:
                lines.append(f"# here: {_toml(here[name, one.name], one)}")
            lines.append(f"{one.name} = {_toml(value, one)}")
    return "\n".join(lines) + "\n"


def _comments(setting: Setting) -> list[str]:
    """What stands above a setting."""
    lines = wrap(setting.meaning, 96)
    if setting.choices:
        lines.append(f"one of {', '.join(_toml(choice, setting) for choice in setting.choices)}")
    elif setting.high:
        lines.append(f"from {_plain(setting.low)} to {_plain(setting.high)}")
    lines.append(f"default: {_toml(setting.default, setting)}")
    return [f"# {line}" for line in lines]


def _plain(number: float) -> str:
    return str(number).removesuffix(".0")


def _toml(value: Value, setting: Setting) -> str:
    """The value as TOML writes it; JSON's way is the same for what our settings can hold."""
    if isinstance(value, tuple):
        return f"[{', '.join(_toml(entry, setting) for entry in value)}]"
    if isinstance(value, str):
        value = setting.shown(value)
    return json.dumps(value, ensure_ascii=False)
