"""Small projects to begin with, for each protocol and language; `spielwerk starter` writes them.

They lie in `LANGUAGE/PROTOCOL/`; a file `shared.txt` there names a folder of the language whose
files come along. What a course may want to leave open stands between marks, which no written
project has:

    // @task Say what is to be written here.
    ... the solution ...
    // @open
    //| what stands here instead when the task is left open; it must compile
    // @end

`#` marks the same in Python and Makefiles, `/* ... */` in C.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable
    from pathlib import Path

LANGUAGES: Final = ("c", "java", "python")
SHARED: Final = "shared.txt"

_MARK: Final = re.compile(r"(\s*)(//|#|/\*) @(task|open|end)\b ?(.*?)(?: ?\*/)?")
_INSTEAD: Final = re.compile(r"(\s*)(?://|#|/\*)\| ?(.*?)(?: ?\*/)?")


def protocols(language: str) -> list[str]:
    """The protocols that there is a starter for in a language."""
    shelf = _shelf(language).iterdir()
    return sorted(place.name for place in shelf if place.joinpath("README.md").is_file())


def _shelf(language: str) -> Traversable:
    if language not in LANGUAGES:
        raise UsageError(f"--language {quote(language)}: expected one of {', '.join(LANGUAGES)}")
    return files(__package__).joinpath(language)


def write_starter(protocol: str, language: str, folder: Path, *, skeleton: bool) -> list[Path]:
    """Write a project into a folder, which must be new or empty; its files."""
    if protocol not in protocols(language):
        known = ", ".join(protocols(language))
        raise UsageError(f"there is no starter {quote(protocol)} in {language}; there are {known}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--folder {quote(str(folder))}: it is there already, and not empty")
    written = []
    for name, text in sorted(_files(_shelf(language), protocol).items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made(text, skeleton=skeleton), encoding="utf-8", newline="\n")
        written.append(path)
    return written


def _files(shelf: Traversable, folder: str) -> dict[str, str]:
    """The files of a folder by name, with those of the folder that it shares."""
    found = dict(_texts(shelf.joinpath(folder)))
    shared = found.pop(SHARED, "").strip()
    return {**_files(shelf, shared), **found} if shared else found


def _texts(place: Traversable) -> Iterator[tuple[str, str]]:
    for one in place.iterdir():
        if one.is_file() and not one.name.endswith((".class", ".o", ".pyc")):
            yield one.name, one.read_text(encoding="utf-8")


def made(text: str, *, skeleton: bool) -> str:
    """A file without its marks: with the solutions, or with the tasks."""
    lines: list[str] = []
    part = ""  # of a task: task (the solution) or open (what stands there instead)
    for line in text.splitlines():
        mark = _MARK.fullmatch(line)
        if mark:
            part = "" if mark[3] == "end" else mark[3]
            if part == "task" and skeleton:
                lines.append(_comment(mark[1], mark[2], f"TODO: {mark[4]}"))
        elif part == "open":
            instead = _INSTEAD.fullmatch(line)
            if skeleton and instead:
                lines.append((instead[1] + instead[2]).rstrip())
        elif part != "task" or not skeleton:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _comment(indent: str, sign: str, text: str) -> str:
    return f"{indent}{sign} {text}{' */' if sign == '/*' else ''}"
