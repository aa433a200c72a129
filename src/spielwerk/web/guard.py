"""Who may talk to us at all.

A server on loopback is not out of reach of the pages in somebody's browser: they can make it send
requests to 127.0.0.1, and with a name whose address changes to 127.0.0.1 (DNS rebinding) they can
even read the answers. Therefore

- what comes over loopback must call us by an address, `localhost`, this machine's name or a name in
  the setting `web.hosts`. Rebinding needs a name that belongs to the attacker;
- a request that changes something, or opens a socket, and comes from a page (browsers then send
  `Origin`) must come from one of our own. Programs send no `Origin`, and any Content-Type is
  welcome from them.
"""

from __future__ import annotations

import socket
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from spielwerk.errors import quote
from spielwerk.web.texts import refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
REASON: Final = 60  # characters; a socket has no room for more than 123 bytes


class Guard:
    """Answers 403 to what must not reach the application."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = {name.lower() for name in hosts} | {socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or not."""
        reason = self._objection(scope) if scope["type"] in ("http", "websocket") else None
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason[:REASON]})
        else:
            await JSONResponse(refusal(reason), 403)(scope, receive, send)

    def _objection(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if over_loopback(scope) and not self._is_ours(_name(host)):
            return f"{quote(host)} is no name of this server; if it is, add it to web.hosts"
        if scope.get("method") in HARMLESS:
            return None
        foreign = origin is not None and origin.lower().partition("://")[2] != host.lower()
        if foreign or headers.get("sec-fetch-site") == "cross-site":
            return f"pages of {quote(origin or 'another site')} may not do this"
        return None

    def _is_ours(self, name: str) -> bool:
        local = name in ("", "localhost") or name.endswith(".localhost")
        return local or name in self._hosts or _is_address(name)


def over_loopback(scope: Scope) -> bool:
    """Whether the peer is a program on this machine."""
    host, _ = scope.get("client") or ("", 0)
    return _is_address(host) and ip_address(host).is_loopback


def is_local(scope: Scope) -> bool:
    """Whether somebody on this machine asks, not a proxy that asks for others."""
    headers = Headers(scope=scope)
    forwarded = any(name in headers for name in ("forwarded", "x-forwarded-for", "via"))
    return over_loopback(scope) and not forwarded


def address_of(scope: Scope) -> str:
    """The peer's address; of IPv6 the part that a household has to itself."""
    host, _ = scope.get("client") or ("", 0)
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return str(host)
    return str(ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


def _name(host: str) -> str:
    """The host without its port, as it is compared."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().removesuffix(".")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
