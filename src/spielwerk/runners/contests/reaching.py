"""Where a running contest can be reached, and what to show there; kept in its store.

So whoever may read the store, the author of the contest and nobody else, can change how it runs.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from spielwerk.errors import SpielwerkError
from spielwerk.net import addresses
from spielwerk.store import keys
from spielwerk.store.problems import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.store.owned import Store
    from spielwerk.store.readable import Readable

PATIENCE: Final = 10.0  # seconds for an answer


class Unreachable(SpielwerkError):
    """No running contest that could be told something."""


def _name(contest: str) -> str:
    return f"contest:{contest}"


@contextmanager
def reachable(store: Store, contest: str, address: tuple[str, int], token: str) -> Iterator[None]:
    """Have it in the store where the contest is reached, for as long as it is."""
    host, port = address
    url = f"http://{addresses.written(addresses.reachable(host), port)}"
    keys.put(store, _name(contest), json.dumps({"url": url, "token": token}))
    try:
        yield
    finally:
        with suppress(StoreError):  # whoever takes the contest up forgets it
            forget(store, contest)


def forget(store: Store, contest: str) -> None:
    """Have nothing in the store about where the contest is reached."""
    keys.drop(store, _name(contest))


def tell_jobs(store: Readable, contest: str, jobs: int) -> int:
    """Have a running contest play so many games at once; how many it plays now."""
    found = keys.get(store, _name(contest))
    if found is None:
        raise Unreachable(f"{contest} is not running, or without its pages; see `contest status`")
    place = json.loads(found)
    url = f"{place['url']}/api/v1/contests/{contest}/jobs"
    answer = _put_to(url, {"jobs": jobs}, place["token"])
    return int(answer["jobs"])


def _put_to(url: str, body: dict[str, Any], token: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = Request(url, json.dumps(body).encode(), headers, method="PUT")  # noqa: S310 - ours
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
    except HTTPError as error:
        with error:
            raise Unreachable(_refusal(error)) from None
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        problem = f"the contest does not answer at {url} ({reason}); is it still running?"
        raise Unreachable(problem) from None


def _refusal(error: HTTPError) -> str:
    try:
        return str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the contest refused: {error}"
