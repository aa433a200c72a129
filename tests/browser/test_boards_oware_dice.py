"""The boards of Oware (Oware task, sections 3.3 to 3.5, 3.8, 3.10) and of the dice race."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from spielwerk.games.dice.rules import Dice
from spielwerk.games.oware.rules import Oware, OwareState, Step, move_steps
from spielwerk.games.oware.view import steps
from spielwerk.web import views

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from spielwerk.games import State
    from tests.browser.arena import Arena

    Position = dict[str, Any]
    Put = Callable[..., "Shown"]

pytestmark = pytest.mark.usefixtures("errors")

SKIPPED = "0 0 1 2 12 1 4 4 4 4 6 0 6 4"  # the pictures of appendix A
STARVING = "23 23 1 0 0 0 0 1 0 0 0 0 0 0"
COLLECTED = "16 16 0 0 0 0 3 5 2 1 0 1 2 2"
GRAND_SLAM = "17 18 1 0 0 0 0 5 1 2 1 2 1 0"
MAJORITY = "13 21 1 0 0 0 0 4 2 2 2 2 0 1"
FULL = "3 5 1 2 0 1 0 23 1 1 2 1 7 1"

SETTING = """async (tag) => {
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
  window.heard = [];
  for (const name of ["sw-move", "sw-try"]) {
    addEventListener(name, ({ detail }) => heard.push([name.slice(3), detail.move, detail.field]));
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

    def point(self, field: str, away: float = 0) -> None:
        """Move the pointer to a field, away from its middle by a part of its radius, diagonally."""
        box = self.page.locator(f'[data-id="{field}"]').bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.page.mouse.move(x + away * box["width"] / 8**0.5, y + away * box["height"] / 8**0.5)

    def click(self, field: str) -> None:
        """Click on a field, also on one that cannot be played."""
        self.point(field)
        self.page.mouse.down()
        self.page.mouse.up()

    def heard(self) -> list[list[Any]]:
        """What the board has told since the last time."""
        return list(self.page.evaluate("heard.splice(0)"))

    def counts(self) -> dict[str, int]:
        """The stones in every house and store as the board shows them."""
        return dict(self.page.evaluate("counts()"))

    def count(self, selector: str) -> int:
        """How many elements there are of a kind."""
        return self.page.locator(selector).count()


@pytest.fixture
def put(page: Page, served: Arena) -> Put:
    """Put a position on a page of the server, under the server's own policy."""

    def shown(position: Position, tag: str = "oware", language: str = "de") -> Shown:
        page.goto(f"{served.url}/help?lang={language}")
        page.evaluate(SETTING, tag)
        board = Shown(page)
        board.show(position)
        return board

    return shown


def line(state: State[Any], *moves: str) -> list[Position]:
    """The position and those after each of the moves."""
    found: list[Position] = [{"view": views.view(state), "last": None}]
    for number, text in enumerate(moves):
        move = state.game.parse_move(text)
        last = {
            "n": number,
            "seat": state.turn,
            "move": text,
            "steps": steps(state, move) if isinstance(state, OwareState) else None,
        }
        state = state.play(move)
        found.append({"view": views.view(state, move), "last": last})
    return found


def oware(text: str, *moves: str) -> list[Position]:
    """A line of Oware."""
    return line(Oware().parse_state(text), *moves)


def named(step: Step) -> list[Any]:
    """A step as the board tells it."""
    board = step.board
    stones = {"A": board[0], "B": board[1]}
    stones |= {f"{'AB'[n // 6]}{n % 6}": board[2 + n] for n in range(12)}
    return [step.action.value, f"{'AB'[step.row]}{step.house}", step.hand, stones]


@pytest.mark.parametrize(
    ("text", "move", "width"),
    [(SKIPPED, 2, 1280), (COLLECTED, 5, 360), (GRAND_SLAM, 5, 1280), (MAJORITY, 5, 360)],
)
def test_a_move_is_shown_in_the_steps_of_the_document(
    page: Page, put: Put, text: str, move: int, width: int
) -> None:
    before, after = oware(text, str(move))
    page.set_viewport_size({"width": width, "height": 740})
    board = put(before)
    board.show(after, step=15)
    seen = [step for step in board.page.evaluate("seen") if step[0] not in ("pause", "gather")]
    assert seen == [named(step) for step in move_steps(Oware().parse_state(text), move)]
    assert board.page.evaluate("board.dataset.step") is None


def test_a_newer_position_ends_the_steps_at_once(put: Put) -> None:
    before, after = oware(FULL, "5")
    board = put(before)
    page = board.page
    page.evaluate("(after) => { setStep(200); board.show(after, { animate: true }); }", after)
    page.wait_for_selector('[data-step="sow"]')
    board.show(oware(COLLECTED)[0])
    assert page.evaluate("board.dataset.step ?? null") is None
    assert board.counts()["A"] == 16
    assert board.count(".oware-hand .seed") == 0


def test_oware_by_keyboard_and_for_screen_readers(put: Put) -> None:
    board = put(oware(COLLECTED)[0])
    label = board.page.locator("sw-oware svg").first.get_attribute("aria-label")
    assert label == "Oware-Brett. A besitzt 16, B besitzt 16. A ist am Zug."
    board.page.locator('.target[tabindex="0"]').focus()
    for key in ["ArrowRight"] * 5:
        board.page.keyboard.press(key)
    assert board.page.evaluate("document.activeElement.ariaLabel") == "Haus A5, 5 Steine"
    board.page.keyboard.press("Enter")
    assert board.heard() == [["move", "5", None]]


def dice(*moves: str, text: str = "saved 91 74 99 points 0 turns 29 choose") -> list[Position]:
    """A line of the dice race."""
    return line(Dice().parse_state(text), *moves)


def test_dice_show_throw_and_points_and_say_them(put: Put) -> None:
    board = put(dice("ROLL", "6 5", "ROLL", "5 4")[-1], "dice")
    assert board.count("sw-dice .die-pip") == 9
    assert board.page.locator(".lane--p2 .pts").inner_text().split() == ["Punkte", "99", "+20"]
    track = board.page.locator(".lane--p2 .track")
    assert track.get_attribute("aria-label") == "99 gesichert, 20 in dieser Runde, Ziel 150"
    assert board.page.locator(".lane.is-due").count() == 1
    assert "20" in board.page.locator(".dice-caption").inner_text()


def test_a_double_is_marked_and_said(put: Put) -> None:
    board = put(dice("ROLL", "3 3")[-1], "dice")
    assert board.count(".m-bad.dice-double") == 2
    assert "Pasch" in board.page.locator(".dice-caption").inner_text()


def test_the_dice_stay_in_the_tray_until_the_next_throw(put: Put) -> None:
    start, _, thrown, saved = dice("ROLL", "6 5", "SAVE")
    board = put(start, "dice")
    assert board.count(".is-blank") == 2
    for position in (thrown, saved):
        board.show(position, step=15)
        assert board.count("sw-dice .die-pip") == 11


def test_nobody_wins_a_race_that_is_spoilt(put: Put) -> None:
    """How it ended may be known only after the last throw is shown."""
    *_, before, won = dice("ROLL", "6 5", text="saved 91 74 130 points 15 turns 29 choose")
    board = put(won, "dice")
    caption = board.page.locator(".dice-caption")
    board.page.evaluate("document.querySelector('sw-dice').spoilt = true")
    assert " ".join(caption.inner_text().split()) == "erreicht 156 Punkte"
    assert {one.split()[-1] for one in board.page.locator(".chance").all_inner_texts()} == {
        "\N{EN DASH}"
    }
    board.show(before)
    assert "auf dem Spiel" in caption.inner_text()
