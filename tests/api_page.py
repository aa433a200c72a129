"""The page about the public API, made from the docstrings; `make api` writes it anew."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import spielwerk

PAGE: Final = Path(__file__).parent.parent / "docs" / "api.md"
GROUPS: Final = {
    "Bots": ("Bot", "Position", "run_bot"),
    "Games": ("find_game", "Game", "State", "Outcome", "Record"),
    "Engines": ("find_engine", "Engine", "Limits"),
    "Errors": ("SpielwerkError", "IllegalMove", "NotationError"),
}
HEAD: Final = """\
# The Python API

`from spielwerk import *` has what is on this page, with type hints; all examples begin with it, and
are tested. Everything else may change from one version to the next. [first-bot.md](first-bot.md)
shows how a bot is made, [games.md](games.md) how each game writes its moves and positions. This
page is made from the docstrings (`make api`).
"""

_FIELD: Final = re.compile(r"    ([a-z]\w*): ([^=#]+?)(?: = (.+?))?(?:  # (.*))?")


class Bare(str):
    """An annotation that is shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def page() -> str:
    """The whole page."""
    contents = "\n".join(f"- {title}: {_links(names)}" for title, names in GROUPS.items())
    parts = [HEAD, contents + "\n"]
    for title, names in GROUPS.items():
        parts.append(f"## {title}\n")
        for name in names:
            parts += _section(name, getattr(spielwerk, name))
    return "\n".join(parts)


def _links(names: tuple[str, ...]) -> str:
    return ", ".join(f"[`{name}`](#{name.lower()})" for name in names)


def _section(name: str, thing: Any) -> Iterator[str]:
    yield f"### {name}\n"
    if not inspect.isclass(thing):
        yield f"`{name}{_signature(thing)}`\n"
        yield described(thing)
        return
    bases = [base.__name__ for base in thing.__bases__ if base.__module__ != "abc"]
    yield described(thing)
    if issubclass(thing, spielwerk.SpielwerkError) and bases != ["Exception"]:
        yield f"It is a {' and a '.join(f'`{base}`' for base in bases)}.\n"
    yield from _fields(thing)
    for member, value in vars(thing).items():
        if not member.startswith("_"):
            yield from _member(f"{name}.{member}", value)


def _fields(thing: type) -> Iterator[str]:
    """The attributes with their types and the comments behind them, as a table."""
    found = [_FIELD.fullmatch(line) for line in inspect.getsource(thing).splitlines()]
    rows = [one.groups("") for one in found if one]
    if rows:
        yield "| attribute | type | if not given | |\n|---|---|---|---|"
        for name, kind, default, comment in rows:
            known = f"`{default}`" if default and not default.startswith("field(") else ""
            kind = re.sub(r"^ClassVar\[(.*)\]$", r"\1", kind).replace("|", "\\|")
            yield f"| `{name}` | `{kind}` | {known} | {comment} |"
        yield ""


def _member(name: str, value: Any) -> Iterator[str]:
    """A method or a property."""
    if isinstance(value, property | cached_property):
        function = value.fget if isinstance(value, property) else value.func
        assert function is not None
        kind = Bare(inspect.signature(function).return_annotation)
        yield f"- **`{name}: {kind}`**: {_inside(function)}"
    elif isinstance(value, classmethod) or inspect.isfunction(value):
        function = value.__func__ if isinstance(value, classmethod) else value
        how = " (of the class)" if isinstance(value, classmethod) else ""
        yield f"- **`{name}{_signature(function, method=True)}`**{how}: {_inside(function)}"


def _signature(function: Any, *, method: bool = False) -> str:
    found = inspect.signature(function)
    shown = [one.replace(annotation=Bare(one.annotation)) for one in found.parameters.values()]
    result = Bare(found.return_annotation)
    return str(found.replace(parameters=shown[method:], return_annotation=result))


def _inside(function: Any) -> str:
    """The docstring as a point of a list has it."""
    return described(function).replace("\n\n", "\n\n  ").replace("\n```", "\n  ```")


def described(thing: Any) -> str:
    """The docstring, its examples in fences."""
    paragraphs = (inspect.getdoc(thing) or "").split("\n\n")
    fenced = [f"```python\n{one}\n```" if one[:3] == ">>>" else one for one in paragraphs]
    return "\n\n".join(fenced) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
