"""Every key of a description: where it stands, and what it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, create_model

from spielwerk.contests.contest import NAME_LIMIT, Format, Order, Phase
from spielwerk.contests.values import (
    DescriptionError,
    choice,
    flag,
    likely,
    milliseconds,
    name,
    seconds,
    shown,
    size,
    some,
    text,
    whole,
)
from spielwerk.errors import quote
from spielwerk.games import contest_facts, kits
from spielwerk.games.kit import MNM
from spielwerk.store.contest_records import FORFEITS
from spielwerk.wire.mnm.server import Pace
from spielwerk.wire.mnm.words import DIALECTS
from spielwerk.wire.options import options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ENTRANT: Final = "entrant"
LIMITS: Final = "limits"
DAY: Final = 24 * 3600.0  # seconds
TERABYTE: Final = 1000**4
LINE: Final = 4096  # characters


def _key(accept: Callable[[object], Any], alias: str | None = None) -> Any:
    return Annotated[Any, PlainValidator(accept), Field(default=None, alias=alias)]


class KeyTable(BaseModel):
    """A table of a description, with the keys that it may have."""

    model_config = ConfigDict(extra="forbid")


def _section(title: str, **keys: Any) -> Any:
    return Annotated[create_model(title, __base__=KeyTable, **keys), Field(default=None)]


WIRE: Final = {
    key: choice(options_of(game)[key]) for game in kits() for key in contest_facts(game).wire
}
"""How we speak to a program, or to all, where the protocol has a choice."""

_TIMES: Final = {
    "move_time": _key(milliseconds(0.01, DAY), "move"),
    "start": _key(seconds(0.1, 3600)),
    "total": _key(seconds(0.1, 365 * DAY), "game"),
}
_LIMITS: Final = {
    "memory": _key(size(1000**2, TERABYTE)),
    "processes": _key(whole(1, 100_000)),
    "cpu": _key(seconds(0.1, 365 * DAY)),
    "output": _key(size(1, TERABYTE)),
    "files": _key(size(1, TERABYTE)),
}
_MNM: Final = {
    "dialect": _key(choice(DIALECTS)),
    "pace": _key(choice(map(str, Pace))),
}
_OWN: Final = {
    facts.section: {key: _key(WIRE[key]) for key in facts.wire}
    for facts in map(contest_facts, kits())
    if facts.wire
}
SECTIONS: Final[dict[str, dict[str, Any]]] = {
    "time": _TIMES,
    LIMITS: _LIMITS,
    MNM: _MNM,
    **_OWN,
}
"""The keys in sections, by the fields of the Contest (or of its Resources) that they fill."""

MAIN: Final[dict[str, Any]] = {
    "name": _key(name(NAME_LIMIT)),
    "game": _key(choice(kits())),
    "options": _key(some(text(40))),
    "format": _key(choice(Format)),
    "phase": _key(choice(Phase)),
    "rounds": _key(whole(0, 1_000_000)),
    "seed": _key(whole(0, 2**63 - 1)),
    "opening": _key(whole(0, 60)),
    "order": _key(choice(Order)),
    "disqualify": _key(some(choice(FORFEITS))),
    "bonus": _key(some(whole(0, 1_000_000))),
    "newcomers": _key(flag()),
}

ContestTable: Final = create_model(
    "ContestTable",
    __base__=KeyTable,
    **MAIN,
    **{title: _section(title, **keys) for title, keys in SECTIONS.items()},
)

EntrantTable: Final = create_model(
    "EntrantTable",
    __base__=KeyTable,
    name=_key(name(NAME_LIMIT)),
    engine=_key(text(LINE)),
    command=_key(text(LINE)),
    remote=_key(text(LINE)),
    open=_key(flag()),
    folder=_key(text(LINE)),
    strategy=_key(whole(0, 10**9 - 1)),
    depth=_key(whole(1, 9)),
    role=_key(choice(("join", "host"))),
    **{key: _key(accept) for key, accept in WIRE.items()},
    reference=_key(flag()),
)


def given(kind: type[KeyTable], where: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """What a table sets, by fields, in the order of the table; or DescriptionError.

    The error is about what comes first of all that is wrong.
    """
    try:
        table = kind.model_validate(content)
    except ValidationError as error:
        first = min(error.errors(), key=lambda problem: _place(problem["loc"], content))
        raise _told(kind, where, first) from None
    found: dict[str, Any] = {}
    for key, value in table.model_dump(exclude_unset=True).items():
        found |= value if isinstance(value, dict) else {key: value}
    return found


def _place(keys: tuple[str | int, ...], content: Any) -> list[int]:
    """How far down in the table a key stands, and in its section."""
    place = []
    for key in keys:
        place.append(list(content).index(key))
        content = content[key]
    return place


def _told(kind: type[KeyTable], where: str, problem: Any) -> DescriptionError:
    path, value = ".".join(problem["loc"]), problem["input"]
    if problem["type"] == "extra_forbidden":
        *section, last = problem["loc"]
        keys = kind.model_fields[section[0]].annotation if section else kind
        words = [field.alias or key for key, field in keys.model_fields.items()]  # type: ignore[union-attr]
        if kind is ContestTable and not section:
            words.append(ENTRANT)
        return DescriptionError(where, f"there is no key {quote(path)}; {likely(last, words)}")
    if problem["type"] in ("model_type", "model_attributes_type"):
        sentence = f"it is a section; write [{path}] and its keys below"
    else:
        sentence = str(problem["ctx"]["error"])
    return DescriptionError(where, f"{path} = {shown(value)}", sentence)


def paths() -> Iterator[tuple[str, str, str]]:
    """Every key of a contest: its section, its name, and the field that it fills."""
    yield from (("", key, key) for key in MAIN)
    for section, keys in SECTIONS.items():
        model: Any = ContestTable.model_fields[section].annotation
        for field in keys:
            yield section, model.model_fields[field].alias or field, field
