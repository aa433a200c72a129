"""What the checks say, in both languages: cases with their documents, problems and hints.

A protocol's package has `cases.toml` (each case: what is expected, where the document says so and
in which sentence) and `sentences.toml` (problems and hints; placeholders in braces are filled in).
What all protocols share is in this package's own `sentences.toml`, and in `behaviour.toml`;
`labels.toml` has what reports say besides.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from spielwerk.check.case import Case, Wording, in_language

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    Script = Callable[[Any], Awaitable[None]]


@cache
def _toml(package: str, name: str) -> Mapping[str, Any]:
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def entries_of(package: str, name: str, kind: str = "case") -> list[Mapping[str, Any]]:
    """The entries of a file of cases in a package; none if it has no such file."""
    has = files(package).joinpath(name).is_file()
    entries: list[Mapping[str, Any]] = _toml(package, name).get(kind, []) if has else []
    return entries


def cases_of(package: str, scripts: Mapping[str, Script], file: str = "cases.toml") -> list[Case]:
    """The cases of a package's file in its order, each with the script of its name."""
    listed = entries_of(package, file)
    names = [one["name"] for one in listed]
    if sorted(names) != sorted(scripts):
        odd = sorted({*names} ^ {*scripts})
        raise ValueError(f"{package}: {file} and scripts differ in {', '.join(odd)}")
    return [case_of(one, scripts[one["name"]]) for one in listed]


def behaviour_texts(protocol: str) -> list[Mapping[str, Any]]:
    """The cases of `behaviour.toml` that a protocol has, with what is special for it.

    Roles of a protocol, as `NAME-host`, share what stands under the protocol's own name.
    """
    shared = protocol.partition("-")[0]
    listed = _toml(__package__ or "", "behaviour.toml")["case"]
    found = [(one, one.get(protocol) or one.get(shared)) for one in listed]
    return [{**one, **special, "started": True} for one, special in found if special]


def case_of(one: Mapping[str, Any], script: Script) -> Case:
    """A case by its entry and its script."""
    document, _, section = one["source"].partition(" ")
    title = sentence("", "document", document, {})
    place = f", {section}" if section else ""

    def both(name: str) -> Wording:
        return Wording(one.get(name, ""), one.get(f"{name}_de", ""))

    async def run(trial: Any) -> None:
        trial.case = one["name"]
        trial.only_advice = one.get("advice", False)
        await trial.carry_out(script)

    return Case(
        one["name"],
        both("rule"),
        Wording(f"{title}{place}", f"{title.de}{place}"),
        run,
        decided=one.get("decided", False),
        alone=one.get("alone", False),
        started=one.get("started", False),
        says=both("says"),
        why=both("why"),
    )


def sentence(package: str, group: str, code: str, values: Mapping[str, object]) -> Wording:
    """A `problem`, a `hint`, an `event` or a `moment` by its code, with its values."""
    places = [(place, "sentences.toml") for place in (package, __package__) if place]
    for place, file in (*places, (__package__ or "", "behaviour.toml")):
        found = _toml(place, file).get(group, {}).get(code)
        if found:
            return _filled(found, values)
    raise LookupError(f"there is no {group} {code!r} in sentences.toml")


def label(code: str, **values: object) -> Wording:
    """What a report says besides: a text of `labels.toml` with its values."""
    return _filled(_toml(__package__ or "", "labels.toml")[code], values)


def has_label(code: str) -> bool:
    """Whether there is such a text."""
    return code in _toml(__package__ or "", "labels.toml")


def _filled(found: Mapping[str, str], values: Mapping[str, object]) -> Wording:
    german = {name: _german(value) for name, value in values.items()}
    return Wording(found["en"].format(**values), found["de"].format(**german))


def _german(value: object) -> object:
    return in_language(value, "de") if isinstance(value, str) else value
