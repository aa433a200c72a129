"""What every message of the Connect Four protocol is: a header, and parameters after semicolons."""

from __future__ import annotations

import re
from dataclasses import fields
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final, get_type_hints

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

SEPARATOR: Final = ";"
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


class MessageError(SpielwerkError, ValueError):
    """A line that is no message, or not the one with these parameters."""


class Message:
    """The base of all messages."""

    header: ClassVar[str]

    def parameters(self) -> list[str]:
        """The parameters as they stand on the wire."""
        return [str(getattr(self, field.name)) for field in fields(self)]  # type: ignore[arg-type]

    @classmethod
    def read(cls, parameters: Sequence[str]) -> Self:
        """The message with these parameters, or MessageError."""
        kinds = _kinds(cls)
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        if len(parameters) != len(names):
            problem = f"takes {_parameters(len(names))}, {len(parameters)} came"
            raise MessageError(f"{cls.header} {problem}")
        values = zip(names, parameters, strict=True)
        return cls(**{name: _value(cls, name, kinds[name], text) for name, text in values})

    def __str__(self) -> str:
        return SEPARATOR.join([self.header, *self.parameters()])


def _parameters(count: int) -> str:
    return f"{count} parameter{'' if count == 1 else 's'}"


_KINDS: Final[dict[type[Message], dict[str, type[object]]]] = {}


def _kinds(kind: type[Message]) -> dict[str, type[object]]:
    """The types of a message's parameters, kept because looking them up is slow."""
    if kind not in _KINDS:
        _KINDS[kind] = get_type_hints(kind)
    return _KINDS[kind]


def _value(kind: type[Message], name: str, wanted: type[object], text: str) -> object:
    if wanted is int:
        return number(kind.header, name, text)
    if issubclass(wanted, StrEnum):
        if text not in list(wanted):
            allowed = " nor ".join(wanted)
            raise MessageError(f"{kind.header}: {name} is {quote(text)}, neither {allowed}")
        return wanted(text)
    return text


def number(header: str, name: str, text: str) -> int:
    """A number without sign and blanks, or MessageError."""
    if not _NUMBER.fullmatch(text):
        raise MessageError(f"{header}: {name} is {quote(text)}, not a number without blanks")
    return int(text)


def require_plain(text: str) -> None:
    """Raise MessageError if the text cannot be a parameter."""
    if SEPARATOR in text or "\n" in text or "\r" in text:
        raise MessageError(f"{quote(text)} must not contain semicolons or line breaks")


def plain(text: str) -> str:
    """Any text, made fit to be a parameter: for explanations that quote strangers."""
    return re.sub(r"[;\r\n]", " ", text)
