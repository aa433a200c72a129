"""A person at the keyboard: a console that reads given lines and keeps what it shows."""

from __future__ import annotations

import io

from rich.console import Console
from rich.text import Text


class Keyboard(Console):
    """A console for tests; when the lines are used up it raises what `then` says."""

    def __init__(
        self,
        *lines: str,
        then: type[BaseException] = EOFError,
        width: int = 10_000,
    ) -> None:
        super().__init__(file=io.StringIO(), width=width, force_terminal=False, highlight=False)
        self.lines = list(lines)
        self.then = then

    def input(self, prompt: str | Text = "", **_: object) -> str:
        self.print(prompt, end="")
        if not self.lines:
            raise self.then
        return self.lines.pop(0)

    @property
    def shown(self) -> str:
        """Everything shown so far, wide lines unbroken."""
        file = self.file
        assert isinstance(file, io.StringIO)
        return file.getvalue()
