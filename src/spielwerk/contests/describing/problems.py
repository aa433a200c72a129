"""What can be wrong with the description of a contest."""

from __future__ import annotations

from typing import Final

from spielwerk.errors import SpielwerkError, printable

LONGEST: Final = 500  # characters of a part


class DescriptionError(SpielwerkError, ValueError):
    """A description that no contest can be made of: where it is wrong, what, and what to do.

    It is one line, not too long, whatever the parts are made of.
    """

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.parts = parts

    def __str__(self) -> str:
        return ": ".join(map(_in_line, self.parts))


def _in_line(text: str) -> str:
    """The text in one line; what is too much is taken out of its middle."""
    line, half = printable(text), LONGEST // 2
    return line if len(line) <= LONGEST else f"{line[:half]} ... {line[-half:]}"
