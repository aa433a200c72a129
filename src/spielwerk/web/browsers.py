"""Who asks: whether from here, which browser, and whether it is the operator's.

A browser is a random number that it gets with its first page and sends ever after. It cannot make
up another's: the cookie is signed with a secret that stays in the store. The operator knows the
token that was printed when the server started; a browser that has shown it gets a second cookie,
good for this browser and this token only. Programs send the token itself.

A server on loopback or in a local network is not out of reach of foreign pages in a browser there:
they can make it send requests to us, and with a name whose address changes to ours (DNS rebinding)
they can even read the answers. Therefore

- every request must call us by an address, `localhost`, this machine's name or a name in the
  setting `web.hosts`. Rebinding needs a name that belongs to the attacker;
- a request that changes something, or opens a socket, and comes from a page (browsers then send
  `Origin`) must come from one of our own. Programs send no `Origin`, and any Content-Type is
  welcome from them.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import socket
import time
from http.cookies import SimpleCookie
from ipaddress import ip_address
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, cast

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse

from spielwerk.errors import quote
from spielwerk.net.addresses import is_address
from spielwerk.net.rates import Rates
from spielwerk.net.rooms import household
from spielwerk.tables.parts import UNKNOWN, Creator
from spielwerk.web import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.requests import HTTPConnection
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

YEAR: Final = 365 * 24 * 3600
WRONG_TOKENS: Final = 10  # at once from one address, and then
WRONG_RATE: Final = 0.1  # a second, before it is told to wait
DELAY: Final = 0.5  # seconds that the answer to a wrong token takes at least
GUESSES: Final = 10.0  # wrong tokens a second, from everywhere, that are answered
LONGEST_DELAY: Final = 3.0

HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
REASON: Final = 60  # characters; a socket has no room for more than 123 bytes

_KEY: Final = "spielwerk.browsers"  # where the scope has all browsers
_OWN: Final = "spielwerk.browser"  # and this one
_WRONG: Final = "spielwerk.wrong"  # whether it has shown a wrong token
GIVES_WAY: Final = "spielwerk.gives-way"  # whether its connection does when places are short


class Browsers:
    """What is signed, and whether it is genuine."""

    def __init__(
        self, secret: bytes, token: str = "", refused: Callable[[], None] = lambda: None
    ) -> None:
        self._secret = secret
        self._refused = refused  # is told of wrong tokens
        self._token = token or secrets.token_urlsafe(16)
        self._wrong = Rates(WRONG_TOKENS, WRONG_RATE)
        self._next_answer = 0.0  # to a wrong token
        # Cookies do not part ports: two servers on one machine must not take each other's.
        mark = self.sign("cookie")[:8]
        self.browser_cookie = f"browser_{mark}"
        self.operator_cookie = f"operator_{mark}"

    @property
    def token(self) -> str:
        """What the operator has to show."""
        return self._token

    def sign(self, *parts: object) -> str:
        """A signature of these parts, each in its place."""
        text = "\n".join(str(part) for part in parts)
        return hmac.digest(self._secret, text.encode("utf-8", "replace"), "sha256").hex()

    # browsers

    def known(self, scope: Scope) -> str:
        """The browser that the cookie names, if it is genuine."""
        browser, _, signature = _cookies(scope).get(self.browser_cookie, "").partition(".")
        genuine = same(signature, self.sign("browser", browser))
        return browser if browser and genuine else ""

    def browser(self, scope: Scope) -> str:
        """The browser; one that has no name yet gets one with our answer to its request."""
        if _OWN not in scope:
            known = self.known(scope)
            new = secrets.token_hex(16) if scope["type"] == "http" and not known else ""
            scope[_OWN] = (known or new, bool(new))
        return cast("str", scope[_OWN][0])

    def cookie(self, scope: Scope) -> str | None:
        """The cookie that a new browser has to be given."""
        browser, new = scope.get(_OWN, ("", False))
        signed = f"{browser}.{self.sign('browser', browser)}"
        return _cookie(self.browser_cookie, signed, YEAR, scope) if new else None

    # the operator

    def is_operator(self, scope: Scope) -> bool:
        """Whether the operator asks."""
        kind, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            return self.check(scope, token.strip())
        shown, browser = _cookies(scope).get(self.operator_cookie, ""), self.known(scope)
        return bool(browser) and same(shown, self._pass(browser))

    def check(self, scope: Scope, token: str) -> bool:
        """Whether this is the operator's token, which always counts; wrong ones are counted."""
        right = same(token, self._token)
        if not right and not scope.get(_WRONG):
            scope[_WRONG] = True
            self._refused()
            if not self._wrong.count(address_of(scope)):
                log.warning("wrong token again address=%s", address_of(scope))
        return right

    async def delay(self, scope: Scope) -> None:
        """Let those wait who have shown a wrong token, all of them in one queue."""
        if scope.get(_WRONG):
            scope[GIVES_WAY], now = True, time.monotonic()
            self._next_answer = max(self._next_answer, now) + 1 / GUESSES
            await asyncio.sleep(min(DELAY + self._next_answer - now, LONGEST_DELAY))

    def mistrusts(self, scope: Scope) -> bool:
        """Whether too many wrong tokens have come from there."""
        return not self._wrong.allows(address_of(scope))

    def admit(self, scope: Scope, answer: Response) -> None:
        """Let this browser be the operator's from now on."""
        value = self._pass(self.browser(scope))
        answer.headers.append("set-cookie", _cookie(self.operator_cookie, value, YEAR, scope))

    def dismiss(self, scope: Scope, answer: Response) -> None:
        """Let this browser be the operator's no more."""
        answer.headers.append("set-cookie", _cookie(self.operator_cookie, "", 0, scope))

    def _pass(self, browser: str) -> str:
        return self.sign("operator", self._token, browser)


class Identity:
    """Middleware: every request knows who asks, and new browsers get their cookie."""

    def __init__(self, app: ASGIApp, browsers: Browsers) -> None:
        self._app = app
        self._browsers = browsers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with a cookie for a new browser if it gets a page or was asked for."""
        scope[_KEY] = self._browsers

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                await self._browsers.delay(scope)
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    self._browsers.browser(scope)
                if cookie := self._browsers.cookie(scope):
                    headers.append("set-cookie", cookie)
                    headers.setdefault("cache-control", "private, no-cache")
            await send(message)

        await self._app(scope, receive, answer if scope["type"] == "http" else send)


def browser_of(request: HTTPConnection) -> str:
    """The browser that asks; a request always has one, a socket perhaps not (then empty)."""
    return _browsers(request).browser(request.scope)


def is_operator(request: HTTPConnection) -> bool:
    """Whether the operator asks."""
    return _browsers(request).is_operator(request.scope)


def require_operator(request: HTTPConnection) -> None:
    """HTTPException unless the operator asks."""
    if not is_operator(request):
        raise not_the_operator(request)


def not_the_operator(request: HTTPConnection) -> HTTPException:
    """What callers hear who are not the operator."""
    if _browsers(request).mistrusts(request.scope):
        return HTTPException(429, "too many wrong tokens from your address; wait a minute")
    return HTTPException(403, "this needs the operator token, which the server prints at startup")


def _browsers(request: HTTPConnection) -> Browsers:
    return cast("Browsers", request.scope[_KEY])


def _cookies(scope: Scope) -> dict[str, str]:
    return cookie_parser(Headers(scope=scope).get("cookie", ""))


def same(given: str, right: str) -> bool:
    """Whether they are equal, in a time that does not say where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def _cookie(name: str, value: str, age: int, scope: Scope) -> str:
    """The header that sets a cookie which scripts cannot read and other sites cannot send."""
    cookie: SimpleCookie = SimpleCookie()
    cookie[name] = value
    facts: dict[str, Any] = {"path": "/", "max-age": age, "httponly": True, "samesite": "lax"}
    if scope.get("scheme") in ("https", "wss"):
        facts["secure"] = True
    cookie[name].update(facts)
    return cookie[name].OutputString()


# from where


class Guard:
    """Answers 403 to what must not reach the application."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        own = socket.gethostname().lower()
        self._hosts = {own, f"{own}.local", *(name.lower() for name in hosts)}
        # The system may ask a name server for it, which may take its time.
        Thread(target=lambda: self._hosts.add(socket.getfqdn().lower()), daemon=True).start()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or not."""
        reason = self._objection(scope) if scope["type"] in ("http", "websocket") else None
        if reason is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": reason[:REASON]})
        else:
            await JSONResponse(texts.refusal(reason), 403)(scope, receive, send)

    def _objection(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(_name(host)):
            return f"{quote(host)} is no name of this server; if it is, add it to web.hosts"
        if scope.get("method") in HARMLESS:
            return None
        foreign = origin is not None and origin.lower().partition("://")[2] != host.lower()
        if foreign or headers.get("sec-fetch-site") == "cross-site":
            return f"pages of {quote(origin or 'another site')} may not do this"
        return None

    def _is_ours(self, name: str) -> bool:
        local = name in ("", "localhost") or name.endswith(".localhost")
        return local or name in self._hosts or is_address(name)


def over_loopback(scope: Scope) -> bool:
    """Whether the peer is a program on this machine."""
    host, _ = scope.get("client") or ("", 0)
    return is_address(host) and ip_address(host).is_loopback


def is_local(scope: Scope) -> bool:
    """Whether a program on this machine asks for itself, and no proxy for others."""
    headers = Headers(scope=scope)
    forwarded = any(name in headers for name in ("forwarded", "x-forwarded-for", "via"))
    return over_loopback(scope) and not forwarded


def address_of(scope: Scope) -> str:
    """The peer's address, or that for which a proxy asks; of IPv6 a household's part."""
    host, _ = scope.get("client") or ("", 0)
    return household(host)


def creator_of(request: HTTPConnection) -> Creator:
    """Who sets up a table with this request; the operator's tables have no creator."""
    if is_operator(request):
        return UNKNOWN
    return Creator(address_of(request.scope), _browsers(request).known(request.scope))


def _name(host: str) -> str:
    """The host without its port, as it is compared."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().removesuffix(".")
