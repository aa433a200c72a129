"""Oware: all that only this game knows."""

from __future__ import annotations

from spielwerk.games.kit import Kit

KIT = Kit(
    __name__,
    rules="Oware",
    service="oware",
    servers=("oware",),
    commands=("check=spielwerk.check.oware:check",),
    remote="spielwerk.clients.oware:make_remote",
)
