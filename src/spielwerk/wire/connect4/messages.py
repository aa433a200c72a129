"""The messages of the Connect Four protocol: lines of a header and parameters after semicolons.

Every message is a class with its header; the fields are the parameters in their order. Courses
knew some headers under other names: those are understood, and sent if a peer asks for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final

from spielwerk.errors import QUOTE_LIMIT, SpielwerkError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

SEPARATOR: Final = ";"
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


MESSAGES: Final[dict[str, type[GameMessage]]] = {}
"""All messages by their headers."""


class MessageError(SpielwerkError, ValueError):
    """A line that is no message, or not the one with these parameters."""


@dataclass(frozen=True, slots=True)
class GameMessage:
    """The base of all messages."""

    header: ClassVar[str]

    def __init_subclass__(cls) -> None:
        if "header" in cls.__dict__:
            MESSAGES[cls.header] = cls

    def parameters(self) -> list[str]:
        """The parameters as they stand on the wire."""
        return [str(getattr(self, field.name)) for field in fields(self)]

    @classmethod
    def read(cls, parameters: Sequence[str]) -> Self:
        """The message with these parameters, or MessageError."""
        wanted = fields(cls)
        if len(parameters) != len(wanted):
            takes = f"takes {len(wanted)} parameter{'' if len(wanted) == 1 else 's'}"
            raise MessageError(f"{cls.header} {takes}, {len(parameters)} came")
        values = zip(wanted, parameters, strict=True)
        return cls(*(_value(cls.header, field.name, field.type, text) for field, text in values))

    def __str__(self) -> str:
        return SEPARATOR.join([self.header, *self.parameters()])


def _value(header: str, name: str, wanted: object, text: str) -> object:
    if wanted == "int":
        value = number(header, name, text)
        if name in ("state", "outcome") and value > 2:
            raise MessageError(f"{header}: {name} is {value}, neither 0, 1 nor 2")
        return value
    if wanted == "Version" and text not in list(Version):
        raise MessageError(f"{header}: {name} is {quote(text)}, neither {' nor '.join(Version)}")
    return Version(text) if wanted == "Version" else text


def number(header: str, name: str, text: str) -> int:
    """A number without sign and blanks, or MessageError."""
    if not _NUMBER.fullmatch(text):
        raise MessageError(f"{header}: {name} is {quote(text)}, not a number without blanks")
    return int(text)


def require_plain(text: str) -> None:
    """Raise MessageError if the text cannot be a parameter."""
    if SEPARATOR in text or "\n" in text or "\r" in text:
        raise MessageError(f"{quote(text)} must not contain semicolons or line breaks")


def plain(text: str) -> str:
    """Any text, made fit to be a parameter: for explanations that quote strangers."""
    return re.sub(r"[;\r\n]", " ", text)


PADDING: Final = b"\r\n\0 "  # what may stand around a message and says nothing


class Status(StrEnum):
    """Whether a game can be joined."""

    OPEN = "Open"
    SEALED = "Sealed"


class Version(StrEnum):
    """What is told after a move: the whole board, or what has changed."""

    V1 = "V1"
    V2 = "V2"


@dataclass(frozen=True, slots=True)
class Explanation(GameMessage):
    """A message that says why something failed."""

    explanation: str


# to and from the index server


@dataclass(frozen=True, slots=True)
class RegisterGame(GameMessage):
    """An initiator offers a game."""

    header: ClassVar = "register_game"
    player: str
    name: str
    width: int
    height: int
    depth: int
    address: str
    port: int


@dataclass(frozen=True, slots=True)
class RegisterSuccess(GameMessage):
    """The game is in the list; the GUID is the key to change that."""

    header: ClassVar = "register_success"
    guid: str


class RegisterFailed(Explanation):
    """The game is not in the list."""

    header: ClassVar = "register_failed"


class RequestGameList(GameMessage):
    """A client wants to know all games."""

    header: ClassVar = "request_game_list"


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


_LISTED: Final = tuple(field.name for field in fields(ListedGame))[:-1]  # as on the wire


@dataclass(frozen=True, slots=True)
class AnswerGameList(GameMessage):
    """All games."""

    header: ClassVar = "answer_game_list"
    games: tuple[ListedGame, ...]

    def parameters(self) -> list[str]:
        """How many games, then eight parameters for each."""
        cells = [str(getattr(game, name)) for game in self.games for name in _LISTED]
        return [str(len(self.games)), *cells]

    @classmethod
    def read(cls, parameters: Sequence[str]) -> Self:
        """The list, or MessageError."""
        count = number(cls.header, "number of games", parameters[0] if parameters else "")
        cells, size = parameters[1:], len(_LISTED)
        if len(cells) != count * size:
            problem = f"{count} games take {count * size} parameters, {len(cells)} came"
            raise MessageError(f"{cls.header}: {problem}")
        rows = [cells[start : start + size] for start in range(0, len(cells), size)]
        return cls(tuple(cls._game(row) for row in rows))

    @classmethod
    def _game(cls, row: Sequence[str]) -> ListedGame:
        """A game; what cannot be read of it must not keep us from the others."""
        values: dict[str, Any] = dict(zip(_LISTED, row, strict=True))
        problems = []
        known = values["status"] in list(Status)
        if not known:
            problems.append(f"status is {quote(values['status'])}, neither Open nor Sealed")
        for name in ("width", "height", "depth", "port"):
            try:
                values[name] = number(cls.header, name, values[name])
            except MessageError as error:
                problems.append(str(error).removeprefix(f"{cls.header}: "))
                values[name] = 0
        values["status"] = Status(values["status"]) if known else Status.SEALED
        return ListedGame(**values, problem=", ".join(problems))


@dataclass(frozen=True, slots=True)
class UnregisterGame(GameMessage):
    """The initiator takes its game out of the list."""

    header: ClassVar = "unregister_game"
    guid: str


class UnregisterGameSuccess(GameMessage):
    """It is out of the list."""

    header: ClassVar = "unregister_game_success"


class UnregisterGameFailed(Explanation):
    """It is not, and why."""

    header: ClassVar = "unregister_game_failed"


@dataclass(frozen=True, slots=True)
class SealGame(GameMessage):
    """The game has begun and cannot be joined any more."""

    header: ClassVar = "seal_game"
    guid: str


class SealGameSuccess(GameMessage):
    """The list says so."""

    header: ClassVar = "seal_game_success"


class SealGameFailed(Explanation):
    """It does not, and why."""

    header: ClassVar = "seal_game_failed"


class Heartbeat(GameMessage):
    """The sender is still there; a UDP datagram."""

    header: ClassVar = "heartbeat"


# between initiator and opponent


@dataclass(frozen=True, slots=True)
class JoinGame(GameMessage):
    """An opponent wants to play."""

    header: ClassVar = "join_game"
    player: str
    name: str
    version: Version


@dataclass(frozen=True, slots=True)
class JoinGameSuccess(GameMessage):
    """The opponent is welcome; this version is spoken."""

    header: ClassVar = "join_game_success"
    version: Version


class JoinGameFailed(Explanation):
    """The opponent is not, and why."""

    header: ClassVar = "join_game_failed"


class StartGame(GameMessage):
    """To the player who begins."""

    header: ClassVar = "start_game"


@dataclass(frozen=True, slots=True)
class Move(GameMessage):
    """The opponent's move."""

    header: ClassVar = "move"
    field: int


@dataclass(frozen=True, slots=True)
class SynchronizeGameBoard(GameMessage):
    """The whole board after a move (V1): 0 free, 1 the initiator's, 2 the opponent's."""

    header: ClassVar = "synchronize_game_board"
    states: tuple[int, ...]

    def parameters(self) -> list[str]:
        """How many fields, then the number and the state of each."""
        cells = [str(cell) for pair in enumerate(self.states) for cell in pair]
        return [str(len(self.states)), *cells]

    @classmethod
    def read(cls, parameters: Sequence[str]) -> Self:
        """The board, its fields in any order, or MessageError."""
        count = number(cls.header, "number of fields", parameters[0] if parameters else "")
        cells = [number(cls.header, "field or state", text) for text in parameters[1:]]
        states = dict(zip(cells[::2], cells[1::2], strict=False))
        if len(cells) != 2 * count or sorted(states) != list(range(count)):
            raise MessageError(f"{cls.header}: not each of {count} fields once with its state")
        if not {*states.values()} <= {0, 1, 2}:
            raise MessageError(f"{cls.header}: a field's state is 0, 1 or 2")
        return cls(tuple(states[field] for field in range(count)))


@dataclass(frozen=True, slots=True)
class UpdatedGameBoard(GameMessage):
    """What a move has changed (V2)."""

    header: ClassVar = "updated_game_board"
    field: int
    state: int


class MovedFailed(Explanation):
    """The move is not possible, and why."""

    header: ClassVar = "moved_failed"


@dataclass(frozen=True, slots=True)
class EndGame(GameMessage):
    """The game is over: 0 a draw, 1 the initiator has won, 2 the opponent."""

    header: ClassVar = "end_game"
    outcome: int


class AbortGame(Explanation):
    """The game cannot go on, and why."""

    header: ClassVar = "abort_game"


SYNONYMS: Final = {
    "register_game_success": RegisterSuccess.header,
    "register_game_failed": RegisterFailed.header,
    "update_game_board": UpdatedGameBoard.header,
    "move_failed": MovedFailed.header,
}
VARIANTS: Final = {header: synonym for synonym, header in SYNONYMS.items()}

for _word, _header in SYNONYMS.items():  # such a message names the word that came
    _kind = MESSAGES[_header]
    type(_kind.__name__, (_kind,), {"__slots__": (), "__doc__": _kind.__doc__, "header": _word})


def read_message(line: bytes) -> GameMessage:
    """The message in a line without its newline, or MessageError."""
    try:
        text = line.decode("utf-8").removesuffix("\r")
    except UnicodeDecodeError:
        raise MessageError(f"{_quoted(line)} is no UTF-8") from None
    header, *parameters = text.split(SEPARATOR)
    kind = MESSAGES.get(header)
    if kind is None:
        raise MessageError(f"{quote(header)} is no message")
    return kind.read([] if parameters == [""] and not fields(kind) else parameters)


def _quoted(line: bytes) -> str:
    """A line that is no text, escaped once: what stands between the quotes of bytes."""
    cut = "..." if len(line) > QUOTE_LIMIT else ""
    return repr(line[:QUOTE_LIMIT]).removeprefix("b") + cut


def is_blank(line: bytes) -> bool:
    """Whether a line says nothing and is overlooked."""
    return not line.strip(PADDING)


def write_message(message: GameMessage, *, variant: bool = False) -> bytes:
    """The message as a line; with `variant`, in the words of some courses' clients."""
    header = VARIANTS.get(message.header, message.header) if variant else message.header
    parameters = message.parameters()
    for text in parameters:
        require_plain(text)
    return (SEPARATOR.join([header, *parameters]) + "\n").encode()
