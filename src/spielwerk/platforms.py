"""Systems differ: what cannot work on one of them says so in a sentence."""

from __future__ import annotations

import sys

from spielwerk.errors import UsageError


def require_posix(what: str) -> None:
    """Raise UsageError on Windows, for what is built on the processes and signals of POSIX."""
    if sys.platform == "win32":
        lacking = "needs processes and signals as POSIX has them, and Windows does not"
        raise UsageError(f"{what} {lacking}; run it on Linux or macOS, or in WSL")
