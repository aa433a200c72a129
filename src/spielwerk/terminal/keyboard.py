"""Asking the person at the keyboard."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

with suppress(ImportError):  # not on every system; where it is, `input` lets people edit the line
    import readline  # noqa: F401

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")


def ask(console: Console, prompt: Text) -> str:
    """The line that somebody types, without blanks around it; EOFError when there is none."""
    if not (console.is_terminal and sys.stdin.isatty()):
        return console.input(prompt).strip()
    with console.capture() as capture:
        console.print(prompt, end="")
    # The line editor must not count colours as columns.
    return input(_COLOURS.sub("\x01\\g<0>\x02", capture.get())).strip()
