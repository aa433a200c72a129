"""Connect Four, flat and solid: all that only this game knows."""

from __future__ import annotations

from spielwerk.games.kit import Kit

KIT = Kit(
    __name__,
    rules="ConnectFour",
    service="connect4",
    servers=("index", "host"),
    commands=("=spielwerk.clients.connect4.command:app",),
)
