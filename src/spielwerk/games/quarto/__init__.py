"""Quarto: all that only this game knows."""

from __future__ import annotations

from spielwerk.games import Kit

KIT = Kit(
    __name__,
    rules="Quarto",
    service="mnm",
    bot="spielwerk.clients.mnm.bot:play_bot",
    mnm_kind="Quarto",
    servers=("mnm",),
)
