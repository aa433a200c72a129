"""The command `spielwerk`: one file a command.

Exit codes are 0, 1 (failed) and 2 (usage).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; errors are one line on stderr, also if Ctrl-C comes at once."""
    try:
        from spielwerk.cli.app import run  # takes a moment, in which Ctrl-C may come

        run(arguments)
    except KeyboardInterrupt:
        print("spielwerk: interrupted", file=sys.stderr)  # noqa: T201 - typer may not be there yet
        sys.exit(1)
