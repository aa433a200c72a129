"""What the client says: `sentences.json` has every sentence by its code, in German and English."""

from __future__ import annotations

import json
import re
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from spielwerk.errors import SpielwerkError, printable
from spielwerk.terminal.boards import draw, in_ascii

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from spielwerk.games import State

LONGEST: Final = 200
"""How many characters of a server's text are shown."""

_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)


class Language(StrEnum):
    """The languages."""

    GERMAN = "de"
    ENGLISH = "en"


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the locale asks for: German for de, de_AT and the like, else English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    chosen = next((name for name in names if name), "")
    return Language.GERMAN if re.match(r"de(?![a-z])", chosen.lower()) else Language.ENGLISH


def visible(text: str) -> str:
    """The text on one line, what does not print escaped, and cut when it is very long."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return printable(cut)


@cache
def catalogue() -> Mapping[str, Mapping[str, str]]:
    """Every sentence by its code and its language."""
    text = files(__package__).joinpath("sentences.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, str]] = json.loads(text)
    return found


def sentence(code: str, language: Language, **values: object) -> str:
    """The sentence with its values; texts are made visible."""
    shown = {name: visible(v) if isinstance(v, str) else v for name, v in values.items()}
    return catalogue()[code][language].format(**shown)


class ClientError(SpielwerkError):
    """Why the client gives up, as a sentence."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values

    def said(self, language: Language) -> str:
        """The sentence."""
        return sentence(self.code, language, **self.values)

    def __str__(self) -> str:
        return self.said(Language.ENGLISH)


class Voice:
    """Speaks to the person at the terminal."""

    def __init__(self, console: Console, language: Language) -> None:
        self.console = console
        self.language = language
        self._unicode = console.encoding.lower().startswith("utf")

    def say(self, code: str, **values: object) -> None:
        """Print a sentence."""
        said = sentence(code, self.language, **values)
        if not self._unicode:
            said = said.translate(_UMLAUTS).encode("ascii", "backslashreplace").decode()
        self.console.print(Text(said), soft_wrap=True)

    def show(self, state: State[Any]) -> None:
        """Print the board."""
        board = draw(state)
        self.console.print()
        self.console.print(board if self._unicode else in_ascii(board), soft_wrap=True)
        self.console.print()
