"""Oware in a browser: tables to sit at, and move servers that do as they are told."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Self

from playwright.sync_api import Locator, Page, expect

from spielwerk.games.oware.rules import Oware, OwareState, Step, format_board
from spielwerk.web.texts import catalogue
from tests.browser.arena import Arena
from tests.waiting import PATIENCE

Answering = Callable[["Request"], bytes | None]


DE: Final = catalogue("de")
LONG: Final = PATIENCE * 1000  # for the browser, which counts milliseconds
AT_ONCE: Final = {"step": 0, "display": 0}

CAPTURE: Final = "312553"  # the last move is B's and collects two houses
STARVING: Final = "45215243500455"  # then B has nothing and some of A's houses bring nothing
MAJORITY: Final = "41552342340010552"  # E-1, A wins
STUCK_EVEN: Final = "54053243215145220013213253453435"  # E-2, a draw
REPEATED: Final = "03403251132344425031155404250350314552354415235044315502132"  # E-3, a draw


def after(moves: str) -> OwareState:
    """The state after these moves from the start."""
    state = Oware().start()
    for move in moves:
        state = state.play(int(move))
    return state


def named(step: Step) -> list[Any]:
    """A step as the board tells it."""
    board = step.board
    stones = {"A": board[0], "B": board[1]}
    stones |= {f"{'AB'[n // 6]}{n % 6}": board[2 + n] for n in range(12)}
    return [step.action.value, f"{'AB'[step.row]}{step.house}", step.hand, stones]


# move servers


class Request:
    """The four lines that ask for a move."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.strategy, self.depth, self.board, self.history, rest = text.split("\n")
        assert rest == ""


class MoveServer:
    """A move server of the Oware task that answers what it is told to; None is silence."""

    def __init__(self, answer: Answering) -> None:
        self.requests: list[Request] = []
        self.closed = 0  # connections that the other side has closed after our answer
        self._answer = answer
        self._kept: list[socket.socket] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.engine = f"remote:127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in self._kept:
            connection.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        text = b""
        while text.count(b"\n") < 4 and (data := connection.recv(4096)):
            text += data
        self.requests.append(Request(text.decode()))
        self._kept.append(connection)
        answer = self._answer(self.requests[-1])
        if answer is not None:
            connection.sendall(answer)
            connection.settimeout(PATIENCE)
            self.closed += connection.recv(1) == b""


def answer(request: Request, move: str) -> bytes:
    """The right answer with this move."""
    board = format_board(after(request.history + move).board)
    return f"OK\nSomebody\nSome strategy\n{move}\n{board}\n".encode()


def playing(moves: str, *, after_seconds: float = 0.0) -> Answering:
    """Play this game, whichever side it is."""

    def choose(request: Request) -> bytes:
        time.sleep(after_seconds)
        return answer(request, moves[len(request.history)])

    return choose


def gated(gate: threading.Event, answering: Answering) -> Answering:
    """Answer only once the gate is open."""

    def choose(request: Request) -> bytes | None:
        gate.wait(PATIENCE)
        return answering(request)

    return choose


# tables

PLAY: Final = """async ([table, moves, own]) => {
  const socket = new WebSocket(`ws://${location.host}/live?table=${table}&seen=0`);
  let [known, turn, sent] = [0, -2, -1];
  await new Promise((resolve, reject) => {
    socket.onclose = () => reject(new Error("the line was closed"));
    socket.onmessage = ({ data }) => {
      const { type, error, from, plies, state } = JSON.parse(data);
      if (type === "refused") reject(new Error(error));
      if (plies) known = from + plies.length;
      if (state) turn = state.turn;
      if (known >= moves.length && known > sent) return resolve();
      if (!own.includes(turn) || sent === known) return;
      sent = known;
      const move = { type: "move", id: `m${known}`, seat: turn, ply: known, move: moves[known] };
      setTimeout(() => socket.send(JSON.stringify(move)), known < 30 ? 0 : 60);
    };
  });
  socket.onclose = null;
  socket.close();
}"""

WATCH: Final = """() => {
  const board = document.querySelector("sw-oware");
  const now = () => Math.round(performance.now());
  const counted = ({ dataset }) => [dataset.house, +dataset.count];
  window.counts = () =>
    Object.fromEntries([...board.querySelectorAll("[data-house]")].map(counted));
  window.steps = [];
  window.changes = [];
  window.pressed = [];
  let before = JSON.stringify(counts());
  new MutationObserver(() => {
    const { step, at, hand } = board.dataset;
    if (step) steps.push([step, at, +hand, counts(), now()]);
  }).observe(board, { attributes: true, attributeFilter: ["data-step"] });
  new MutationObserver(() => {
    const after = JSON.stringify(counts());
    if (after !== before) changes.push([now(), counts()]);
    before = after;
  }).observe(board, { childList: true, subtree: true });
  addEventListener("pointerdown", () => pressed.push(now()), true);
}"""


class OwareTable:
    """A table in a page, and what can be done there with a mouse."""

    def __init__(self, page: Page, arena: Arena) -> None:
        self.page = page
        self.arena = arena
        self.url = arena.url
        self.id = ""

    def prepare(self, **settings: Any) -> None:
        """Have these settings in this browser, unless it has some already; nothing is analysed."""
        kept = json.dumps(json.dumps({"analysis": False, **settings}))
        self.page.add_init_script(f'localStorage.spielwerk ??= {kept}; "use strict";')

    def new(self, *seats: str, moves: str = "", **general: Any) -> str:
        """Set up a table, persons at this browser, and play these moves of theirs."""
        self.id = self.arena.new("oware", *seats, page=self.page, **general)
        if moves:
            own = [number for number, seat in enumerate(seats) if seat == "HUMAN"]
            self.page.goto(f"{self.url}/help")
            self.page.evaluate(PLAY, [self.id, moves, own])
        return self.id

    def open(self, *seats: str, moves: str = "", **general: Any) -> OwareTable:
        """Set up a table and go there."""
        self.new(*seats, moves=moves, **general)
        return self.visit()

    def visit(self) -> OwareTable:
        """Go to the table and watch its board from now on."""
        self.page.goto(f"{self.url}/t/{self.id}")
        return self.watch()

    def watch(self) -> OwareTable:
        """Watch the board from now on."""
        self.page.wait_for_selector("sw-oware [data-house]", timeout=LONG)
        self.page.evaluate(WATCH)
        return self

    # what it shows

    @property
    def headline(self) -> Locator:
        """What the banner says first."""
        return self.page.locator("[data-turn] h2")

    @property
    def said(self) -> Locator:
        """What it says then."""
        return self.page.locator("[data-turn] p")

    @property
    def hint(self) -> Locator:
        """The button that asks for advice."""
        return self.page.locator("[data-turn] button").filter(has_text=DE["table.hint"])

    def seat(self, number: int) -> Locator:
        """A seat; A is 0."""
        return self.page.locator(f".seat:has(.emblem--p{number})")

    def house(self, name: str) -> Locator:
        """A house that can be pointed at."""
        return self.page.locator(f'sw-oware .target[data-id="{name}"]')

    def mark(self, name: str) -> Locator:
        """Marks on the board: m-hover, m-legal, m-sel, is-hint, m-last."""
        return self.page.locator(f"sw-oware .marks .{name}")

    def counts(self) -> dict[str, int]:
        """The stones in every house and store, as they are shown now."""
        return dict(self.page.evaluate("counts()"))

    def expect_position(self, state: OwareState) -> None:
        """Wait until the board shows this."""
        for house, count in counted(state).items():
            shown = self.page.locator(f'sw-oware [data-house="{house}"]')
            expect(shown).to_have_attribute("data-count", str(count), timeout=LONG)

    def expect_open(self, *houses: str) -> None:
        """Wait until these houses can be played, and no others."""
        legal = self.page.locator("sw-oware .target.is-legal")
        expect(legal).to_have_count(len(houses), timeout=LONG)
        for house in houses:
            expect(self.house(house)).to_have_class("target is-legal", timeout=LONG)

    def expect_length(self, plies: int) -> None:
        """Wait until the list of moves has so many."""
        expect(self.page.locator(".moves [data-ply]")).to_have_count(plies, timeout=LONG)

    # what one does

    def point(self, house: str, *, radii: float = 0.0) -> None:
        """Put the pointer on a house, so many radii away from its middle, diagonally."""
        box = box_of(self.house(house))
        away = 0.5 + radii / 8**0.5
        self.page.mouse.move(box.x + away * box.width, box.y + away * box.height)

    def click(self, house: str) -> None:
        """Press and release the left button there, whether it can be played or not."""
        self.point(house)
        self.page.mouse.down()
        self.page.mouse.up()


class Box(NamedTuple):
    """Where something is on the page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of it."""
        return self.x + self.width / 2, self.y + self.height / 2


def box_of(element: Locator) -> Box:
    """Where it is."""
    box = element.bounding_box()
    assert box, "it is not to be seen"
    return Box(box["x"], box["y"], box["width"], box["height"])


def counted(state: OwareState) -> dict[str, int]:
    """The numbers that a board shows; when the game is over everybody has the own row."""
    a, b = state.outcome.score if state.outcome else state.board[:2]
    houses = [0] * 12 if state.outcome else state.board[2:]
    return {"A": int(a), "B": int(b)} | {
        f"{'AB'[n // 6]}{n % 6}": stones for n, stones in enumerate(houses)
    }
