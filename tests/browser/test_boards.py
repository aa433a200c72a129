"""The boards by themselves: positions in, moves out, and how a move is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from spielwerk.games import State
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware, OwareState, move_steps
from spielwerk.games.oware.view import steps
from spielwerk.games.quarto.rules import Quarto
from spielwerk.web.views import view
from tests.browser.arena import Arena
from tests.browser.oware import named

Position = dict[str, Any]
Put = Callable[..., "Shown"]


pytestmark = pytest.mark.usefixtures("errors")

QUARTO = "9 4 * * / 15 14 * * / * 7 * 10 / * 0 * * next 1"
MILL = "10.001.0/101010.0/...1.101 hand 0 0 player 0 capture 0 quiet 10"
SKIPPED = "0 0 1 2 12 1 4 4 4 4 6 0 6 4"  # the pictures of Oware's appendix A
COLLECTED = "16 16 0 0 0 0 3 5 2 1 0 1 2 2"
GRAND_SLAM = "17 18 1 0 0 0 0 5 1 2 1 2 1 0"
MAJORITY = "13 21 1 0 0 0 0 4 2 2 2 2 0 1"
FULL = "3 5 1 2 0 1 0 23 1 1 2 1 7 1"
RACE = "saved 91 74 99 points 0 turns 29 choose"

SETTING = """async ([tag, width]) => {
  const at = (path) => `/static/test/${path}`;
  for (const name of ["css/table", "css/boards", `games/${tag}/board`]) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: at(`${name}.css`) });
    document.head.append(link);
    await new Promise((done) => link.addEventListener("load", done));
  }
  const { set } = await import(at("js/settings.js"));
  await import(at(`games/${tag}/board.js`));
  window.setStep = (step) => set("step", step);
  const board = window.board = document.createElement(`sw-${tag}`);
  const main = document.querySelector("main");
  main.replaceChildren(board);
  main.style.setProperty("display", "block");
  main.style.setProperty("max-width", "none");
  board.style.setProperty("width", width);
  window.heard = [];
  for (const name of ["sw-move", "sw-try", "sw-choice"]) {
    addEventListener(name, (event) => heard.push([name.slice(3), ...Object.values(event.detail)]));
  }
  const counted = ({ dataset }) => [dataset.house, +dataset.count];
  window.counts = () =>
    Object.fromEntries([...board.querySelectorAll("[data-house]")].map(counted));
  window.seen = [];
  new MutationObserver(() => board.dataset.step && seen.push(
    [board.dataset.step, board.dataset.at, +board.dataset.hand, counts()],
  )).observe(board, { attributes: true, attributeFilter: ["data-step"] });
}"""

SHOW = """async ([position, step]) => {
  setStep(step);
  await board.show(position, { animate: step > 0 });
  const { turn, legal } = position.view;
  board.input = turn < 0 ? null : { seat: turn, legal };
}"""


class Shown:
    """A board in the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def show(self, position: Position, step: int = 0) -> None:
        """Show a position, its last move in steps of so many milliseconds."""
        self.page.evaluate(SHOW, [position, step])

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
    """Put the last of these positions on a page of the server, under the server's own policy."""

    def shown(tag: str, line: list[Position], width: str = "44rem", language: str = "de") -> Shown:
        page.goto(f"{served.url}/help?lang={language}")
        page.evaluate(SETTING, [tag, width])
        board = Shown(page)
        board.show(line[-1])
        return board

    return shown


def line(state: State[Any], *moves: str) -> list[Position]:
    """The position and those after each of the moves."""
    found: list[Position] = [{"view": view(state), "last": None}]
    for number, text in enumerate(moves):
        move = state.game.parse_move(text)
        told = steps(state, move) if isinstance(state, OwareState) else None
        last = {"n": number, "seat": state.turn, "move": text, "steps": told}
        state = state.play(move)
        found.append({"view": view(state, move), "last": last})
    return found


def quarto(*moves: str) -> list[Position]:
    return line(Quarto().parse_state(QUARTO), *moves)


def morris(*moves: str) -> list[Position]:
    return line(Morris().parse_state(MILL), *moves)


def oware(text: str, *moves: str) -> list[Position]:
    return line(Oware().parse_state(text), *moves)


def dice(*moves: str, text: str = RACE) -> list[Position]:
    return line(Dice().parse_state(text), *moves)


# Quarto


@pytest.mark.parametrize("order", [("A2", "stone-12"), ("stone-12", "A2")])
def test_square_and_stone_make_a_move_in_either_order(put: Put, order: tuple[str, str]) -> None:
    board = put("quarto", quarto("D1,6"))
    board.click(order[0])
    assert board.choices() == ["A2," if order[0] == "A2" else ",12"]
    board.click(order[1])
    assert board.moves() == ["A2,12"]


def test_an_occupied_square_is_crossed_out_and_asked_about(put: Put) -> None:
    board = put("quarto", quarto("D1,6"))
    board.click("A4")
    assert board.heard() == [["try", "A4,2", "A4"]]
    assert board.count(".m-refused") == 1
    board.page.wait_for_selector(".m-refused", state="detached")


def test_quarto_by_keyboard_alone(put: Put) -> None:
    board = put("quarto", quarto("D1,6"))
    board.page.locator('.target[tabindex="0"]').focus()
    board.keys(
        "ArrowRight", "ArrowRight", "ArrowDown", "Enter", "ArrowRight", "ArrowRight", "Enter"
    )
    assert board.moves() == ["C3,2"]
    assert board.count('.target[tabindex="0"]') == 1


def test_the_stone_to_place_can_be_dragged(put: Put) -> None:
    board = put("quarto", quarto("D1,6"))
    board.drag("hand", "C2")
    board.click("stone-5")
    assert board.moves() == ["C2,5"]
    assert board.count(".dragged") == 0


def test_quarto_tells_a_screen_reader_everything(put: Put) -> None:
    board = put("quarto", quarto("D1,6"))
    assert board.label("A4") == "A4, Stein 9: niedrig, rund, dunkel, hohl"
    assert board.label("A2") == "A2, frei, hier kannst du setzen"
    assert board.label("D1") == "D1, Stein 1: niedrig, rund, dunkel, voll, letzter Zug"
    board = put("quarto", quarto("D1,6"), language="en")
    assert board.label("stone-12") == "stone 12: short, square, light, hollow"


def test_a_hint_marks_square_and_stone(put: Put) -> None:
    board = put("quarto", quarto("D1,6"))
    board.page.evaluate("board.hint('C2,5')")
    assert board.count(".marks .is-hint") == 1
    assert board.count('.supply .is-hint[data-id="stone-5"]') == 1


@pytest.mark.parametrize(("n", "width"), [(2, 1280), (5, 360), (16, 360), (16, 1280)])
def test_every_size_fits_and_all_stones_can_be_reached(put: Put, n: int, width: int) -> None:
    board = put("quarto", line(Quarto(n=n, first=1).start()), "100%" if width == 360 else "44rem")
    board.page.set_viewport_size({"width": width, "height": 800})
    assert board.page.evaluate("document.documentElement.scrollWidth") <= width
    board.click(f"stone-{n * n - 1}", "A1")
    assert board.moves() == [f"A1,{n * n - 1}"]
    corner = f"{chr(ord('A') + n - 1)}{n}"
    board.click(corner, "stone-0")
    assert board.moves() == [f"{corner},0"]


def test_on_a_narrow_page_a_large_board_scrolls_to_the_last_move(put: Put) -> None:
    board = put("quarto", line(Quarto(n=16, first=1).start(), "P16,200"), "100%")
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


# Morris


def test_the_whole_turn_is_one_move_and_stays_in_sight(put: Put) -> None:
    board = put("morris", morris())
    board.click("A1", "A2", "C7")
    assert board.moves() == ["A1:A2;C7"]
    assert board.count('.pieces [data-field="A2"]') == 1
    assert board.count('.pieces [data-field="C7"]') == 0


def test_escape_goes_back_step_by_step(put: Put) -> None:
    board = put("morris", morris())
    board.click("A1", "A2")
    board.keys("Escape", "Escape")
    assert board.choices() == ["A1:", "A1:A2;", "A1:", ""]


def test_morris_stones_can_be_dragged(put: Put) -> None:
    board = put("morris", morris())
    board.drag("A1", "A2")
    board.click("B4")
    assert board.moves() == ["A1:A2;B4"]


@pytest.mark.parametrize(
    ("clicks", "move"),
    [(["A0"], "A0:A2"), (["A6"], "A6"), (["B5", "A6"], "B5:A6"), (["A1", "A2", "A3"], "A1:A2;A3")],
)
def test_what_cannot_be_played_is_asked_about(put: Put, clicks: list[str], move: str) -> None:
    board = put("morris", morris())
    board.click(*clicks)
    assert board.heard()[-1] == ["try", move, clicks[-1]]


def test_morris_by_keyboard_alone(put: Put) -> None:
    board = put("morris", morris())
    board.page.locator('[data-id="A0"]').focus()
    board.keys("ArrowRight", "Enter", "ArrowRight", "Enter", "ArrowLeft", "ArrowLeft", "Enter")
    assert board.moves() == ["A1:A2;A0"]


def test_a_turned_board_has_its_fields_elsewhere(put: Put) -> None:
    board = put("morris", morris())
    before = board.page.locator('[data-id="A0"]').bounding_box()
    board.page.evaluate("board.flipped = true")
    after = board.page.locator('[data-id="A0"]').bounding_box()
    assert before
    assert after
    assert (after["x"], after["y"]) > (before["x"], before["y"])
    board.click("A1", "A2", "C7")
    assert board.moves() == ["A1:A2;C7"]


def test_a_newer_position_ends_the_motion(put: Put) -> None:
    _, *plies = morris("A1:A2", "C7", "A0:A1")
    board = put("morris", morris())
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


# Oware and dice


@pytest.mark.parametrize(
    ("text", "move", "width"),
    [(SKIPPED, 2, 1280), (COLLECTED, 5, 360), (GRAND_SLAM, 5, 1280), (MAJORITY, 5, 360)],
)
def test_a_move_is_shown_in_the_steps_of_the_document(
    page: Page, put: Put, text: str, move: int, width: int
) -> None:
    before, after = oware(text, str(move))
    page.set_viewport_size({"width": width, "height": 740})
    board = put("oware", [before])
    board.show(after, step=15)
    seen = [step for step in board.page.evaluate("seen") if step[0] not in ("pause", "gather")]
    assert seen == [named(step) for step in move_steps(Oware().parse_state(text), move)]
    assert board.page.evaluate("board.dataset.step") is None


def test_a_newer_position_ends_the_steps_at_once(put: Put) -> None:
    before, after = oware(FULL, "5")
    board = put("oware", [before])
    page = board.page
    page.evaluate("(after) => { setStep(200); board.show(after, { animate: true }); }", after)
    page.wait_for_selector('[data-step="sow"]')
    board.show(oware(COLLECTED)[0])
    assert page.evaluate("board.dataset.step ?? null") is None
    assert board.page.evaluate("counts()")["A"] == 16
    assert board.count(".oware-hand .seed") == 0


def test_oware_by_keyboard_and_for_screen_readers(put: Put) -> None:
    board = put("oware", oware(COLLECTED))
    label = board.page.locator("sw-oware svg").first.get_attribute("aria-label")
    assert label == "Oware-Brett. A hat 16, B hat 16. A ist am Zug."
    board.page.locator('.target[tabindex="0"]').focus()
    board.keys(*["ArrowRight"] * 5)
    assert board.page.evaluate("document.activeElement.ariaLabel") == "Haus A5, 5 Steine"
    board.keys("Enter")
    assert board.moves() == ["5"]


def test_dice_show_throw_and_points_and_say_them(put: Put) -> None:
    board = put("dice", dice("ROLL", "6 5", "ROLL", "5 4"))
    assert board.count("sw-dice .die-pip") == 9
    assert board.page.locator(".lane--p2 .pts").inner_text().split() == ["Punkte", "99", "+20"]
    track = board.page.locator(".lane--p2 .track")
    assert track.get_attribute("aria-label") == "99 gesichert, 20 in diesem Zug, Ziel 150"
    assert board.page.locator(".lane.is-due").count() == 1
    assert "20" in board.page.locator(".dice-caption").inner_text()


def test_a_double_is_marked_and_said(put: Put) -> None:
    board = put("dice", dice("ROLL", "3 3"))
    assert board.count(".m-bad.dice-double") == 2
    assert "Pasch" in board.page.locator(".dice-caption").inner_text()


def test_the_dice_stay_in_the_tray_until_the_next_throw(put: Put) -> None:
    start, _, thrown, saved = dice("ROLL", "6 5", "SAVE")
    board = put("dice", [start])
    assert board.count(".is-blank") == 2
    for position in (thrown, saved):
        board.show(position, step=15)
        assert board.count("sw-dice .die-pip") == 11


def test_a_race_that_is_spoilt_has_no_winner(put: Put) -> None:
    """How it ended may be known only after the last throw is shown."""
    *_, before, won = dice("ROLL", "6 5", text="saved 91 74 130 points 15 turns 29 choose")
    board = put("dice", [won])
    caption = board.page.locator(".dice-caption")
    board.page.evaluate("document.querySelector('sw-dice').spoilt = true")
    assert " ".join(caption.inner_text().split()) == "erreicht 156 Punkte"
    assert {one.split()[-1] for one in board.page.locator(".chance").all_inner_texts()} == {
        "\N{EN DASH}"
    }
    board.show(before)
    assert "auf dem Spiel" in caption.inner_text()
