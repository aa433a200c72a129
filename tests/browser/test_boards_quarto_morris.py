"""The boards of Quarto and Nine Men's Morris by themselves: positions in, moves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.games.morris.rules import Morris
from spielwerk.games.quarto.rules import Quarto
from spielwerk.web.views import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from spielwerk.games import State
    from tests.browser.arena import Arena

    Put = Callable[..., "Shown"]

pytestmark = pytest.mark.usefixtures("errors")

QUARTO = "9 4 * * / 15 14 * * / * 7 * 10 / * 0 * * next 1"
MILL = "10.001.0/101010.0/...1.101 hand 0 0 player 0 capture 0 quiet 10"
TWO_MILLS = "0.0...../.0....../.0.1.1.1 hand 5 5 player 0 capture 0 quiet 0"

SETTING = """async () => {
  const at = (path) => `/static/test/${path}`;
  for (const name of ["css/boards", "games/quarto/board", "games/morris/board"]) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: at(`${name}.css`) });
    document.head.append(link);
    await new Promise((done) => link.addEventListener("load", done));
  }
  const { set } = await import(at("js/settings.js"));
  await import(at("games/quarto/board.js"));
  await import(at("games/morris/board.js"));
  window.setStep = (step) => set("step", step);
  window.heard = [];
  for (const name of ["sw-move", "sw-try", "sw-choice"]) {
    addEventListener(name, (event) => heard.push([name.slice(3), ...Object.values(event.detail)]));
  }
}"""

PUT = """([tag, position, seat, width]) => {
  window.setStep(0);
  const board = window.board = document.createElement(tag);
  document.querySelector("main").replaceChildren(board);
  board.style.setProperty("width", width);
  board.show(position);
  board.input = { seat, legal: position.view.legal };
}"""


class Shown:
    """A board in the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def click(self, *fields: str) -> None:
        """Click on fields, also on those that cannot be played."""
        for field in fields:
            self.page.locator(f'[data-id="{field}"]').click(force=True)

    def keys(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            self.page.keyboard.press(key)

    def heard(self) -> list[list[Any]]:
        """What the board has told since the last time."""
        return list(self.page.evaluate("heard.splice(0)"))

    def moves(self) -> list[str]:
        """The moves that it has told."""
        return [event[1] for event in self.heard() if event[0] == "move"]

    def choices(self) -> list[str]:
        """The choices that it has told."""
        return [event[1] for event in self.heard() if event[0] == "choice"]

    def drag(self, origin: str, target: str) -> None:
        """Drag from the middle of one field to that of another."""
        for field, button in ((origin, self.page.mouse.down), (target, self.page.mouse.up)):
            box = self.page.locator(f'[data-id="{field}"]').bounding_box()
            assert box
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            self.page.mouse.move(x, y, steps=5)
            button()

    def label(self, field: str) -> str | None:
        """What a screen reader says of the field."""
        return self.page.locator(f'[data-id="{field}"]').get_attribute("aria-label")

    def count(self, selector: str) -> int:
        """How many elements there are of a kind."""
        return self.page.locator(selector).count()


@pytest.fixture
def put(page: Page, served: Arena) -> Put:
    """Put a position on a page of the server, under the server's own policy."""

    def shown(
        state: State[Any], last: str | None = None, width: str = "44rem", language: str = "de"
    ) -> Shown:
        page.goto(f"{served.url}/help?lang={language}")
        page.evaluate(SETTING)
        position = {"view": view(state), "last": None}
        if last is not None:
            move = state.game.parse_move(last)
            seat, state = state.turn, state.play(move)
            position = {"view": view(state, move), "last": {"n": 0, "seat": seat, "move": last}}
        page.evaluate(PUT, [f"sw-{state.game.name}", position, max(state.turn, 0), width])
        return Shown(page)

    return shown


def quarto(text: str = QUARTO, n: int = 4) -> State[Any]:
    """A position of Quarto."""
    return Quarto(n=n).parse_state(text)


def morris(text: str) -> State[Any]:
    """A position of Nine Men's Morris."""
    return Morris().parse_state(text)


@pytest.mark.parametrize("order", [("A2", "stone-12"), ("stone-12", "A2")])
def test_square_and_stone_make_a_move_in_either_order(put: Put, order: tuple[str, str]) -> None:
    board = put(quarto(), "D1,6")
    board.click(order[0])
    assert board.choices() == ["A2," if order[0] == "A2" else ",12"]
    board.click(order[1])
    assert board.moves() == ["A2,12"]


def test_an_occupied_square_is_crossed_out_and_asked_about(put: Put) -> None:
    board = put(quarto(), "D1,6")
    board.click("A4")
    assert board.heard() == [["try", "A4,2", "A4"]]
    assert board.count(".m-refused") == 1
    board.page.wait_for_selector(".m-refused", state="detached")


def test_quarto_by_keyboard_alone(put: Put) -> None:
    board = put(quarto(), "D1,6")
    board.page.locator('.target[tabindex="0"]').focus()
    board.keys(
        "ArrowRight", "ArrowRight", "ArrowDown", "Enter", "ArrowRight", "ArrowRight", "Enter"
    )
    assert board.moves() == ["C3,2"]
    assert board.count('.target[tabindex="0"]') == 1


def test_the_stone_to_place_can_be_dragged(put: Put) -> None:
    board = put(quarto(), "D1,6")
    board.drag("hand", "C2")
    board.click("stone-5")
    assert board.moves() == ["C2,5"]
    assert board.count(".dragged") == 0


def test_quarto_tells_a_screen_reader_everything(put: Put) -> None:
    board = put(quarto(), "D1,6")
    assert board.label("A4") == "A4, Stein 9: kurz, rund, dunkel, hohl"
    assert board.label("A2") == "A2, frei, hier kannst du setzen"
    assert board.label("D1") == "D1, Stein 1: kurz, rund, dunkel, voll, letzter Zug"
    board = put(quarto(), "D1,6", language="en")
    assert board.label("stone-12") == "stone 12: short, square, light, hollow"


def test_a_hint_marks_square_and_stone(put: Put) -> None:
    board = put(quarto(), "D1,6")
    board.page.evaluate("board.hint('C2,5')")
    assert board.count(".marks .is-hint") == 1
    assert board.count('.supply .is-hint[data-id="stone-5"]') == 1


@pytest.mark.parametrize(("n", "width"), [(2, 1280), (5, 360), (16, 360), (16, 1280)])
def test_every_size_fits_and_all_stones_can_be_reached(put: Put, n: int, width: int) -> None:
    board = put(Quarto(n=n, first=1).start(), width="100%" if width == 360 else "44rem")
    board.page.set_viewport_size({"width": width, "height": 800})
    assert board.page.evaluate("document.documentElement.scrollWidth") <= width
    board.click(f"stone-{n * n - 1}", "A1")
    assert board.moves() == [f"A1,{n * n - 1}"]
    corner = f"{chr(ord('A') + n - 1)}{n}"
    board.click(corner, "stone-0")
    assert board.moves() == [f"{corner},0"]


def test_on_a_narrow_page_a_large_board_scrolls_to_the_last_move(put: Put) -> None:
    board = put(Quarto(n=16, first=1).start(), "P16,200", width="100%")
    board.page.set_viewport_size({"width": 360, "height": 800})
    board.page.evaluate("board.show({ ...board.position })")
    last = board.page.locator('[data-id="P16"]').bounding_box()
    assert last
    assert last["x"] + last["width"] <= 360
    assert last["width"] >= 24  # enough for a finger
    assert board.page.locator(".supply").evaluate("node => node.clientHeight") < 400
    board.page.locator('[data-id="stone-0"]').focus()
    board.keys("ArrowDown", "ArrowRight", "Enter")
    assert len(board.choices()) == 1


def test_the_whole_turn_is_one_move_and_stays_in_sight(put: Put) -> None:
    board = put(morris(MILL))
    board.click("A1", "A2", "C7")
    assert board.moves() == ["A1:A2;C7"]
    assert board.count('.pieces [data-field="A2"]') == 1
    assert board.count('.pieces [data-field="C7"]') == 0


def test_escape_goes_back_step_by_step(put: Put) -> None:
    board = put(morris(MILL))
    board.click("A1", "A2")
    board.keys("Escape", "Escape")
    assert board.choices() == ["A1:", "A1:A2;", "A1:", ""]


def test_morris_stones_can_be_dragged(put: Put) -> None:
    board = put(morris(MILL))
    board.drag("A1", "A2")
    board.click("B4")
    assert board.moves() == ["A1:A2;B4"]


@pytest.mark.parametrize(
    ("clicks", "move"),
    [(["A0"], "A0:A2"), (["A6"], "A6"), (["B5", "A6"], "B5:A6"), (["A1", "A2", "A3"], "A1:A2;A3")],
)
def test_what_cannot_be_played_is_asked_about(put: Put, clicks: list[str], move: str) -> None:
    board = put(morris(MILL))
    board.click(*clicks)
    assert board.heard()[-1] == ["try", move, clicks[-1]]


def test_morris_by_keyboard_alone(put: Put) -> None:
    board = put(morris(MILL))
    board.page.locator('[data-id="A0"]').focus()
    board.keys("ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowLeft", "ArrowLeft", "Enter")
    assert board.moves() == ["A1:A2;A0"]


def test_a_turned_board_has_its_fields_elsewhere(put: Put) -> None:
    board = put(morris(MILL))
    before = board.page.locator('[data-id="A0"]').bounding_box()
    board.page.evaluate("board.flipped = true")
    after = board.page.locator('[data-id="A0"]').bounding_box()
    assert before
    assert after
    assert (after["x"], after["y"]) > (before["x"], before["y"])
    board.click("A1", "A2", "C7")
    assert board.moves() == ["A1:A2;C7"]


def test_a_newer_position_ends_the_motion(put: Put) -> None:
    board = put(morris(MILL))
    states = [morris(MILL)]
    plies = []
    for move in ("A1:A2", "C7", "A0:A1"):
        decision = states[-1].game.parse_move(move)
        seat = states[-1].turn
        states.append(states[-1].play(decision))
        plies.append({"view": view(states[-1], decision), "last": {"seat": seat, "move": move}})
    board.page.evaluate(
        """async (plies) => {
          setStep(5000);
          for (const ply of plies.slice(0, -1)) board.show(ply, { animate: true });
          await board.show(plies.at(-1));
        }""",
        plies,
    )
    assert board.page.evaluate("document.getAnimations().length") == 0
    assert board.count(".pieces [data-field]") == 16
    assert board.count('.pieces [data-field="A1"]') == 1
