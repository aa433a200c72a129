"""A description as the store keeps it, as TOML, and what has changed in one since it was kept."""

from __future__ import annotations

import os
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spielwerk.contests.contest import (
    Contest,
    Entrant,
    Format,
    Order,
    Phase,
    Resources,
    usual_bonus,
)
from spielwerk.contests.describing.keys import KEYS, RESOURCES, SECTIONS
from spielwerk.contests.describing.values import toml
from spielwerk.contests.schedule import allows_openings
from spielwerk.store.contest_records import End, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.contests.describing.keys import Key


def pack(contest: Contest) -> dict[str, Any]:
    """The contest as plain values, for JSON."""
    packed = asdict(contest)
    packed["base"] = None if contest.base is None else str(contest.base)
    packed["options"] = list(contest.options)
    packed["bonus"] = list(contest.bonus)
    packed["disqualify"] = [str(end) for end in contest.disqualify]
    packed["entrants"] = [
        {**asdict(entrant), "kind": str(entrant.kind), "options": list(entrant.options)}
        for entrant in contest.entrants
    ]
    return {key: str(value) if isinstance(value, str) else value for key, value in packed.items()}


def unpack(packed: dict[str, Any]) -> Contest:
    """The contest that was packed; what an older version did not pack is as usual."""
    phase = Phase(packed["phase"])
    values = _of(Contest, packed)
    values |= {
        "entrants": tuple(_entrant(entrant) for entrant in packed["entrants"]),
        "options": tuple(packed["options"]),
        "format": Format(packed["format"]),
        "phase": phase,
        "order": Order(packed["order"]),
        "disqualify": tuple(map(End, packed["disqualify"])),
        "bonus": tuple(packed.get("bonus", usual_bonus(packed["game"], phase))),
        "resources": Resources(**_of(Resources, packed["resources"])),
        "base": None if packed["base"] is None else Path(packed["base"]),
    }
    return Contest(**values)


def _entrant(packed: dict[str, Any]) -> Entrant:
    values = _of(Entrant, packed)
    values |= {"kind": Kind(packed["kind"]), "options": tuple(packed["options"])}
    return Entrant(**values)


def _of(kind: type[Any], packed: dict[str, Any]) -> dict[str, Any]:
    """What is there for the fields of a class."""
    return {field.name: packed[field.name] for field in fields(kind) if field.name in packed}


# as TOML


def as_toml(contest: Contest) -> str:
    """The contest as a description, every key that has a meaning there with its value."""
    lines: list[str] = []
    section = ""
    if not allows_openings(contest):
        contest = replace(contest, opening=0)
    for key in KEYS:
        if contest.game not in SECTIONS.get(key.section, (contest.game,)):
            continue
        if key.section != section:
            section = key.section
            lines += ["", f"[{section}]"]
        lines.append(f"{key.name} = {key.value.written(_value(contest, key))}")
    for entrant in contest.entrants:
        lines += ["", "[[entrant]]", *_lines(entrant, contest.base)]
    return "\n".join(lines) + "\n"


def _value(contest: Contest, key: Key) -> Any:
    return getattr(contest.resources if key.field in RESOURCES else contest, key.field)


def _lines(entrant: Entrant, base: Path | None) -> Iterator[str]:
    yield f"name = {toml(entrant.name)}"
    yield f"{entrant.kind} = {toml(entrant.text) if entrant.kind is not Kind.OPEN else 'true'}"
    if entrant.folder:
        yield f"folder = {toml(_relative(entrant.folder, base))}"
    for option in entrant.options:
        key, _, value = option.partition("=")
        yield f"{key} = {value if value.isdecimal() else toml(value)}"
    if entrant.reference:
        yield "reference = true"


def _relative(folder: str, base: Path | None) -> str:
    """The folder as seen from the description; both may have moved together."""
    return os.path.relpath(folder, base) if folder and base else folder


# what has changed


def differences(old: Contest, new: Contest) -> list[str]:
    """What the new description says otherwise than the old one, a sentence each."""
    changed = [
        f"{key.path} was {key.value.written(was)}, is {key.value.written(now)}"
        for key in KEYS
        if (was := _value(old, key)) != (now := _value(new, key))
    ]
    return [*changed, *_changed_entrants(old, new)]


def _changed_entrants(old: Contest, new: Contest) -> Iterator[str]:
    before = {entrant.name: entrant for entrant in old.entrants}
    after = {entrant.name: entrant for entrant in new.entrants}
    yield from (f"entrant {name} is gone" for name in before if name not in after)
    yield from (f"entrant {name} is new" for name in after if name not in before)
    common = [name for name in after if name in before]
    if common != [name for name in before if name in after]:
        yield "the entrants are in another order"
    for name in common:
        yield from _changed(before[name], after[name], old.base, new.base)


def _changed(
    was: Entrant, now: Entrant, old_base: Path | None, new_base: Path | None
) -> Iterator[str]:
    name = now.name
    if was.kind is not now.kind:
        yield f"entrant {name} was {_kind(was)}, is {_kind(now)}"
    elif was.text != now.text:
        yield f"entrant {name} has another {_NOUNS[now.kind]}"
    if _relative(was.folder, old_base) != _relative(now.folder, new_base):
        yield f"entrant {name} has another folder"
    if was.digest and now.digest and was.digest != now.digest and was.text == now.text:
        yield f"entrant {name} has another program: its files are not the same"
    if was.options != now.options:
        before, after = (", ".join(one.options) or "nothing" for one in (was, now))
        yield f"entrant {name} had {before}, has {after}"
    if was.reference != now.reference:
        yield f"entrant {name} is {'a' if now.reference else 'no'} reference now"


_NOUNS = {
    Kind.ENGINE: "engine",
    Kind.COMMAND: "command",
    Kind.REMOTE: "address",
    Kind.OPEN: "seat",
}


def _kind(entrant: Entrant) -> str:
    noun = "open seat" if entrant.kind is Kind.OPEN else _NOUNS[entrant.kind]
    return f"{'an' if noun[0] in 'aeo' else 'a'} {noun}"
