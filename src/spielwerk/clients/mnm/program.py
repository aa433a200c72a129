"""The whole program: get the thinker ready, connect, play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.clients.mnm import thinker as words
from spielwerk.clients.mnm.connection import connected
from spielwerk.clients.mnm.connector import Connector
from spielwerk.clients.mnm.process import ThinkerProcess
from spielwerk.clients.mnm.sentences import COMPILING, CONNECTING
from spielwerk.errors import UsageError
from spielwerk.games import find_game
from spielwerk.wire.mnm.boards import game_kinds

if TYPE_CHECKING:
    from spielwerk.clients.mnm.settings import Settings
    from spielwerk.clients.mnm.voice import Voice
    from spielwerk.games import Game


def play(settings: Settings, game: str, seat: int | None, voice: Voice) -> None:
    """Play the game to its end, or raise ClientError."""
    with ThinkerProcess(settings.engine, _games(settings.kind), voice.language) as thinker:
        _wait_until_ready(thinker, voice)
        voice.say(CONNECTING, host=settings.host, port=settings.port)
        with connected(settings.host, settings.port, settings.patience, thinker) as connection:
            Connector(settings, game, seat, connection, thinker, voice).run()


def _games(kind: str | None) -> list[Game[Any]]:
    """The games that may have to be played."""
    return [find_game(name)() for name, called in game_kinds().items() if kind in (None, called)]


def _wait_until_ready(thinker: ThinkerProcess, voice: Voice) -> None:
    """Let the thinker compile, however long it takes."""
    while True:
        for message in thinker.messages():
            if message.word == words.READY:
                return
            if message.word == words.UNSUITABLE:
                raise UsageError(message.text)
            voice.say(COMPILING, game=message.text)
