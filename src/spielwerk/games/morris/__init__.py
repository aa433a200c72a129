"""Nine Men's Morris: all that only this game knows."""

from __future__ import annotations

from spielwerk.games import ContestFacts, Kit

KIT = Kit(
    __name__,
    rules="Morris",
    service="mnm",
    bot="spielwerk.clients.mnm.bot:play_bot",
    mnm_kind="NMMorris",
    servers=("mnm",),
    commands=("solve=spielwerk.games.morris.command:solve",),
    contest=ContestFacts(example={"name": "Morris Cup"}),
)
