"""What a section of settings is: a model whose values are checked, with sentences for people.

A service's section stands beside the service; `spielwerk.app.settings` puts all of them together.
"""

from __future__ import annotations

import re
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    Self,
    TypeVar,
    cast,
    get_origin,
)

from annotated_types import Ge, Le, MinLen
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Strict,
    ValidationError,
    field_validator,
)

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic import ValidationInfo
    from pydantic.fields import FieldInfo

Mark = TypeVar("Mark")

WHOLE: Final = re.compile(r"-?[0-9]{1,18}")
DAY: Final = 24 * 3600.0

_PASSWORD: Final = re.compile(
    r"(://[^:/@]*:)(.*)(?=@)|((?:^|[?&])[a-z_]*password=)[^&]*", re.IGNORECASE
)


class SettingError(SpielwerkError, ValueError):
    """A setting that does not exist, or a value that it cannot have; says where it was given."""

    def __init__(self, message: str, fitting: str = "") -> None:
        super().__init__(message)
        self.fitting = fitting  # what the value may be


class OneOf(NamedTuple):
    """Marks a setting that has one of a few values."""

    values: tuple[Any, ...]


class Shown(NamedTuple):
    """Marks a setting that may hold a secret: how its text is shown."""

    text: Callable[[str], str]


def masked(url: str) -> str:
    """The URL without the password that may stand in it."""
    return _PASSWORD.sub(lambda found: f"{found[1] or found[3]}***", url)


def parse_port(text: str) -> int:
    """Read the number of a port, or raise ValueError."""
    number = int(text) if WHOLE.fullmatch(text) else -1
    if not 0 <= number <= 65535:
        raise ValueError(f"{quote(text)} is no port: 0 (any free one) to 65535")
    return number


def checked(check: Callable[[str], object]) -> AfterValidator:
    """Mark a text that `check` has to accept; it raises ValueError with what is allowed."""

    def keep(text: str) -> str:
        check(text)
        return text

    return AfterValidator(keep)


Entry = Annotated[str, BeforeValidator(lambda value: str(value) if type(value) is int else value)]
Texts = Annotated[tuple[Entry, ...], Strict(strict=False)]
Ports = Annotated[tuple[Annotated[Entry, checked(parse_port)], ...], Strict(strict=False)]


def setting(
    default: Any, meaning: str, low: float | None = None, high: float | None = None, **more: Any
) -> Any:
    """Declare a setting; `low` and `high` are the least and the greatest number."""
    return Field(default=default, description=meaning, ge=low, le=high, **more)


class Section(BaseModel):
    """The base of all sections; a value that does not fit is a SettingError."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)
    name: ClassVar[str]

    def __init__(self, **values: object) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            key, said = str(first["loc"][0]), first.get("ctx", {}).get("error")
            problem = str(said) if said else allowed(type(self).model_fields[key])
            what = f"{self.name}.{key} = {self.quoted(key, values[key])}"
            raise SettingError(f"{what}: {problem}", problem) from None

    @classmethod
    def about(cls) -> str:
        """What the section is for, in a sentence."""
        return cls.__doc__ or ""

    @field_validator("*")
    @classmethod
    def _check(cls, value: object, info: ValidationInfo) -> object:
        field = cls.model_fields[info.field_name or ""]
        texts = value if isinstance(value, tuple) else (value,)
        choices = marked(field, OneOf)
        if (choices and value not in choices.values) or not all(
            text.isprintable() for text in texts if isinstance(text, str)
        ):
            raise ValueError(allowed(field))
        return value

    @classmethod
    def quoted(cls, key: str, value: object) -> str:
        """The value as it may stand in a message."""
        return quote(cls.shown(key, str(value)))

    @classmethod
    def shown(cls, key: str, text: str) -> str:
        """The text without the secret that may stand in it."""
        mark = marked(cls.model_fields[key], Shown)
        return mark.text(text) if mark else text

    @classmethod
    def read(cls, key: str, text: str) -> object:
        """The value that a text stands for; one that stands for none is left as it is."""
        kind = kind_of(cls.model_fields[key])
        if kind is bool:
            return {"true": True, "false": False}.get(text.lower(), text)
        if kind is int and WHOLE.fullmatch(text):
            return int(text)
        if kind is tuple:
            return tuple(part.strip() for part in text.split(",") if part.strip())
        if kind is float:
            try:
                return float(text)
            except ValueError:
                return text
        return text

    def replaced(self, **values: object) -> Self:
        """The section with other values in some places."""
        return type(self)(**{**dict(self), **values})


class ServiceSettings(Section):
    """The base of the sections of services: each has ports."""

    ports: Ports = Field(default=("0",), min_length=1)
    connections: int = setting(5000, "Most connections at once.", 1, 1_000_000)
    connections_each: int = setting(
        1_000_000,
        "Most connections of one address at once. When there is no room, the idlest connection of "
        "the address with most of them makes way.",
        1,
        1_000_000,
    )

    def numbers(self) -> list[int]:
        """The ports, where they are numbers and nothing else."""
        return [parse_port(text) for text in self.ports]

    @property
    def table_options(self) -> Mapping[str, int]:
        """The options of a new table that the settings choose."""
        return {}


def kind_of(field: FieldInfo) -> type:
    """The plain type of a setting's value."""
    return cast("type", get_origin(field.annotation) or field.annotation)


def marked(field: FieldInfo, kind: type[Mark]) -> Mark | None:
    """The mark or limit of this kind that the setting has."""
    return next((one for one in field.metadata if isinstance(one, kind)), None)


def limits(field: FieldInfo) -> tuple[Any, Any] | None:
    """The least and the greatest value of a number."""
    low, high = marked(field, Ge), marked(field, Le)
    return (low.ge, high.le) if low and high else None


def allowed(field: FieldInfo) -> str:
    """What the value may be, in words."""
    if choices := marked(field, OneOf):
        return f"must be one of {', '.join(map(str, choices.values))}"
    low, high = limits(field) or (0, 0)
    kind = kind_of(field)
    if kind is bool:
        return "must be true or false"
    if kind is int:
        return f"must be a whole number from {low:.0f} to {high:.0f}"
    if kind is float:
        return f"must be a number from {low:g} to {high:g}"
    if kind is str:
        return "must be a text in one line"
    least = marked(field, MinLen)
    return f"must be a list of texts{f' with at least {least.min_length} of them' if least else ''}"
