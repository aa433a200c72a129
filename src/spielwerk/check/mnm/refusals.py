"""What is said of a client that the server would refuse: which line, which byte, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.case import Side
from spielwerk.check.texts import sentence
from spielwerk.check.visible import visible
from spielwerk.wire.mnm import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spielwerk.check.case import TranscriptEntry
    from spielwerk.wire.mnm.server import ClientBreach
    from spielwerk.wire.mnm.words import Dialect

_LONG: Final = "|".join(sorted(words.CLIENT_WORDS - {words.ID}, key=len, reverse=True))
_GLUED: Final = re.compile(rf"VERSION [0-9.]*ID |(?:ID|{_LONG}).*?(?:{_LONG})".encode())
_FORMS: Final = frozenset({words.VERSION, words.ID, words.PLAYER, words.PLAY})  # not always alike


class Heard:
    """What a client has said in a transcript, line by line, and where each byte stands in it."""

    def __init__(self, transcript: Sequence[TranscriptEntry]) -> None:
        self._transcript = transcript
        self._entries = [n for n, one in enumerate(transcript) if one.side is Side.PROGRAM]
        stream = b"".join(transcript[n].data for n in self._entries)
        *lines, self.rest = stream.split(b"\n")
        self.lines = [line.lstrip(b"\0") for line in lines]
        self._ends: list[int] = []
        for line in lines:
            self._ends.append((self._ends[-1] if self._ends else -1) + len(line) + 1)

    def place(self, number: int, column: int = 0) -> dict[str, Any]:
        """Where a byte of a line stands: the entry and the position in it."""
        offset = self._ends[number] - len(self.lines[number]) + column
        entry, position = self._find(offset)
        return {"entry": entry, "position": position}

    def arrived(self, number: int) -> float:
        """When a line was complete."""
        return self._transcript[self._find(self._ends[number])[0]].at

    def took(self, number: int) -> float:
        """Seconds from our last byte before it to a line."""
        entry, _ = self._find(self._ends[number])
        return self._transcript[entry].at - last_sent(self._transcript[:entry])

    def _find(self, offset: int) -> tuple[int, int]:
        for entry in self._entries:
            size = len(self._transcript[entry].data)
            if offset < size:
                return entry, offset
            offset -= size
        raise IndexError(offset)


def last_sent(transcript: Sequence[TranscriptEntry]) -> float:
    """When we have written last."""
    return next((one.at for one in reversed(transcript) if one.side is Side.CHECKER), 0.0)


def on_a_piece(transcript: Sequence[TranscriptEntry]) -> bool:
    """Whether the client has spoken or gone when the last thing written was no whole line."""
    sent = b"\n"
    for one in transcript:
        if one.side is Side.CHECKER:
            sent = one.data
        elif not sent.endswith(b"\n"):
            return True
    return False


def answered_early(transcript: Sequence[TranscriptEntry]) -> bool:
    """Whether the client has said THINKING last before it had the whole position."""
    after: bytes | None = None  # what we have said then
    for one in transcript:
        if one.side is Side.PROGRAM and one.data.startswith(words.THINKING.encode()):
            after = b""
        elif one.side is Side.CHECKER and after is not None:
            after += one.data
    return after is not None and not after.startswith(b"+ OKTHINK")


def wrongness(
    heard: Heard, number: int, due: str, breach: ClientBreach, dialect: Dialect
) -> dict[str, Any]:
    """The fault of a line that the server would refuse."""
    if number >= len(heard.lines):
        return {"kind": "too-long", "detail": breach.detail, "wanted": due}
    line = heard.lines[number]
    said = visible(line)
    if breach.text == dialect.wrong_version:
        version = line.removeprefix(b"VERSION ")
        return {
            "kind": "wrong-version",
            "everywhere": True,
            "said": visible(version),
            "server": dialect.version,
            "major": dialect.major,
            "expected": (form(due, dialect),),
            "hint": "version-prefix" if version[:1] in (b"v", b"V") else "",
            **heard.place(number, _common(line, f"VERSION {dialect.major}".encode())),
        }
    if breach.text == words.BAD_ID:
        place = heard.place(number, len("ID "))
        told = {"said": said, "expected": (form(due, dialect),), "everywhere": True}
        return {"kind": "malformed-id", **told, **place}
    if breach.text == dialect.no_seat:
        place = heard.place(number, len("PLAYER "))
        return {"kind": "no-such-seat", "said": said, "expected": (form(due, dialect),), **place}
    return {
        "kind": "wrong-line",
        "said": said,
        "wanted": due,
        "text": breach.text,
        "expected": (form(due, dialect),),
        "hint": _cause(heard, number, due),
        **heard.place(number, _common(line, due.encode())),
    }


def form(due: str, dialect: Dialect) -> bytes | str:
    """What a line has to look like."""
    if due in _FORMS:
        return sentence(__package__ or "", "form", due, {"major": dialect.major})
    return f"{due}\n".encode()


def _common(line: bytes, wanted: bytes) -> int:
    """How many bytes at the beginning are right."""
    same = 0
    while same < min(len(line), len(wanted)) and line[same] == wanted[same]:
        same += 1
    return same


def _cause(heard: Heard, number: int, due: str) -> str:
    """The hint that the line itself gives, if any."""
    line = heard.lines[number].rstrip(b" \0\r")
    before = heard.lines[number - 1].rstrip(b" \0\r") if number else b""
    if not line:
        return "empty-line"
    if _GLUED.match(line):
        return "glued"
    if line == before:
        return "twice"
    if line.strip() != line and line.strip().startswith(due.encode()):
        return "blank-first"
    if line.startswith(due.encode()):
        return "trailing"
    return "letters" if line.upper().startswith(due.encode()) else ""


def lateness(heard: Heard, number: int, due: str, since: float, limit: float) -> dict[str, Any]:
    """The fault of an answer that came late."""
    seconds = heard.arrived(number) - since
    place = heard.place(number)
    return {
        "kind": "late",
        "wanted": due,
        "seconds": seconds,
        "limit": limit,
        "timed": True,
        **place,
    }


def unasked(heard: Heard, number: int) -> dict[str, Any]:
    """The fault of a line that the server has not asked for."""
    hint = _cause(heard, number, "")
    return {
        "said": visible(heard.lines[number]),
        "hint": hint if hint in ("empty-line", "twice") else "",
        **heard.place(number),
    }
