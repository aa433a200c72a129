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

    from spielwerk.store.opening import Readable, Store

PATIENCE: Final = 10.0  # seconds for an answer
MOMENT: Final = 2.0  # the same where it is not important
JSON: Final = {"Content-Type": "application/json"}


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
    url, headers = _place(store, contest)
    body, headers = json.dumps({"jobs": jobs}).encode(), {**headers, **JSON}
    request = Request(f"{url}/{contest}/jobs", body, headers, method="PUT")  # noqa: S310 - ours
    return int(_answer(request, PATIENCE)["jobs"])


def jobs_of(store: Readable, contest: str) -> int | None:
    """How many games a running contest plays at once; None if it does not say so."""
    try:
        url, headers = _place(store, contest)
        listed = _answer(Request(url, headers=headers), MOMENT)["contests"]  # noqa: S310 - ours
        return next(int(one["live"]["jobs"]) for one in listed if one["id"] == contest)
    except (Unreachable, LookupError, TypeError, StopIteration):  # or somebody else is there now
        return None


def _place(store: Readable, contest: str) -> tuple[str, dict[str, str]]:
    """The address of the contests that are served where this one runs, and what opens it."""
    found = keys.get(store, _name(contest))
    if found is None:
        raise Unreachable(f"{contest} is not running, or without its pages; see `contest status`")
    place = json.loads(found)
    return f"{place['url']}/api/v1/contests", {"Authorization": f"Bearer {place['token']}"}


def _answer(request: Request, patience: float) -> dict[str, Any]:
    try:
        with build_opener(ProxyHandler({})).open(request, timeout=patience) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
    except HTTPError as error:
        with error:
            raise Unreachable(_refusal(error)) from None
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        place = request.full_url
        problem = f"the contest does not answer at {place} ({reason}); is it still running?"
        raise Unreachable(problem) from None


def _refusal(error: HTTPError) -> str:
    try:
        return str(json.load(error)["error"])
    except (ValueError, KeyError, TypeError):
        return f"the contest refused: {error}"
