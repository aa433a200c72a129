"""Chromium, a server, and how both are used together."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.arena import Arena, arena
from tests.browser.play import Person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page

    NewPerson = Callable[..., Person]

ARTEFACTS = Path(__file__).parents[2] / "artefacts"

FLAGS = [
    "--no-sandbox",  # the tests may run as root, in a container
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where the browser is; its absence is a failure in CI, and said elsewhere."""
    found = shutil.which("chromium")
    message = "Chromium is not installed (Debian: apt-get install chromium)"
    if found is None and os.environ.get("CI"):
        pytest.fail(message)
    if found is None:
        pytest.skip(message)
    return found


@pytest.fixture(scope="session")
def browser_type_launch_args(chromium: str) -> dict[str, Any]:
    """How pytest-playwright starts the browser."""
    return {"executable_path": chromium, "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    """A German desktop, unless a test says otherwise."""
    return {"locale": "de-DE", "viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    """One server for all tests that do not stop it."""
    with arena(tmp_path_factory.mktemp("arena")) as one:
        yield one


@pytest.fixture
def errors(page: Page) -> Iterator[list[str]]:
    """What the page complains about; anything is a failure."""
    heard: list[str] = []
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("console", lambda line: heard.append(line.text) if line.type == "error" else None)
    yield heard
    assert heard == []


QUICK = "localStorage.spielwerk ??= JSON.stringify({{ step: 0, display: 0, analysis: {} }})"


@pytest.fixture
def person(served: Arena, browser: Browser) -> Iterator[NewPerson]:
    """People, each with a browser of their own; nothing moves there, and no page may complain."""
    people: list[Person] = []

    def come(
        language: str = "de",
        hands: str = "mouse",
        size: tuple[int, int] = (1280, 800),
        analysis: bool = False,
        **more: Any,
    ) -> Person:
        context = browser.new_context(
            locale={"de": "de-DE", "en": "en-GB"}[language],
            viewport={"width": size[0], "height": size[1]},
            has_touch=hands == "finger",
            **more,
        )
        context.add_init_script(QUICK.format(json.dumps(analysis)))
        people.append(Person(context.new_page(), served, language, hands))
        return people[-1]

    yield come
    for one in people:
        one.page.context.close()
    assert [one.faults for one in people] == [[] for _ in people]


@pytest.fixture(scope="session")
def picture() -> Callable[[Page, str], None]:
    """Keep a picture of a page."""
    ARTEFACTS.mkdir(exist_ok=True)

    def take(page: Page, name: str) -> None:
        page.screenshot(path=ARTEFACTS / f"{name}.png", animations="disabled")

    return take
