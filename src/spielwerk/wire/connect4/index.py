"""The index server of the Connect Four protocol, without I/O: the list, and what is said about it.

`Index` is given lines, the hosts that they came from, and the time. It gives back a `Reply`, or a
`Change` of the list: that has to be kept first, and is then `settle`d into its reply, so that
nothing is confirmed that could be lost. Until then the change is not seen, but a name is taken.

What the document leaves open: a failure has the message that fits the request. Where there is
none (a message that the index does not know, or a list asked for with parameters) the answer is a
line of its own, `error;EXPLANATION`. The connection stays open, unless what came is no text or no
line. Empty lines are overlooked. A game that is sealed can be sealed again; who asks twice because
the first answer was lost gets what it wants.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import astuple, dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.errors import quote
from spielwerk.wire.connect4.initiators import InitiatorKey, Initiators, Source, numeric
from spielwerk.wire.connect4.messages import (
    GAME_LIST,
    PADDING,
    PARAMETERS,
    SEPARATOR,
    GameMessage,
    ListedGame,
    MessageError,
    Status,
    is_blank,
    message,
    plain,
    read_message,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

ERROR: Final = "error"  # no word of the document: it can be mistaken for nothing else
HEARTBEAT: Final = write_message(message("heartbeat"))
LONGEST_ADDRESS: Final = 255  # characters in a host's name
NOT_KEPT: Final = "the index server cannot keep that at the moment: try again later"
NO_SUCH_GAME: Final = "no game with this GUID is registered"

_GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LIST: Final = GAME_LIST.encode()
_ERROR: Final = f"{ERROR}{SEPARATOR}".encode()
_UNSEEN: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # control, format, surrogate, line and paragraph

_FAILURES: Final = {
    "register_game": "register_failed",
    "seal_game": "seal_game_failed",
    "unregister_game": "unregister_game_failed",
    "join_game": "join_game_failed",
    "move": "moved_failed",
}
"""What answers a request that cannot be granted."""


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """What may stand in the list, and for how long; 0 seconds of silence: for ever."""

    entries: int = 10_000
    entries_each: int = 1000  # of one host
    side: int = 255  # fields
    name: int = 100  # characters
    silence: float = 60.0
    beat: float = 10.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the list; the GUID is known to its initiator only."""

    guid: str
    player: str
    name: str
    width: int
    height: int
    depth: int
    address: str
    port: int
    owner: str  # the host that registered it
    status: Status = Status.OPEN

    @property
    def initiator(self) -> InitiatorKey:
        """Whose game it is."""
        return InitiatorKey(numeric(self.address) or self.address.lower(), self.port, self.owner)

    def listed(self) -> ListedGame:
        """What is public of it."""
        return ListedGame(self.status, *astuple(self)[1:8])


class Reply(NamedTuple):
    """A line to be sent; `refused` says that something was wrong, `last` that it is the end."""

    line: bytes
    refused: str = ""
    last: bool = False

    @property
    def answers_request(self) -> bool:
        """Whether the line was a request to an index server."""
        return not self.line.startswith(_ERROR)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What a request changes in the list; it has to be kept before it is settled."""

    request: str  # register_game, seal_game or unregister_game
    entry: Entry


class Refusal(Exception):
    """A request that cannot be granted, and why."""


class Index:
    """The list of games."""

    def __init__(
        self,
        new_guid: Callable[[], str],
        now: float,
        limits: IndexLimits | None = None,
        *,
        variant: bool = False,
    ) -> None:
        self._new_guid = new_guid
        self._limits = limits or IndexLimits()
        self._variant = variant
        self._entries: dict[str, Entry] = {}
        self._cells: dict[str, bytes] = {}  # each as it stands in the list
        self._list = b""  # the whole answer; empty when it has to be made anew
        self._names: dict[str, str] = {}  # to GUIDs; also of games that are not in the list yet
        self._owners: Counter[str] = Counter()
        self._leaving: set[str] = set()
        self._initiators = Initiators(self._limits.silence, self._limits.beat, now)

    @property
    def entries(self) -> list[Entry]:
        """All games in the list, the oldest first."""
        return [*self._entries.values()]

    @property
    def initiators(self) -> int:
        """How many have games in the list."""
        return len(self._initiators)

    def restore(self, entries: Iterable[Entry], now: float) -> None:
        """Take up a list that was kept; of two games with one name the later one counts."""
        by_name = {_key(entry.name): entry for entry in entries}
        for number, entry in enumerate(by_name.values()):
            self._take(entry)
            first = now + self._limits.beat * number / len(by_name)  # not all at once
            self._show(entry)
            self._initiators.add(entry.initiator, entry.guid, now, first)

    def hosts(self, address: str, port: int) -> bool:
        """Whether the host at that address has registered games at this port itself."""
        return any((entry.owner, entry.port) == (numeric(address), port) for entry in self.entries)

    def leave(self, address: str, port: int) -> list[Entry]:
        """Remove the games at a place where a new initiator begins that knows none of them."""
        gone = [entry for entry in self.entries if (entry.address, entry.port) == (address, port)]
        for entry in gone:
            self._remove(entry.guid)
        return gone

    # requests

    def handle(self, line: bytes, owner: str, now: float) -> Reply | Change | None:
        """What to do with a line (without its newline) from this host; None: nothing."""
        if is_blank(line):
            return None
        try:
            return self._answer(read_message(line), owner, now)
        except (MessageError, Refusal) as error:
            return self.refuse(line, str(error))

    def refuse(self, line: bytes, why: str) -> Reply:
        """Say what is wrong, in the words that fit the line, which is empty if it was none."""
        header = line.partition(SEPARATOR.encode())[0].decode("utf-8", "replace").strip()
        failure = _FAILURES.get(header)
        text = plain(why)
        if failure is None:
            answer = f"{ERROR}{SEPARATOR}{text}\n".encode()
            return Reply(answer, refused=text, last=not _is_text(line))
        return Reply(self._write(failure, text), refused=text)

    def _answer(self, request: GameMessage, owner: str, now: float) -> Reply | Change:
        match request.header, request.values:
            case "request_game_list", _:
                return Reply(self._whole_list())
            case "register_game", values:
                return self._register(values, owner)
            case "seal_game", (guid,):
                return self._seal(self._find(guid, now))
            case "unregister_game", (guid,):
                entry = self._find(guid, now)
                self._leaving.add(entry.guid)
                return Change("unregister_game", entry)
            case "heartbeat", _:
                raise Refusal("a heartbeat is a datagram (UDP) to the same port")
            case header, _:
                raise Refusal(f"{header} is nothing that an index server is asked")

    def _register(self, values: tuple[Any, ...], owner: str) -> Change:
        named = zip(PARAMETERS["register_game"], values, strict=True)
        entry = Entry(guid="", owner=owner, **dict(named))
        self._check(entry)
        self._check_room(entry)
        entry = replace(entry, guid=self._new_guid())
        self._take(entry)
        return Change("register_game", entry)

    def _check(self, entry: Entry) -> None:
        _require_name("player", entry.player, self._limits.name)
        _require_name("game name", entry.name, self._limits.name)
        for side, least in (("width", 1), ("height", 1), ("depth", 0)):
            _require_number(side, getattr(entry, side), least, self._limits.side)
        _require_name("address", entry.address, LONGEST_ADDRESS)
        if " " in entry.address:
            raise Refusal(f"address {quote(entry.address)} has a blank")
        _require_number("port", entry.port, 1, 65535)

    def _check_room(self, entry: Entry) -> None:
        if _key(entry.name) in self._names:
            raise Refusal(f"a game with the name {quote(entry.name)} is registered already")
        if len(self._names) >= self._limits.entries:
            raise Refusal(f"the list is full: there are {len(self._names)} games in it")
        if (most := self._owners[entry.owner]) >= self._limits.entries_each:
            raise Refusal(f"{entry.owner} has {most} games in the list, which is the most")

    def _find(self, text: str, now: float) -> Entry:
        """The game with this GUID; who knows it is its initiator, and is there."""
        guid = read_guid(text)
        entry = self._entries.get(guid)
        if entry is None or guid in self._leaving:
            raise Refusal(NO_SUCH_GAME)
        self._initiators.alive(entry.initiator, now)
        return entry

    def _seal(self, entry: Entry) -> Reply | Change:
        if entry.status is Status.SEALED:
            return Reply(self._write("seal_game_success"))
        return Change("seal_game", entry)

    # changes

    def settle(self, change: Change, now: float) -> Reply:
        """The change has been kept: now it is so."""
        guid = change.entry.guid
        if change.request == "register_game":
            self._show(change.entry)
            self._initiators.add(change.entry.initiator, guid, now)
            return Reply(self._write("register_success", guid))
        if change.request == "unregister_game":
            if guid in self._entries:
                self._remove(guid)
            return Reply(self._write("unregister_game_success"))
        if guid not in self._entries:  # it fell away while that was being written
            return self._failure(change, NO_SUCH_GAME)
        self._show(replace(self._entries[guid], status=Status.SEALED))
        return Reply(self._write("seal_game_success"))

    def give_up(self, change: Change) -> Reply:
        """The change could not be kept: all is as it was."""
        if change.request == "register_game":
            self._release(change.entry)
        self._leaving.discard(change.entry.guid)
        return self._failure(change, NOT_KEPT)

    def _failure(self, change: Change, why: str) -> Reply:
        return Reply(self._write(_FAILURES[change.request], why), refused=why)

    def _take(self, entry: Entry) -> None:
        """The name is taken from now on."""
        self._names[_key(entry.name)] = entry.guid
        self._owners[entry.owner] += 1

    def _release(self, entry: Entry) -> None:
        del self._names[_key(entry.name)]
        self._owners[entry.owner] -= 1
        if not self._owners[entry.owner]:
            del self._owners[entry.owner]

    def _show(self, entry: Entry) -> None:
        """The game stands in the list, as it is now."""
        self._entries[entry.guid] = entry
        whole = write_message(message(GAME_LIST, (entry.listed(),)))
        self._cells[entry.guid] = whole.removeprefix(_LIST + b";1;").removesuffix(b"\n")
        self._list = b""

    def _remove(self, guid: str) -> None:
        entry = self._entries.pop(guid)
        del self._cells[guid]
        self._list = b""
        self._leaving.discard(guid)
        self._release(entry)
        self._initiators.remove(entry.initiator, guid)

    def _whole_list(self) -> bytes:
        if not self._list:
            cells = self._cells.values()
            self._list = b";".join([_LIST, str(len(cells)).encode(), *cells]) + b"\n"
        return self._list

    def _write(self, header: str, *values: str) -> bytes:
        return write_message(message(header, *values), variant=self._variant)

    # heartbeats and time

    def heartbeat(self, data: bytes, source: Source, now: float) -> str | None:
        """A datagram has come; what is wrong with it, if it is no heartbeat of an initiator."""
        if data.rstrip(PADDING).rstrip(b";") != HEARTBEAT.strip():
            return "no heartbeat"
        return None if self._initiators.heartbeat(source, now) else "unknown initiator"

    def beats(self, now: float) -> list[Source]:
        """To whom a heartbeat is to be sent now; ask often."""
        self._initiators.look(now)
        return self._initiators.due(now)

    def fall_away(self, now: float) -> list[list[Entry]]:
        """Remove the games of initiators who have been silent for too long; each one's together."""
        self._initiators.look(now)
        gone = [
            [self._entries[guid] for guid in initiator.games]
            for initiator in self._initiators.silent(now)
        ]
        for entry in chain.from_iterable(gone):
            self._remove(entry.guid)
        return gone


def read_guid(text: str) -> str:
    """The GUID as we write it, with or without braces, in any case; or Refusal."""
    inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
    if not _GUID.fullmatch(inner):
        raise Refusal(f"{quote(text)} is no GUID: 8-4-4-4-12 hexadecimal digits")
    return inner.lower()


def _is_text(line: bytes) -> bool:
    try:
        return bool(line.decode())
    except UnicodeDecodeError:
        return False


def _key(name: str) -> str:
    """What must be unique: a letter and its accent may be written as one sign or as two."""
    return unicodedata.normalize("NFC", name)


def _require_name(what: str, text: str, longest: int) -> None:
    if not text.strip():
        raise Refusal(f"the {what} is empty")
    if len(text) > longest:
        raise Refusal(f"the {what} has {len(text)} characters, {longest} are allowed")
    for sign in text:
        if unicodedata.category(sign) in _UNSEEN:
            raise Refusal(f"the {what} has the control character U+{ord(sign):04X}")


def _require_number(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Refusal(f"the {what} is {value}, it goes from {least} to {most}")
