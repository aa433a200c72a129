"""Players by their descriptions: engines here, `remote:HOST:PORT,...` and `bot:COMMAND`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spielwerk.clients.bots import BOT, BotPlayer
from spielwerk.engines.players import REMOTE
from spielwerk.engines.players import make_player as make_local_player
from spielwerk.errors import NotationError
from spielwerk.games import kits

if TYPE_CHECKING:
    from spielwerk.engines.players import Player
    from spielwerk.games import Game


def make_remote(text: str, game: Game[Any]) -> Player:
    """The player on another machine that the text describes, or NotationError."""
    having = {name: kit for name, kit in kits().items() if kit.remote}
    if game.name not in having:
        known = " and ".join(kit.rules for kit in having.values())
        raise NotationError(
            "player", text, f"there are remote players for {known}, not {game.name}"
        )
    player: Player = having[game.name].load(having[game.name].remote)(text, game)
    return player


def make_player(text: str, game: Game[Any]) -> Player:
    """The player that the text describes, here or elsewhere; or NotationError."""
    if text.startswith(BOT):
        return BotPlayer(text)
    return (make_remote if text.startswith(REMOTE) else make_local_player)(text, game)
