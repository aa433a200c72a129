"""Everything the client says, in German and in English."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rich.text import Text

from spielwerk.errors import SpielwerkError, printable
from spielwerk.terminal.boards import draw, in_ascii

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console

    from spielwerk.games import State

LONGEST: Final = 200
"""How many characters of a server's text are shown."""


class Language(IntEnum):
    """The languages, in the order of a phrase."""

    GERMAN = 0
    ENGLISH = 1


def language_of(environment: Mapping[str, str]) -> Language:
    """The language that the locale asks for: German for de, de_AT and the like, else English."""
    names = (environment.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    chosen = next((name for name in names if name), "")
    return Language.GERMAN if re.match(r"de(?![a-z])", chosen.lower()) else Language.ENGLISH


def visible(text: str) -> str:
    """The text on one line, what does not print escaped, and cut when it is very long."""
    cut = text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
    return printable(cut)


class Phrase(NamedTuple):
    """One sentence in all languages, with names for what is put in."""

    german: str
    english: str

    def said(self, language: Language, **values: object) -> str:
        """The sentence with its values; texts are made visible."""
        shown = {name: visible(v) if isinstance(v, str) else v for name, v in values.items()}
        return self[language].format(**shown)


class ClientError(SpielwerkError):
    """Why the client gives up, in a sentence; `code` is what the program ends with."""

    def __init__(self, phrase: Phrase, *, code: int = 1, **values: object) -> None:
        super().__init__(phrase, values)
        self.phrase = phrase
        self.code = code
        self.values = values

    def said(self, language: Language) -> str:
        """The sentence."""
        return self.phrase.said(language, **self.values)

    def __str__(self) -> str:
        return self.said(Language.ENGLISH)


# what happens

COMPILING: Final = Phrase(
    "Die Engine für {game} wird übersetzt: das geschieht einmal und dauert eine Weile ...",
    "Compiling the {game} engine: this happens once and takes a while ...",
)
CONNECTING: Final = Phrase(
    "Verbindung zu {host}, Port {port} ...", "Connecting to {host}, port {port} ..."
)
BANNER: Final = Phrase(
    "Der Gameserver hat die Version {version}.", "The game server has version {version}."
)
PLAYING: Final = Phrase(
    'Gespielt wird {kind}, das Spiel heißt "{name}".', 'The game is {kind}, its name is "{name}".'
)
SEATED: Final = Phrase(
    "Wir sind Spieler {number} ({name}), insgesamt sind es {total} Spieler.",
    "We are player {number} ({name}), there are {total} players.",
)
READY: Final = Phrase("Spieler {number} ({name}) ist bereit.", "Player {number} ({name}) is ready.")
NOT_READY: Final = Phrase(
    "Spieler {number} ({name}) ist noch nicht bereit.",
    "Player {number} ({name}) is not ready yet.",
)
WAITING: Final = Phrase(
    "Wir warten auf den anderen Spieler ...", "Waiting for the other player ..."
)
MOVE_ASKED: Final = Phrase(
    "Wir sind am Zug und haben {milliseconds} ms Zeit.",
    "It is our turn, we have {milliseconds} ms.",
)
PLAYED: Final = Phrase(
    "Wir spielen {move} nach {milliseconds} ms.", "We play {move} after {milliseconds} ms."
)
MOVE_ACCEPTED: Final = Phrase("Der Zug gilt.", "The move is accepted.")
THINKER_LATE: Final = Phrase(
    "Der Thinker hat nicht rechtzeitig geantwortet, darum ziehen wir irgendeinen gültigen Zug.",
    "The thinker has not answered in time, so we play any legal move.",
)
THINKER_FAILED: Final = Phrase(
    "Der Thinker weiß keinen Zug ({problem}), darum ziehen wir irgendeinen gültigen Zug.",
    "The thinker knows no move ({problem}), so we play any legal move.",
)
WON: Final = Phrase("Das Spiel ist aus: Wir haben gewonnen.", "The game is over: we have won.")
LOST: Final = Phrase(
    "Das Spiel ist aus: Spieler {number} ({name}) hat gewonnen.",
    "The game is over: player {number} ({name}) has won.",
)
DRAWN: Final = Phrase("Das Spiel ist aus: Unentschieden.", "The game is over: it is a draw.")
CONNECTOR_GONE: Final = Phrase(
    "Der Connector ist nicht mehr da, darum endet auch der Thinker.",
    "The connector is gone, so the thinker ends, too.",
)

# what goes wrong

UNKNOWN_HOST: Final = Phrase(
    'Den Rechner "{host}" gibt es nicht oder er ist gerade nicht zu finden ({problem}).',
    'The host "{host}" does not exist or cannot be found now ({problem}).',
)
CONNECTION_REFUSED: Final = Phrase(
    "{host} nimmt auf Port {port} keine Verbindung an: Läuft dort der Gameserver?",
    "{host} accepts no connection on port {port}: is the game server running there?",
)
UNREACHABLE: Final = Phrase(
    "{host} ist auf Port {port} nicht zu erreichen ({problem}).",
    "{host} cannot be reached on port {port} ({problem}).",
)
WRONG_KIND: Final = Phrase(
    'Falsche Spielart: Der Server spielt "{kind}", dieser Client {wanted}.',
    'Wrong kind of game: the server plays "{kind}", this client {wanted}.',
)
WRONG_VERSION: Final = Phrase(
    "Falsche Version: Der Server hat die Version {version}, dieser Client kennt {known}.",
    "Wrong version: the server has version {version}, this client knows {known}.",
)
VERSION_REFUSED: Final = Phrase(
    'Der Server nimmt unsere Version nicht an: "{text}"',
    'The server does not accept our version: "{text}"',
)
UNKNOWN_GAME: Final = Phrase(
    'Das Spiel "{game}" gibt es auf diesem Server nicht: "{text}"',
    'There is no game "{game}" on this server: "{text}"',
)
NO_SEAT: Final = Phrase(
    'Kein freier Platz: Das Spiel "{game}" hat für uns keinen Spieler frei: "{text}"',
    'No free seat: the game "{game}" has no player left for us: "{text}"',
)
TIMED_OUT: Final = Phrase(
    'Zeit überschritten: Dem Server haben wir zu spät geantwortet: "{text}"',
    'Time-out: we answered the server too late: "{text}"',
)
INVALID_MOVE: Final = Phrase(
    'Ungültiger Zug: Der Server nimmt {move} nicht an: "{text}"',
    'Invalid move: the server does not accept {move}: "{text}"',
)
REFUSED: Final = Phrase(
    'Der Server hat die Verbindung beendet: "{text}"',
    'The server has ended the connection: "{text}"',
)
CONNECTION_LOST: Final = Phrase(
    "Die Verbindung zum Server ist abgebrochen, bevor das Spiel zu Ende war ({problem}).",
    "The connection to the server was lost before the game was over ({problem}).",
)
SILENT: Final = Phrase(
    "Der Server hat {seconds:g} Sekunden lang nicht geantwortet.",
    "The server has not answered for {seconds:g} seconds.",
)
GARBAGE: Final = Phrase(
    'Der Server hält sich nicht an das Protokoll: erwartet war "{expected}", gekommen ist "{got}".',
    'The server does not keep to the protocol: expected "{expected}", got "{got}".',
)
THINKER_GONE: Final = Phrase(
    "Der Thinker ist nicht mehr da ({how}), darum endet auch der Connector.",
    "The thinker is gone ({how}), so the connector ends, too.",
)
CONFIG_UNREADABLE: Final = Phrase(
    "Die Konfiguration {path} ist nicht zu lesen: {problem}.",
    "The configuration {path} cannot be read: {problem}.",
)
CONFIG_NO_ASSIGNMENT: Final = Phrase(
    '{path}, Zeile {line}: erwartet war Name = Wert, nicht "{text}".',
    '{path}, line {line}: expected name = value, not "{text}".',
)
CONFIG_UNKNOWN_NAME: Final = Phrase(
    '{path}, Zeile {line}: "{name}" ist unbekannt; es gibt {known}.',
    '{path}, line {line}: "{name}" is unknown; there are {known}.',
)
CONFIG_TWICE: Final = Phrase(
    '{path}, Zeile {line}: "{name}" steht schon weiter oben.',
    '{path}, line {line}: "{name}" has been given before.',
)
CONFIG_WRONG_VALUE: Final = Phrase(
    '{where}: "{value}" geht nicht, erwartet ist {expected}.',
    '{where}: "{value}" will not do, expected is {expected}.',
)


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
