"""Command lines of entrants: all that can be known of them before a process is started.

They are split as a shell would do it, but never run by a shell. Placeholders are filled in, files
found, and whatever stands against running a program is told. Every mistake is Unfit.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from spielwerk.contests.keys import Unfit, likely, sized, titles
from spielwerk.errors import quote
from spielwerk.games import contest_facts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from spielwerk.contests.contest import Contest, Entrant


PLACEHOLDERS: Final = ("host", "port", "game", "player", "seat", "name", "folder")
INDEX: Final = ("index_host", "index_port")  # where programs find games, if there is such a server

LARGEST_FOLDER: Final = 64_000_000  # bytes, copied for every game

_SHEBANG: Final = b"#!"
_FIRST_LINE: Final = 256  # bytes; the kernel reads no more of it

_BRACES: Final = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_WRAPPERS: Final = {"env", "nice", "nohup", "setsid", "stdbuf", "timeout"}  # start another program
_OF_WRAPPERS: Final = re.compile(r"-[a-z]\w*|\w+=.*|[0-9.]+[smhd]?", re.DOTALL)
_INTERPRETERS: Final = re.compile(r"(python|pypy|perl|ruby|lua|php)[0-9.]*|(ba|da|k|z)?sh")
_FLAGS: Final = re.compile(r"-[bBdEiOPqsSuvwx]+")  # that take no word behind them anywhere


def split(command: str) -> list[str]:
    """The words of a command line, placeholders as they stand."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise Unfit(f"{str(error).lower()}; quotes work as in a shell") from None
    if not words or not words[0]:
        raise Unfit("there is no command")
    return words


# placeholders


def check_placeholders(command: str, game: str) -> None:
    """Raise Unfit if the command has placeholders that nothing is filled in for."""
    has_index = contest_facts(game).has_index
    known = [*PLACEHOLDERS, *INDEX] if has_index else PLACEHOLDERS
    for word in split(command):
        for name in _placeholders(word):
            if name in INDEX and name not in known:
                raise Unfit(f"only {titles('has_index')} has an index server and so {{{name}}}")
            _check_known(name, known)


def missing_port(command: str, game: str, *, hosts: bool) -> str:
    """The placeholder without which a program is not told its port; empty if it is told."""
    ways: tuple[str, ...] = ("port",)
    if contest_facts(game).has_index:
        ways = ("index_port",) if hosts else ("index_port", "port")
    told = {name for word in split(command) for name in _placeholders(word)}
    return "" if told.intersection(ways) else " or ".join(f"{{{name}}}" for name in ways)


def _placeholders(word: str) -> list[str]:
    """What stands in braces; a doubled brace is a brace."""
    found = [*_BRACES.finditer(word)]
    if any(match[0] in ("{", "}") for match in found):
        problem = f"a brace in {quote(word)} has no counterpart; write {{{{ or }}}} for a brace"
        raise Unfit(problem)
    return [match[1] for match in found if match[1] is not None]


def _check_known(name: str, known: Collection[str]) -> None:
    if name not in known:
        raise Unfit(f"there is no placeholder {quote(f'{{{name}}}')}; {likely(name, known)}")


def filled(word: str, known: Mapping[str, str]) -> str:
    """The word with its placeholders filled in, or Unfit if one is not known."""
    for name in _placeholders(word):
        _check_known(name, known)
    return _BRACES.sub(lambda match: match[0][0] if match[1] is None else known[match[1]], word)


# paths


def command_line(command: str, known: Mapping[str, str], base: Path | None) -> list[str]:
    """The words of a command, with every placeholder filled in.

    With a base, the first word is looked for there if it has a slash, and so are other words that
    look like a file and name one there. A plain word never does: `client` in `spielwerk client` or
    a `{name}` may well be the name of a file, but does not mean it.
    """
    words = split(command)
    texts = [filled(word, known) for word in words]
    if base is None:
        return texts
    pairs = zip(words[1:], texts[1:], strict=True)
    return [_program(base, texts[0]), *(_argument(base, word, text) for word, text in pairs)]


def _program(base: Path, word: str) -> str:
    return str(base / word) if "/" in word else word


def _argument(base: Path, word: str, text: str) -> str:
    return str(base / text) if _looks_like_a_file(word) and _is_file(base / text) else text


def _looks_like_a_file(word: str) -> bool:
    """Whether it has a slash, or a dot as in bot.py; the dot could be of what is filled in."""
    return "/" in word or ("." in word and "{" not in word)


def plain_words(command: str, base: Path) -> list[str]:
    """The words behind the program that name files there, but do not look like it."""
    return [
        word
        for word in split(command)[1:]
        if word[:1].isalnum() and not _looks_like_a_file(word) and _is_file(base / word)
    ]


def named_files(words: Sequence[str]) -> list[str]:
    """The words that name files by their whole path: what a program needs to see of the system."""
    return [word for word in words if word.startswith("/") and _is_file(Path(word))]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # too long for a name, for instance
        return False


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


# what can be run


def check_program(command: str, name: str, base: Path, folder: str) -> None:
    """Raise Unfit unless the command's program is there and can be run, and its script is there."""
    words = split(command)
    first = words[0]
    known = {"folder": str(base), "name": name}
    if not known.keys() >= {*_placeholders(first)}:
        raise Unfit("the first word is the program; only {folder} and {name} can stand in it")
    where = Path(folder or base)
    word = _program(where, filled(first, known))
    problem = obstacle(word, where, os.environ.get("PATH", os.defpath))
    if problem and "/" not in word:
        here = _is_file(where / word)
        problem += (
            f"; write ./{word} for the one here" if here else "; install it, or write its path"
        )
    if problem:
        raise Unfit(f"{quote(word)}: {problem}")
    script = _script(words)
    if known.keys() >= {*_placeholders(script)}:
        _check_script(where, filled(script, known))


def _check_script(folder: Path, script: str) -> None:
    in_path = "/" not in script and shutil.which(script)  # where shells look, too
    if script and not in_path and not _exists(folder / script):
        raise Unfit(f"{quote(str(folder / script))}: there is no such file")


def _script(words: Iterable[str]) -> str:
    """The file that an interpreter shall run; empty where it cannot be told for sure.

    Other words that look like files may be numbers, classes, or files that are yet to be written.
    """
    program, *rest = [*dropwhile(_is_wrapping, words), ""]
    if Path(program).name == "java":
        rest = [*dropwhile(lambda word: word != "-jar", rest)][1:]
    elif _INTERPRETERS.fullmatch(Path(program).name):
        rest = [*dropwhile(_FLAGS.fullmatch, rest)]
    else:
        return ""
    script = next(iter(rest), "")
    return script if _looks_like_a_file(script) and not script.startswith("-") else ""


def _is_wrapping(word: str) -> bool:
    """Whether it is a program that starts another one, or belongs to such a program."""
    return Path(word).name in _WRAPPERS or _OF_WRAPPERS.fullmatch(word) is not None


def obstacle(word: str, folder: Path, search: str) -> str:
    """What stands against running a program in this folder, with this PATH; empty if nothing."""
    found = str(folder / word) if "/" in word else shutil.which(word, path=search)
    if not found:
        return "there is no such program on the PATH"
    path = Path(found)
    try:
        if not path.exists():
            return "there is no such file"
        if not path.is_file():
            return "it is a folder" if path.is_dir() else "it is not a regular file"
        if not os.access(path, os.X_OK):
            return f"it is not executable; try: chmod +x {shlex.quote(word)}"
        return _obstacle_in_script(_first_line(path), search)
    except OSError as error:
        return reason(error)


def _obstacle_in_script(first_line: str, search: str) -> str:
    """What is wrong with the first line of a script; nothing, if the file is none."""
    if first_line.endswith("\r"):
        return "its first line has a Windows line ending; save it with Unix line endings"
    interpreter, *words = [*first_line.split(), ""]
    # Behind options and assignments the program is hard to find, so env itself has to complain.
    by_env = Path(interpreter).name == "env" and not re.match("-|.*=", words[0])
    program = (by_env and words[0]) or interpreter
    if program and not shutil.which(program, path=search):
        return f"its first line asks for {quote(program)}, which does not exist"
    return ""


def _first_line(path: Path) -> str:
    """The first line of a script behind its #!; empty if it is none, or cannot be read."""
    if not os.access(path, os.R_OK):
        return ""
    with path.open("rb") as file:
        first = file.readline(_FIRST_LINE)
    line = first.removeprefix(_SHEBANG) if first.startswith(_SHEBANG) else b""
    return line.strip(b" \t\n").decode(errors="replace")


def reason(error: OSError) -> str:
    """Why the system refused something, in its own words."""
    return (error.strerror or str(error)).lower()


# folders


def checked_folder(folder: str, base: Path) -> str:
    """The folder's whole path, or Unfit if it is none or too large to be copied for every game."""
    try:
        path = Path(base, folder).resolve()
        if not path.is_dir():
            raise Unfit(f"there is no such folder in {base}")
        size = sum(file.lstat().st_size for file in files_in(path))
    except RuntimeError:
        raise Unfit("it is a link that leads round in a circle") from None
    except OSError as error:
        raise Unfit(f"{quote(str(error.filename))}: {reason(error)}") from None
    if size > LARGEST_FOLDER:
        most = sized(LARGEST_FOLDER)
        raise Unfit(f"it is larger than {most} and copied for every game; take out some files")
    return str(path)


def files_in(folder: Path) -> Iterator[Path]:
    """Everything in a folder and in those within it, but the folders themselves; or OSError."""
    for parent, folders, files in os.walk(folder, onerror=_refused):
        links = [name for name in folders if Path(parent, name).is_symlink()]
        yield from (Path(parent, name) for name in (*files, *links))


def _refused(error: OSError) -> None:
    raise error


def digest(command: str, name: str, base: Path, folder: str) -> str:
    """What a program's files are known by, their names and all that is in them; or Unfit."""
    found = hashlib.sha256()
    try:
        for file, path in sorted(_files(command, name, base, folder)):
            found.update(hashlib.sha256(os.fsencode(file)).digest())
            found.update(_content(path))
    except OSError as error:
        problem = f"a competition knows its programs, but this one cannot be read: {reason(error)}"
        raise Unfit(problem) from None
    return found.hexdigest()


def replaced(contest: Contest) -> list[str]:
    """The entrants whose programs are not those any more that the contest was read with."""
    known = [entrant for entrant in contest.entrants if entrant.digest]
    return [entrant.name for entrant in known if not _is_same(entrant, contest.base or Path())]


def _is_same(entrant: Entrant, base: Path) -> bool:
    try:
        return digest(entrant.text, entrant.name, base, entrant.folder) == entrant.digest
    except Unfit:  # it cannot even be read
        return False


def _files(command: str, name: str, base: Path, folder: str) -> Iterator[tuple[str, Path]]:
    """The files by names that stay when the contest moves as a whole."""
    if folder:
        for path in files_in(Path(folder)):
            yield str(path.relative_to(folder)), path
    known = dict.fromkeys((*PLACEHOLDERS, *INDEX), "") | {"name": name, "folder": str(base)}
    texts = command_line(command, known, None if folder else base)
    for word, text in zip(split(command), texts, strict=True):
        if text.startswith("/") and not word.startswith("/") and Path(text).is_file():
            yield word, Path(text)


def _content(path: Path) -> bytes:
    if path.is_symlink():
        return hashlib.sha256(os.fsencode(path.readlink())).digest()
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
