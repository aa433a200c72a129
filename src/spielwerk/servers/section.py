"""What a setting is: a default, a range or a choice, a meaning; and a section of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Callable

Value = bool | int | float | str | tuple[str, ...]

WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
_PASSWORD: Final = re.compile(
    r"(://[^:/@]*:)(.*)(?=@)|((?:^|[?&])[a-z_]*password=)[^&]*", re.IGNORECASE
)


class SettingError(SpielwerkError, ValueError):
    """A setting that does not exist, or a value that it cannot have; says where it was given."""


class Unfit(ValueError):
    """A value that a setting cannot have; the text says what is allowed."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is fixed about a setting; for a list, `low` is how many entries it needs."""

    name: str
    default: Value
    meaning: str
    low: float = 0
    high: float = 0
    choices: tuple[Value, ...] = ()
    check: Callable[[str], object] | None = None  # of a text, or of each entry of a list
    secret: bool = False  # the text may hold a password
    hidden: bool = False  # the text is one

    @property
    def allowed(self) -> str:
        """What the value may be, in words."""
        if self.choices:
            return f"must be one of {', '.join(map(str, self.choices))}"
        match self.default:
            case bool():
                return "must be true or false"
            case int():
                return f"must be a whole number from {self.low:.0f} to {self.high:.0f}"
            case float():
                return f"must be a number from {self.low:g} to {self.high:g}"
            case str():
                return "must be a text in one line"
            case _:
                least = f" with at least {self.low:.0f} of them" if self.low else ""
                return f"must be a list of texts{least}"

    def read(self, text: str) -> Value:
        """The value that a text stands for, or Unfit; entries of a list are parted by commas."""
        match self.default:
            case bool() if text.lower() in ("true", "false"):
                return text.lower() == "true"
            case bool():
                raise Unfit(self.allowed)
            case int():
                return self.accept(int(text) if WHOLE.fullmatch(text) else text)
            case float():
                return self.accept(_number(text))
            case str():
                return self.accept(text)
            case _:
                return self.accept([part.strip() for part in text.split(",") if part.strip()])

    def accept(self, value: object) -> Value:
        """The value as the setting keeps it, or Unfit."""
        if isinstance(self.default, tuple):
            return self._accept_list(value)
        known = type(value) is type(self.default)
        if isinstance(self.default, float):
            known = type(value) in (int, float)
        if not known or (self.choices and value not in self.choices):
            raise Unfit(self.allowed)
        if isinstance(value, str):
            self._check(value)
        elif self.high and not self.low <= cast("float", value) <= self.high:
            raise Unfit(self.allowed)
        return (
            float(cast("float", value)) if isinstance(self.default, float) else cast("Value", value)
        )

    def _accept_list(self, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) < self.low:
            raise Unfit(self.allowed)
        texts = [str(entry) if type(entry) is int else entry for entry in value]
        for text in texts:
            if not isinstance(text, str):
                raise Unfit(self.allowed)
            self._check(text)
        return tuple(texts)

    def _check(self, text: str) -> None:
        if not text.isprintable():
            raise Unfit(self.allowed)
        if self.check:
            self.check(text)

    def quoted(self, value: object) -> str:
        """The value as it may stand in a message."""
        return quote(self.shown(value if isinstance(value, str) else str(value)))

    def shown(self, text: str) -> str:
        """The text without what nobody may read in it."""
        if self.hidden and text:
            return "***"
        return masked(text) if self.secret else text


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def masked(url: str) -> str:
    """The URL without the password that may stand in it."""
    return _PASSWORD.sub(lambda found: f"{found[1] or found[3]}***", url)


def setting(default: Any, meaning: str, **facts: Any) -> Any:
    """Declare a field of a section."""
    shown = not facts.get("hidden", False)
    return field(default=default, repr=shown, metadata={"meaning": meaning, **facts})


class Section:
    """The base of all sections: whoever makes one by hand is told what does not fit."""

    name: ClassVar[str]

    def __post_init__(self) -> None:
        for one in self.settings():
            value = getattr(self, one.name)
            try:
                one.accept(value)
            except Unfit as unfit:
                where = f"{self.name}.{one.name}"
                raise SettingError(f"{where} = {one.quoted(value)}: {unfit}") from None

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """What can be set here."""
        return tuple(
            Setting(f.name, cast("Value", f.default), **f.metadata)
            for f in fields(cast("Any", cls))
        )
