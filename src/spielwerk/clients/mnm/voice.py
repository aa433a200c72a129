"""What the client prints: sentences in one language, and boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rich.text import Text

from spielwerk.terminal.boards import draw, in_ascii

if TYPE_CHECKING:
    from rich.console import Console

    from spielwerk.clients.mnm.sentences import Language, Phrase
    from spielwerk.games import State

_UMLAUTS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss"}
)


class Voice:
    """Speaks to the person at the terminal."""

    def __init__(self, console: Console, language: Language) -> None:
        self.console = console
        self.language = language
        self._unicode = console.encoding.lower().startswith("utf")

    def say(self, phrase: Phrase, **values: object) -> None:
        """Print a sentence."""
        self.console.print(Text(self._fit(phrase.said(self.language, **values))), soft_wrap=True)

    def show(self, state: State[Any]) -> None:
        """Print the board."""
        board = draw(state)
        self.console.print()
        self.console.print(board if self._unicode else in_ascii(board), soft_wrap=True)
        self.console.print()

    def _fit(self, sentence: str) -> str:
        """The sentence for a terminal that may know only ASCII."""
        if self._unicode:
            return sentence
        return sentence.translate(_UMLAUTS).encode("ascii", "backslashreplace").decode()
