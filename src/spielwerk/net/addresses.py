"""Addresses: how they are written, and which of them stand for all."""

from __future__ import annotations

from typing import Final

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - nobody is bound here
"""Where a service listens that everybody may reach; and where it is found from its own machine."""


def written(host: str, port: int) -> str:
    """Host and port, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable(host: str) -> str:
    """Where a service that listens there is found from its own machine."""
    return EVERYWHERE.get(host, host)
