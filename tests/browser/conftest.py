"""Chromium, a server, and how both are used together."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

from tests.browser.arena import Arena, arena
from tests.browser.contests import RUNNING, WISHES, Line, go, playing
from tests.browser.contexts import Contexts
from tests.browser.play import NewPage, NewPerson, Person
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import write

LOCALES = {"de": "de-DE", "en": "en-GB"}
QUICK = "localStorage.spielwerk ??= JSON.stringify({{ step: 0, display: 0, analysis: {} }})"
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
def faults() -> Iterator[list[str]]:
    """What the pages complain about; what is left here is a failure."""
    heard: list[str] = []
    yield heard
    assert heard == []


@pytest.fixture
def errors(page: Page, faults: list[str]) -> None:
    """Nothing that the page complains about is allowed."""
    _listen(page, faults)


def _listen(page: Page, faults: list[str], *, console: bool = True) -> None:
    """Note what the page complains about; to be asked to wait for an engine is no fault."""

    def hear(line: ConsoleMessage) -> None:
        if console and line.type == "error" and "status of 429" not in line.text:
            faults.append(line.text)

    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", hear)


@pytest.fixture(scope="session")
def every_context(browser: Browser) -> Contexts:
    """The contexts of the browser, which go with it."""
    return Contexts(browser)


@pytest.fixture
def contexts(every_context: Contexts, request: pytest.FixtureRequest) -> Iterator[Contexts]:
    """The contexts of the browser, for one test."""
    every_context.fresh = request.node.get_closest_marker("fresh") is not None
    yield every_context
    every_context.give_back()


@pytest.fixture
def page(contexts: Contexts, browser_context_args: dict[str, Any]) -> Page:
    """A page as a visitor comes to it first."""
    return contexts.take(**browser_context_args)


@pytest.fixture
def visitor(contexts: Contexts, faults: list[str]) -> NewPage:
    """Pages, each in a browser of its own, where nothing moves."""

    def come(
        language: str = "de",
        size: tuple[int, int] = (1280, 800),
        analysis: bool = False,
        console: bool = True,
        **more: Any,
    ) -> Page:
        viewport = ViewportSize(width=size[0], height=size[1])
        page = contexts.take(locale=LOCALES[language], viewport=viewport, **more)
        page.add_init_script(QUICK.format(json.dumps(analysis)))
        _listen(page, faults, console=console)
        return page

    return come


@pytest.fixture(scope="session")
def contests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with contests, one of which it seems to play: fourteen games at once."""
    folder = tmp_path_factory.mktemp("contests")
    write(folder, *WISHES)
    with live(settings_for(folder)) as one:
        one.server.contest = playing(one, RUNNING, 14)
        yield one


@pytest.fixture
def look(visitor: NewPage, contests: Live) -> NewPage:
    """Visit a page of the contests; `line` is what it has in place of its line to the server."""

    def come(path: str, line: Line | None = None, **more: Any) -> Page:
        page = visitor(console=line is None, **more)
        if line is not None:
            page.route_web_socket(re.compile("/live"), line.take)
        return go(page, contests, path)

    return come


@pytest.fixture
def person(served: Arena, visitor: NewPage) -> NewPerson:
    """People, each with a browser of their own."""

    def come(language: str = "de", hands: str = "mouse", **more: Any) -> Person:
        page = visitor(language, has_touch=hands == "finger", **more)
        return Person(page, served, language, hands)

    return come


@pytest.fixture(scope="session")
def picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """Keep a picture of a page, where the slow tests run as well."""
    kept = request.config.getoption("markexpr") != "not slow"
    ARTEFACTS.mkdir(exist_ok=True)

    def take(page: Page, name: str) -> None:
        if kept:
            page.screenshot(path=ARTEFACTS / f"{name}.png", animations="disabled")

    return take
