"""The messages of the Connect Four protocol: lines of a header and parameters after semicolons.

`PARAMETERS` is the document's section 4 as a table. Two messages repeat their parameters, the list
of games and the whole board; they have a way of their own. Courses knew some headers under other
names: those are understood, and sent if a peer asks for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from spielwerk.errors import QUOTE_LIMIT, SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

SEPARATOR: Final = ";"
PADDING: Final = b"\r\n\0 "  # what may stand around a message and says nothing
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


class MessageError(SpielwerkError, ValueError):
    """A line that is no message, or not the one with these parameters."""


class Status(StrEnum):
    """Whether a game can be joined."""

    OPEN = "Open"
    SEALED = "Sealed"


class Version(StrEnum):
    """What is told after a move: the whole board, or what has changed."""

    V1 = "V1"
    V2 = "V2"


@dataclass(frozen=True, slots=True)
class GameMessage:
    """A message by its header, with the values of its parameters in their order."""

    header: str
    values: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return SEPARATOR.join([self.header, *_written(self)])


def message(header: str, *values: Any) -> GameMessage:
    """The message with these values."""
    return GameMessage(header, values)


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list."""

    status: Status
    player: str
    name: str
    width: int
    height: int
    depth: int
    address: str
    port: int
    problem: str = ""  # what could not be read of it


# reading parameters; what is wrong with one is told after its name


def number(text: str) -> int:
    """A number without sign and blanks, or MessageError."""
    if not _NUMBER.fullmatch(text):
        raise MessageError(f"is {quote(text)}, not a number without blanks")
    return int(text)


def _state(text: str) -> int:
    value = number(text)
    if value > 2:
        raise MessageError(f"is {value}, neither 0, 1 nor 2")
    return value


def _version(text: str) -> Version:
    if text not in list(Version):
        raise MessageError(f"is {quote(text)}, neither {' nor '.join(Version)}")
    return Version(text)


Readers: TypeAlias = dict[str, Callable[[str], Any]]
"""The names of a message's parameters, each with what reads it."""

_WHY: Final[Readers] = {"explanation": str}
_GUID: Final[Readers] = {"guid": str}
_GAME: Final[Readers] = {
    "player": str,
    "name": str,
    "width": number,
    "height": number,
    "depth": number,
    "address": str,
    "port": number,
}

PARAMETERS: Final[dict[str, Readers]] = {
    # to and from the index server
    "register_game": _GAME,
    "register_success": _GUID,
    "register_failed": _WHY,
    "request_game_list": {},
    "unregister_game": _GUID,
    "unregister_game_success": {},
    "unregister_game_failed": _WHY,
    "seal_game": _GUID,
    "seal_game_success": {},
    "seal_game_failed": _WHY,
    "heartbeat": {},
    # between initiator and opponent; a field's state is 0 free, 1 the initiator's, 2 the opponent's
    "join_game": {"player": str, "name": str, "version": _version},
    "join_game_success": {"version": _version},
    "join_game_failed": _WHY,
    "start_game": {},
    "move": {"field": number},
    "updated_game_board": {"field": number, "state": _state},
    "moved_failed": _WHY,
    "end_game": {"outcome": _state},  # 0 a draw, 1 the initiator has won, 2 the opponent
    "abort_game": _WHY,
}
"""Every message but the two lists."""

GAME_LIST: Final = "answer_game_list"  # its value: a tuple of ListedGame
WHOLE_BOARD: Final = "synchronize_game_board"  # its value: the states of all fields

SYNONYMS: Final = {
    "register_game_success": "register_success",
    "register_game_failed": "register_failed",
    "update_game_board": "updated_game_board",
    "move_failed": "moved_failed",
}
VARIANTS: Final = {header: synonym for synonym, header in SYNONYMS.items()}


def read_message(line: bytes) -> GameMessage:
    """The message in a line without its newline, or MessageError; synonyms are translated."""
    try:
        text = line.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError:
        raise MessageError(f"{_quoted(line)} is no UTF-8") from None
    word, *parameters = text.split(SEPARATOR)
    header = SYNONYMS.get(word, word)
    if header == GAME_LIST:
        return message(header, _read_list(parameters))
    if header == WHOLE_BOARD:
        return message(header, _read_board(parameters))
    if header not in PARAMETERS:
        raise MessageError(f"{quote(word)} is no message")
    return GameMessage(header, _read_values(word, PARAMETERS[header], parameters))


def _read_values(word: str, wanted: Readers, parameters: list[str]) -> tuple[Any, ...]:
    if parameters == [""] and not wanted:
        parameters = []
    if len(parameters) != len(wanted):
        takes = f"takes {len(wanted)} parameter{'' if len(wanted) == 1 else 's'}"
        raise MessageError(f"{word} {takes}, {len(parameters)} came")
    pairs = zip(wanted, parameters, strict=True)
    return tuple(_value(word, name, wanted[name], text) for name, text in pairs)


def _value(word: str, name: str, read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except MessageError as error:
        raise MessageError(f"{word}: {name} {error}") from None


def _read_list(parameters: Sequence[str]) -> tuple[ListedGame, ...]:
    """How many games, then eight parameters for each."""
    count = _value(GAME_LIST, "number of games", number, parameters[0] if parameters else "")
    cells, size = parameters[1:], len(_GAME) + 1
    if len(cells) != count * size:
        problem = f"{count} games take {count * size} parameters, {len(cells)} came"
        raise MessageError(f"{GAME_LIST}: {problem}")
    return tuple(_listed(*cells[start : start + size]) for start in range(0, len(cells), size))


def _listed(status: str, *cells: str) -> ListedGame:
    """A game; what cannot be read of it must not keep us from the others."""
    values: dict[str, Any] = {}
    problems = []
    if status not in list(Status):
        problems.append(f"status is {quote(status)}, neither Open nor Sealed")
    for (name, read), text in zip(_GAME.items(), cells, strict=True):
        try:
            values[name] = read(text)
        except MessageError as error:
            problems.append(f"{name} {error}")
            values[name] = 0
    known = Status(status) if status in list(Status) else Status.SEALED
    return ListedGame(known, **values, problem=", ".join(problems))


def _read_board(parameters: Sequence[str]) -> tuple[int, ...]:
    """How many fields, then the number and the state of each, the fields in any order."""
    count = _value(WHOLE_BOARD, "number of fields", number, parameters[0] if parameters else "")
    cells = [_value(WHOLE_BOARD, "field or state", number, text) for text in parameters[1:]]
    states = dict(zip(cells[::2], cells[1::2], strict=False))
    if len(cells) != 2 * count or sorted(states) != list(range(count)):
        raise MessageError(f"{WHOLE_BOARD}: not each of {count} fields once with its state")
    if not {*states.values()} <= {0, 1, 2}:
        raise MessageError(f"{WHOLE_BOARD}: a field's state is 0, 1 or 2")
    return tuple(states[field] for field in range(count))


def _quoted(line: bytes) -> str:
    """A line that is no text, escaped once: what stands between the quotes of bytes."""
    cut = "..." if len(line) > QUOTE_LIMIT else ""
    return repr(line[:QUOTE_LIMIT]).removeprefix("b") + cut


def is_blank(line: bytes) -> bool:
    """Whether a line says nothing and is overlooked."""
    return not line.strip(PADDING)


# writing


def write_message(said: GameMessage, *, variant: bool = False) -> bytes:
    """The message as a line; with `variant`, in the words of some courses' clients."""
    header = VARIANTS.get(said.header, said.header) if variant else said.header
    parameters = _written(said)
    for text in parameters:
        require_plain(text)
    return (SEPARATOR.join([header, *parameters]) + "\n").encode()


def _written(said: GameMessage) -> list[str]:
    """The parameters as they stand on the wire."""
    values = said.values
    if said.header == GAME_LIST:
        values = (len(values[0]), *(cell for game in values[0] for cell in _cells(game)))
    elif said.header == WHOLE_BOARD:
        values = (len(values[0]), *(cell for pair in enumerate(values[0]) for cell in pair))
    return [str(value) for value in values]


def _cells(game: ListedGame) -> list[Any]:
    return [getattr(game, field.name) for field in fields(game)[:-1]]


def require_plain(text: str) -> None:
    """Raise MessageError if the text cannot be a parameter."""
    if SEPARATOR in text or "\n" in text or "\r" in text:
        raise MessageError(f"{quote(text)} must not contain semicolons or line breaks")


def plain(text: str) -> str:
    """Any text, made fit to be a parameter: for explanations that quote strangers."""
    return re.sub(r"[;\r\n]", " ", text)
