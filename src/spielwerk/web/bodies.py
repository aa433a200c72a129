"""What requests bring: a body that is a JSON object of a known form, and numbers in the query.

And what an answer may say besides: that it is a file to be saved.

Peers may be slow, lying or broken: what cannot be understood is a BadRequest whose sentence names
the part, its value and what is allowed there.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from spielwerk.errors import SpielwerkError, quote

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from spielwerk.web.site import WebSettings

_WORDS: Final = {
    "string_type": "a text",
    "string_unicode": "a text",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "dict_type": "an object",
    "model_type": "an object",
    "list_type": "a list",
}


class BadRequest(SpielwerkError):
    """A request that cannot be understood; the sentence says why."""


class TooSlow(BadRequest):
    """A body that did not arrive in time; nothing more is expected of that connection."""


class BodyTooLarge(SpielwerkError):
    """A body of more bytes than are allowed."""


class Body(BaseModel):
    """The base of what bodies look like; null is as good as nothing, the unknown is ignored."""

    model_config = ConfigDict(strict=True, frozen=True)


Form = TypeVar("Form", bound=Body)


async def read_body(request: Request, form: type[Form], *, optional: bool = False) -> Form:
    """The body in this form, or BadRequest; one that is optional may be empty."""
    body = await _content(request)
    return read_form(_parsed(body) if body or not optional else {}, form)


def read_form(value: dict[str, Any], form: type[Form]) -> Form:
    """The JSON object in this form, or BadRequest."""
    try:
        return form.model_validate(_without_nulls(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        key = next(part for part in reversed(first["loc"]) if isinstance(part, str))
        if isinstance(first["loc"][-1], int):
            what = "texts" if first["type"] == "string_type" else "objects"
            raise BadRequest(f"{key} must be a list of {what}") from None
        wanted = _WORDS.get(first["type"], first["msg"])
        raise BadRequest(f"{key} = {quote(json.dumps(first['input']))}: must be {wanted}") from None


async def _content(request: Request) -> bytes:
    settings: WebSettings = request.app.state.settings
    too_large = BodyTooLarge(f"the body has more than {settings.body_limit} bytes")
    declared = request.headers.get("content-length", "")
    if declared.isdigit() and int(declared) > settings.body_limit:
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(settings.patience):
            async for chunk in request.stream():
                body += chunk
                if len(body) > settings.body_limit:
                    raise too_large
    except TimeoutError:
        raise TooSlow(f"the body did not arrive within {settings.patience:g} s") from None
    return bytes(body)


def _parsed(body: bytes) -> dict[str, Any]:
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


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(part) for key, part in value.items() if part is not None}
    return [_without_nulls(part) for part in value] if isinstance(value, list) else value


def digits(text: str, most: int = 9) -> int | None:
    """The number that these few digits write; None if there are more, or others."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def whole_number(request: Request, name: str, usual: int, most: int, least: int = 0) -> int:
    """The number in the request's query, or BadRequest."""
    text = request.query_params.get(name, str(usual))
    number = -1 if (found := digits(text)) is None else found
    if not least <= number <= most:
        raise BadRequest(f"{name}={quote(text)}: must be a number from {least} to {most}")
    return number


def download(answer: Response, name: str) -> Response:
    """The answer, to be saved as a file of that name."""
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
