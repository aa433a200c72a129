"""An exclusive lock on an open file that ends with the process, however it ends.

Systems differ only here: everything else in the store is the same everywhere.
"""

from __future__ import annotations

import sys
from typing import IO, Final

if sys.platform == "win32":
    import msvcrt

    AWAY: Final = 2**30  # a byte that is never read: locked ones cannot be

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if another has it."""
        file.seek(AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True

    def is_locked(file: IO[str]) -> bool:
        """Whether another has locked the file; while this is asked none can."""
        if not try_to_lock(file):
            return True
        file.seek(AWAY)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        return False

else:
    import fcntl

    def try_to_lock(file: IO[str]) -> bool:
        """Lock the file until it is closed; False if another has it."""
        return _takes(file, fcntl.LOCK_EX)

    def is_locked(file: IO[str]) -> bool:
        """Whether another has locked the file; while this is asked none can."""
        free = _takes(file, fcntl.LOCK_SH)  # shared: two checks must not see each other
        if free:
            fcntl.flock(file, fcntl.LOCK_UN)
        return not free

    def _takes(file: IO[str], kind: int) -> bool:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
