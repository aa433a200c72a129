"""Names: of contests in addresses, and of entrants on the wire."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Final

from spielwerk.contests.describing.values import Unfit
from spielwerk.store.contest_records import Kind
from spielwerk.wire.connect4.messages import SEPARATOR
from spielwerk.wire.dice.words import NAME

ID_LIMIT: Final = 60  # characters
NAME_LIMIT: Final = 80  # characters, as at any table

_SPELT_OUT: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "å": "aa"}
)
_OTHERS: Final = re.compile(r"[^a-z0-9]+")
_CALLERS: Final = (Kind.COMMAND, Kind.OPEN)  # who says its name to the dice server itself


def contest_ids(name: str) -> tuple[str, str]:
    """What the contest is called in addresses, and what if another one is called so already."""
    first = _plain(name) or f"contest-{_digest(name)}"
    return first, f"{first}-{_digest(name)}"


def _plain(name: str) -> str:
    """The letters and digits of the name, with hyphens between them; there may be none."""
    spelt = unicodedata.normalize("NFC", name).lower().translate(_SPELT_OUT)
    plain = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode()
    return _OTHERS.sub("-", plain)[:ID_LIMIT].strip("-")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]


def check_name(name: str, kind: Kind, game: str) -> None:
    """Raise Unfit if the game's protocol cannot say the name."""
    if not name or len(name) > NAME_LIMIT or not name.isprintable() or name != name.strip():
        raise Unfit(f"a name is 1 to {NAME_LIMIT} characters in one line, no blanks around them")
    if game == "dice" and kind in _CALLERS and not NAME.fullmatch(name):
        raise Unfit("on the dice server a name is letters a to z, A to Z and digits, nothing else")
    if game == "connect4" and SEPARATOR in name:
        raise Unfit(f"a name must not contain {SEPARATOR}, which parts the words of Connect Four")


def wire_name(text: str, kind: Kind, game: str) -> str:
    """A name that can be said, made from what an entrant is."""
    if game == "dice" and kind in _CALLERS:
        return "".join(letter for letter in text if NAME.fullmatch(letter))[:NAME_LIMIT]
    return text.replace(SEPARATOR, ",").strip()[:NAME_LIMIT]
