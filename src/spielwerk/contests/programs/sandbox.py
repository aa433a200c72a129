"""The sandbox: bubblewrap keeps a program from the network, from other programs and from files.

Each program has a network of its own with nothing in it but a loopback, where it reaches its own
seat (`spielwerk.contests.programs.network`). It sees a read-only system without homes, without
the contest and without other processes, and writes to its own folder and /tmp only, which are on a
small disk of its own, in memory. Of all other files it sees those that its command names; a program
that needs more has to be given a `folder`.
"""

from __future__ import annotations

import functools
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import spielwerk
from spielwerk.errors import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROGRAM: Final = "bwrap"
PATIENCE: Final = 20.0  # seconds for it to start something
_LEAST: Final = 1_000_000  # bytes of a disk to try it with
WRAPPERS: Final = 4  # processes around a program: bubblewrap, the gate, and bubblewrap twice

# Where systems keep programs and what they need; not among it: homes, /var, /run, /srv, /tmp.
_SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt",
    "/nix/store", "/gnu/store", "/sys/devices/system/cpu",
)  # fmt: skip
_SOME_PRIVATE: Final = "/etc"  # where not all users may read everything
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - its own, as is the next
_TEMPORARY: Final = "/tmp"  # noqa: S108
DISK: Final = _SHARED_MEMORY  # where the gate has the program's disk: it is there on every system
_WORK, _SCRATCH = f"{DISK}/work", f"{DISK}/scratch"
_ALONE: Final = ("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_POWERLESS: Final = ("--new-session", "--die-with-parent", "--cap-drop", "ALL")


def gate_command(script: str, control: int, disk: int) -> list[str]:
    """The command that runs a gate in a network of its own, with a disk of so many bytes."""
    return [*_alone(disk), sys.executable, "-I", "-S", script, str(control)]


def _alone(disk: int) -> list[str]:
    return [
        *(_bubblewrap(), "--unshare-net", "--dev-bind", "/", "/"),
        *("--size", str(disk), "--tmpfs", DISK, "--dir", _WORK, "--dir", _SCRATCH),
        *("--die-with-parent", "--"),
    ]


def program_command(
    command: Sequence[str],
    folder: str,
    readable: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> list[str]:
    """The command with which a gate runs a program; its files are in the folder of this name.

    What is readable is so at its own place; what is hidden is so even if it is part of the system.
    """
    files, folders = _private()
    empty = [*folders, *(place for place in hidden if _is_below(place, _SYSTEM))]
    missing = [path for path in readable if not _is_visible(path) or _is_below(path, empty)]
    return [
        _bubblewrap(),
        *_ALONE,
        *_POWERLESS,
        *_bound("--ro-bind-try", _SYSTEM),
        *_each("--tmpfs", empty),
        *(word for file in files for word in ("--ro-bind", os.devnull, file)),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--bind", _SCRATCH, _TEMPORARY, "--bind", _SCRATCH, _SHARED_MEMORY),
        *_bound("--ro-bind-try", (*_ourselves(), *missing)),
        *("--bind", _WORK, folder),
        *_each("--remount-ro", ("/", "/dev", *empty)),
        *("--chdir", folder, "--"),
        *command,
    ]


def search_path(search: str) -> str:
    """What a PATH is good for in the sandbox."""
    return os.pathsep.join(filter(_is_visible, search.split(os.pathsep)))


def _bubblewrap() -> str:
    return shutil.which(PROGRAM) or PROGRAM


def _each(option: str, values: Sequence[str]) -> Iterator[str]:
    for value in values:
        yield from (option, value)


def _bound(option: str, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        yield from (option, path, path)


def _is_visible(path: str) -> bool:
    return _is_within(path, (*_SYSTEM, *_ourselves()))


def _is_within(path: str, places: Sequence[str]) -> bool:
    return path in places or _is_below(path, places)


def _is_below(path: str, places: Sequence[str]) -> bool:
    return any(place in Path(path).parents for place in map(Path, places))


@functools.cache
def _ourselves() -> tuple[str, ...]:
    """Where our Python and this package are, so that our own players can take part."""
    places = (sys.prefix, sys.base_prefix, str(Path(spielwerk.__file__).parent))
    return tuple(place for place in dict.fromkeys(places) if not _is_within(place, _SYSTEM))


@functools.cache
def _private() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and the folders of the system that not all users may read, if we may.

    If root runs a contest, programs are root, too: without power, but able to read what is root's.
    """
    files: list[str] = []
    folders: list[str] = []
    for place, inner, names in os.walk(_SOME_PRIVATE):
        closed = [name for name in inner if _is_private(f"{place}/{name}", stat.S_IXOTH)]
        inner[:] = [name for name in inner if name not in closed]
        folders += (f"{place}/{name}" for name in closed)
        files += (f"{place}/{name}" for name in names if _is_private(f"{place}/{name}"))
    return tuple(files), tuple(folders)


def _is_private(path: str, also: int = 0) -> bool:
    wanted = stat.S_IROTH | also
    try:
        mode = os.lstat(path).st_mode
    except OSError:  # gone meanwhile
        return False
    return not stat.S_ISLNK(mode) and mode & wanted != wanted and os.access(path, os.R_OK)


# whether it works


@functools.cache
def available() -> str | None:
    """None if programs can be put into the sandbox here, or else why not; it is tried once."""
    if sys.platform != "linux":
        return f"the sandbox needs Linux, and this is {sys.platform}"
    if shutil.which(PROGRAM) is None:
        return f"the sandbox needs bubblewrap, and there is no {PROGRAM}; install bubblewrap"
    with tempfile.TemporaryDirectory() as folder:
        command = [*_alone(_LEAST), *program_command(["true"], folder)]
        try:
            ran = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
            said = ran.stderr.decode(errors="replace").strip() or f"exit {ran.returncode}"
        except (OSError, subprocess.TimeoutExpired) as error:
            ran, said = None, str(error)
    if ran and not ran.returncode:
        return None
    problem = f"the sandbox does not start ({printable(said)})"
    return f"{problem}; the system must allow user namespaces"
