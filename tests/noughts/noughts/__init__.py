"""Noughts and crosses: all that only this game knows."""

from __future__ import annotations

from spielwerk.games import Kit

KIT = Kit(__name__, rules="Noughts", service="mnm", mnm_kind="Noughts")
