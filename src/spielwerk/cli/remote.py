"""Talking to a running server's API."""

from __future__ import annotations

import http.client
import json
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

import typer

from spielwerk.errors import UsageError, printable, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE: Final = 30.0  # seconds; the first use of an engine takes a while
LARGEST: Final = 64_000_000


class Remote:
    """A server by its address."""

    def __init__(self, server: str, token: str = "") -> None:
        self.url = (server if "://" in server else f"http://{server}").rstrip("/")
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise UsageError(f"--server {quote(server)}: expected http://HOST:PORT")
        if not (token.isascii() and token.isprintable()):
            raise UsageError("--token: that is no operator's token, which is plain letters")
        self._token = token

    def get(self, path: str) -> dict[str, Any]:
        """What is there."""
        return self._ask(Request(f"{self.url}{path}"))  # noqa: S310 - checked above

    def post(self, path: str, value: dict[str, Any]) -> dict[str, Any]:
        """What the server answers to this."""
        return self._ask(Request(f"{self.url}{path}", json.dumps(value).encode()))  # noqa: S310

    def _ask(self, request: Request) -> dict[str, Any]:
        opener = build_opener(ProxyHandler({}))
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with opener.open(request, timeout=PATIENCE) as answer, understood(self):
                return _object(answer.read(LARGEST))
        except HTTPError as error:
            with error:
                self._refused(error)
        except (URLError, OSError, http.client.HTTPException, ValueError) as error:
            cause = error.reason if isinstance(error, URLError) else error
            reason = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
            fail(
                f"no server at {self.url}: {printable(reason)}; is `spielwerk serve` running there?"
            )

    def _refused(self, error: HTTPError) -> NoReturn:
        try:
            sentence = printable(str(_object(error.read(LARGEST))["error"]))
        except (ValueError, KeyError, TypeError, OSError, RecursionError):
            sentence = (
                f"it answers {error.code} {printable(error.reason)}; is it a Spielwerk server?"
            )
        if error.code == 400:
            raise UsageError(sentence)
        fail(f"{self.url}: {sentence}")


@contextmanager
def understood(remote: Remote) -> Iterator[None]:
    """Whatever an answer has instead of what we expect is one line."""
    try:
        yield
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        fail(f"{remote.url} answers what is not understood; is it a Spielwerk server?")


def _object(body: bytes) -> dict[str, Any]:
    value = json.loads(body)
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


def fail(message: str) -> NoReturn:
    """Say what went wrong, and end with 1."""
    typer.echo(f"spielwerk: {message}", err=True)
    sys.exit(1)
