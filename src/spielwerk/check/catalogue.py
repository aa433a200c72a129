"""What programs can be checked for: an entry a protocol and role, for commands and pages."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from spielwerk.errors import UsageError, quote
from spielwerk.games import built_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spielwerk.check.case import Case, Wording
    from spielwerk.check.trial import CheckSettings, Trial

SHARED: Final = ("spielwerk.check.mnm:CHECK",)  # of protocols that several games have


class PreparedCheck(NamedTuple):
    """The cases, and what carries each of them out."""

    cases: list[Case]
    trial: Callable[[CheckSettings], Trial]


@dataclass(frozen=True, slots=True)
class ProgramCheck:
    """A check of programs; choices are settings with their values, the usual one first.

    A protocol's package has one as its `CHECK`; `SHARED` or the game's kit names it.
    """

    name: str  # as in `spielwerk check NAME`
    title: Wording
    example: str  # a command with placeholders
    choices: Callable[[], Mapping[str, Sequence[str]]]
    prepare: Callable[[Mapping[str, str]], PreparedCheck]

    def chosen(self, wishes: Mapping[str, str | None]) -> dict[str, str]:
        """A value for every choice: the wished one, or the usual; UsageError for others."""
        choices = self.choices()
        made = {name: wishes.get(name) or values[0] for name, values in choices.items()}
        for name, value in made.items():
            if value not in choices[name]:
                known = ", ".join(choices[name])
                raise UsageError(f"{name} {quote(value)}: there are {known}")
        return made


def catalogue() -> dict[str, ProgramCheck]:
    """All checks of programs by name."""
    places = [*SHARED, *(place for kit in built_in().values() for place in kit.checks)]
    found: list[ProgramCheck] = []
    for place in places:
        module, _, name = place.partition(":")
        found.append(getattr(import_module(module), name))
    return {check.name: check for check in found}
