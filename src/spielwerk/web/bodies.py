"""Reading a request's body and the JSON in it, from peers that may be slow, lying or broken."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, NoReturn

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from starlette.requests import Request

    from spielwerk.web.site import Limits


class BadRequest(SpielwerkError):
    """A request that cannot be understood; the sentence says why."""


class TooSlow(BadRequest):
    """A body that did not arrive in time; nothing more is expected of that connection."""


class BodyTooLarge(SpielwerkError):
    """A body of more bytes than are allowed."""


async def read_body(request: Request, limits: Limits) -> bytes:
    """The whole body, or what is wrong with it."""
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > limits.body:
        raise _too_large(limits)
    body = bytearray()
    try:
        async with asyncio.timeout(limits.patience):
            async for chunk in request.stream():
                body += chunk
                if len(body) > limits.body:
                    raise _too_large(limits)
    except TimeoutError:
        raise TooSlow(f"the body did not arrive within {limits.patience:g} s") from None
    return bytes(body)


def _too_large(limits: Limits) -> BodyTooLarge:
    return BodyTooLarge(f"the body has more than {limits.body} bytes")


def read_object(body: bytes) -> dict[str, Any]:
    """The JSON object in a body, or BadRequest."""
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError:
        raise BadRequest("the body is not UTF-8 text") from None
    except RecursionError:
        raise BadRequest("the body is nested too deeply") from None
    except ValueError as error:
        raise BadRequest(f"the body is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise BadRequest("the body must be a JSON object")
    return value


def _no_number(text: str) -> NoReturn:
    raise BadRequest(f"{text} is no number in JSON")


def part(whole: dict[str, Any], key: str, kind: type, default: Any) -> Any:
    """What stands under the key, or the default if nothing does; BadRequest for another type."""
    value = whole.get(key)
    if value is None:
        return default
    if type(value) is not kind:
        raise BadRequest(f"{key} = {quote(json.dumps(value))}: must be {_WORDS[kind]}")
    return value


_WORDS = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}
