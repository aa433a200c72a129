"""The contests that the browser tests look at, and how they are visited."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from playwright.sync_api import Page, WebSocketRoute, expect

from spielwerk.contests.contest import Phase
from tests.browser.oware import LONG
from tests.browser.test_hostile import SHOWN
from tests.servers.live import Live
from tests.web.contest_samples import NAMES, Maker, Playing, Wish, exhibit

Change = Callable[[dict[str, Any]], None]


BEAMER: Final = (1280, 720)
CUT: Final = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).length"

FINISHED: Final = Wish(rounds=3)
RUNNING: Final = Wish(
    id="running", name="Würfelrunde", game="dice", names=NAMES[:6], done=0.4, phase=Phase.TRAINING
)
THIRTY: Final = Wish(
    id="thirty",
    name="Alle gegen alle",
    names=tuple(f"Gruppe {number:02d}, Bot {'abc'[number % 3]}" for number in range(30)),
    rounds=1,
    whole=0,
)
HOSTILE: Final = Wish(
    id="hostile",
    name=SHOWN["markup"],
    names=(*SHOWN.values(), "__proto__", "constructor"),
    faults=True,
)
UNBEGUN: Final = Wish(id="unbegun", name="Morgen", names=NAMES[:4], done=0.0)
LONGER: Final = "Die Rechenknechte von 3000"
NAMED: Final = Wish(
    id="named",
    name="Fehlerhafte Programme, eine lange Bezeichnung, damit der Titel bricht",
    names=(LONGER, *NAMES[1:10], "w" * 60, NAMES[11]),
)
LADDER: Final = Wish(
    id="ladder", name="Leiter", names=NAMES[:3], phase=Phase.TRAINING, faults=False, ladder=0
)
LONG_NAME: Final = (
    "Quarto-Cup im Wintersemester 2026/27, Übungsgruppe 3, Donnerstag 14 Uhr, Halle 7"
)
QUARTO: Final = Wish(
    id="quarto",
    name=LONG_NAME,
    game="quarto",
    names=("w" * 60, "Die Rechenknechte 3000"),
    faults=False,
)
DICE: Final = Wish(
    id="dice", name=LONG_NAME, game="dice", names=("anna", "bert", "carl"), faults=False
)
SHORT: Final = Wish(
    id="short", game="dice", names=NAMES[:6], phase=Phase.TRAINING, options=("target=3",)
)
WISHES: Final = (
    FINISHED, RUNNING, THIRTY, HOSTILE, UNBEGUN, NAMED, LADDER, QUARTO, DICE, SHORT,
)  # fmt: skip


def playing(server: Live, wish: Wish, games: int) -> Playing:
    """A contest whose next games can be watched, each a few moves old."""
    maker, contest = Maker(wish), Playing(wish.id)
    first = len(maker.played())
    for number in range(first, first + games):
        pairing = maker.pairings[number]
        record = maker.record(pairing, maker.outcome(pairing))
        moves = record.moves[: 2 + number % 9]
        exhibit(server, replace(record, id=f"live{number:07d}", moves=moves, result=None))
        contest.shown[f"live{number:07d}"] = number
    return contest


def go(page: Page, contests: Live, path: str) -> Page:
    """Visit a page and wait until it has filled itself."""
    page.goto(contests.url + path)
    expect(page.locator("[data-live] .conn--ok")).to_have_count(1, timeout=LONG)
    expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
    if "running" in path:
        expect(page.locator("[data-boards] .frame > *")).to_have_count(12, timeout=LONG)
        page.wait_for_load_state("networkidle")
    return page


class Line:
    """A page's line to the server: it can be cut, and tell something else than the server."""

    def __init__(self, change: Change | None = None) -> None:
        self._change = change
        self._cut = False
        self._sockets: list[WebSocketRoute] = []

    def take(self, socket: WebSocketRoute) -> None:
        """The page connects."""
        if self._cut:
            socket.close()
            return
        self._sockets.append(socket)
        socket.connect_to_server().on_message(lambda text: socket.send(self._told(str(text))))

    def cut(self) -> None:
        """From now on there is no server."""
        self._cut = True
        for socket in self._sockets:
            socket.close()

    def say(self, message: dict[str, Any]) -> None:
        """Tell the page something by itself."""
        for socket in self._sockets:
            socket.send(json.dumps(message))

    def mend(self) -> None:
        """The server is back."""
        self._cut = False

    def _told(self, text: str) -> str:
        message = json.loads(text)
        if self._change and "progress" in message:
            self._change(message)
        return json.dumps(message)
