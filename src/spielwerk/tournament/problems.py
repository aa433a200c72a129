"""What can be wrong with the description of a contest."""

from __future__ import annotations

from spielwerk.errors import SpielwerkError


class DescriptionError(SpielwerkError, ValueError):
    """A description that no contest can be made of: where it is wrong, what, and what to do."""

    def __init__(self, *parts: str) -> None:
        super().__init__(*parts)
        self.parts = parts

    def __str__(self) -> str:
        return ": ".join(self.parts)
