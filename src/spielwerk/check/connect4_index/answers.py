"""Reading what a stranger's index server says: what a client can understand is understood."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from spielwerk.wire.connect4.messages import (
    PARAMETERS,
    SEPARATOR,
    SYNONYMS,
    GameMessage,
    MessageError,
    message,
    read_message,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOST: Final = "?\N{REPLACEMENT CHARACTER}"


class IndexAnswer(NamedTuple):
    """A message, and where it begins in the transcript."""

    message: GameMessage
    entry: int
    start: int
    line: bytes

    def cell(self, number: int, cell: int) -> int:
        """Where a value of a game of the list begins in that entry of the transcript."""
        before = self.line.split(b";")[: 2 + 8 * number + cell]
        return self.start + sum(len(word) + 1 for word in before)


def understood(line: bytes) -> tuple[GameMessage, list[str]]:
    """The message in a line and what is odd about it, or MessageError."""
    oddities = ["return"] if line.endswith(b"\r") else []
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise MessageError("the answer is no UTF-8") from error
    bare = text.rstrip("\r\0 ")
    if bare != text.removesuffix("\r"):
        oddities.append("trailing-blank")
    word, _, rest = bare.partition(SEPARATOR)
    if word in SYNONYMS:
        oddities.append("spelling")
    header = SYNONYMS.get(word, word)
    if header.endswith("_failed") and header in PARAMETERS:  # any text is right
        oddities += ["semicolon"] if SEPARATOR in rest else []
        oddities += [] if rest else ["no-explanation"]
        return message(header, rest), oddities
    return _without_last_semicolon(bare, oddities)


def _without_last_semicolon(text: str, oddities: list[str]) -> tuple[GameMessage, list[str]]:
    """The message; a semicolon may follow the last parameter as well."""
    try:
        return read_message(text.encode()), oddities
    except MessageError:
        if not text.endswith(SEPARATOR):
            raise
        return read_message(text[:-1].encode()), [*oddities, "last-semicolon"]


def altered(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> str:
    """The hint for parameters that are right, but in another order."""
    sides = ("width", "height", "depth")
    before, after = ([values[side] for side in sides] for values in (wanted, got))
    if before != after and sorted(before) == sorted(after):
        return "order-of-sides"
    if (wanted["player"], wanted["name"]) == (got["name"], got["player"]):
        return "order-of-names"
    return ""


def by_charset(wanted: str, got: str) -> str:
    """The hint for a text that was decoded or encoded in another way than UTF-8."""
    if any(sign in got and sign not in wanted for sign in _LOST):
        return "lost-letters"
    for charset in ("latin-1", "cp1252"):
        if wanted.encode().decode(charset, "replace") == got:
            return "charset"
    return ""
