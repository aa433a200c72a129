"""A lock on an open file that nobody else can have, and that ends with the process, however.

Systems differ only here: everything else in the store is the same everywhere.
"""

from __future__ import annotations

import sys
from typing import IO, Final

if sys.platform == "win32":
    import msvcrt

    AWAY: Final = 2**30  # a byte that nobody reads: locked ones cannot be read

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if somebody else has it."""
        file.seek(AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True

else:
    import fcntl

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if somebody else has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
