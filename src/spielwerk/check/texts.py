"""What the checks say, in both languages, and what each case does.

A protocol's package has `cases.toml` (each case: what is expected, where the document says so and
in which sentence, and its steps or its script) and `sentences.toml` (problems and hints;
placeholders in braces are filled in). What all protocols share is in this package's own
`sentences.toml`, and in `behaviour.toml`; `labels.toml` has what reports say besides.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeVar

from spielwerk.check.case import Case, Wording, in_language

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from types import ModuleType

    from spielwerk.check.trial import Step, Trial

    ScriptT = TypeVar("ScriptT", bound=Callable[..., Awaitable[None]])

HERE = __package__ or ""


@cache
def toml_of(package: str, name: str) -> Mapping[str, Any]:
    """A file of a package; empty if there is none."""
    file = files(package).joinpath(name)
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


class Scripts(dict[str, "Callable[..., Awaitable[None]]"]):
    """What the cases of a protocol do; used as a decorator it adds a coroutine by its name.

    An entry of a case has its steps in `does` (see `Trial.take`), or names a script there, unless
    that is called as the case itself, with its arguments in `with`; `like` names a case about the
    same sentence of the document. `state` in the file has steps that several cases begin with.
    """

    def __call__(self, script: ScriptT) -> ScriptT:
        """Add a script."""
        self[script.__name__.strip("_").replace("_", "-")] = script
        return script

    def case(self, one: Mapping[str, Any]) -> Case:
        """The case of an entry."""
        document, _, section = one["source"].partition(" ")
        title = sentence("", "document", document, {})
        place = f", {section}" if section else ""
        does = one.get("does") or one["name"].replace("/", "-")
        work = in_steps(does) if isinstance(does, list) else self[does]
        work = partial(work, **one.get("with", {}))

        def both(name: str) -> Wording:
            return Wording(one.get(name, ""), one.get(f"{name}_de", ""))

        async def run(trial: Any) -> None:
            trial.case = one["name"]
            trial.only_advice = one.get("advice", False)
            await trial.carry_out(work)

        source = Wording(f"{title}{place}", f"{title.de}{place}")
        flags = {flag: one.get(flag, False) for flag in ("decided", "alone", "started")}
        case = Case(one["name"], both("rule"), source, run, **flags)
        return replace(case, says=both("says"), why=both("why"))

    def cases(self, package: str, *_: ModuleType, file: str = "cases.toml") -> list[Case]:
        """The cases of a package's file, in its order; their scripts are in these modules."""
        content = toml_of(package, file)
        listed = content.get("case", ())
        self |= {name: in_steps(steps) for name, steps in content.get("state", {}).items()}
        known = {one["name"]: one for one in listed}
        return [self.case({**_quoted(known.get(one.get("like"), {})), **one}) for one in listed]


def in_steps(steps: Sequence[Step]) -> Callable[[Trial], Awaitable[None]]:
    """A script that takes one step after the other."""

    async def walk(trial: Trial) -> None:
        for step in steps:
            await trial.take(step)

    return walk


def _quoted(like: Mapping[str, Any]) -> dict[str, Any]:
    """What an entry takes over from one that is `like` it: the place, its sentence, and why."""
    shared = ("source", "says", "says_de", "why", "why_de")
    return {name: like[name] for name in shared if name in like}


def sentence(package: str, group: str, code: str, values: Mapping[str, object]) -> Wording:
    """A `problem`, a `hint`, an `event` or a `moment` by its code, with its values."""
    places = [(place, "sentences.toml") for place in (package, HERE) if place]
    for place, file in (*places, (HERE, "behaviour.toml")):
        found = toml_of(place, file).get(group, {}).get(code)
        if found:
            return _filled(found, values)
    raise LookupError(f"there is no {group} {code!r} in sentences.toml")


def label(code: str, **values: object) -> Wording:
    """What a report says besides: a text of `labels.toml` with its values."""
    return _filled(toml_of(HERE, "labels.toml")[code], values)


def has_label(code: str) -> bool:
    """Whether there is such a text."""
    return code in toml_of(HERE, "labels.toml")


def _filled(found: Mapping[str, str], values: Mapping[str, object]) -> Wording:
    german = {
        name: in_language(value, "de") if isinstance(value, str) else value
        for name, value in values.items()
    }
    return Wording(found["en"].format(**values), found["de"].format(**german))
