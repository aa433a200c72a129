"""How a person works a page: with a mouse, with a finger, or with the keyboard alone."""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import Locator, Page, expect

STOPS = 200  # of the Tab key, before something counts as out of its reach
STEPS = 80  # of the arrow keys on a board

FOCUSED = "node => node === document.activeElement"
BEFORE = """node => !!(document.activeElement.compareDocumentPosition(node)
  & Node.DOCUMENT_POSITION_PRECEDING)"""

# Where the focus is on the board, and how far away the field lies on the screen.
AWAY = """(board, id) => {
  const here = document.activeElement.closest?.(".target[data-id]");
  if (!board.contains(here)) return null;
  const middle = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const there = board.querySelector(`.target[data-id="${id}"]`);
  const [[x, y], [fx, fy]] = [middle(here), middle(there)];
  return [here.dataset.id, fx - x, fy - y];
}"""


class Hands(Protocol):
    """What a person can do with a page."""

    def press(self, button: Locator) -> None:
        """Press a button, or follow a link."""

    def write(self, field: Locator, text: str) -> None:
        """Write something into a field, in place of what is there."""

    def choose(self, select: Locator, value: str) -> None:
        """Choose from a list that unfolds; the value begins the entry's text."""

    def slide(self, slider: Locator, steps: int) -> None:
        """Set a slider to so many steps from its beginning."""

    def touch(self, board: Locator, field: str) -> None:
        """Press a field of a board."""


class Mouse:
    """The mouse; only writing needs keys."""

    def press(self, button: Locator) -> None:
        button.click()

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)

    def choose(self, select: Locator, value: str) -> None:
        select.select_option(value)

    def slide(self, slider: Locator, steps: int) -> None:
        slider.focus()
        _slide(slider, steps)

    def touch(self, board: Locator, field: str) -> None:
        self.press(board.locator(f'.target[data-id="{field}"]'))


class Finger(Mouse):
    """A finger on a screen."""

    def press(self, button: Locator) -> None:
        button.tap()


class Keys:
    """The keyboard alone: Tab, arrows, Enter, and what is typed."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def reach(self, node: Locator) -> None:
        """Go there with the Tab key."""
        expect(node).to_be_visible()
        key = "Shift+Tab" if node.evaluate(BEFORE) else "Tab"
        for _ in range(STOPS):
            if node.evaluate(FOCUSED):
                return
            self._page.keyboard.press(key)
        raise AssertionError(f"the Tab key never comes to {node}")

    def press(self, button: Locator) -> None:
        expect(button).to_be_enabled()
        self.reach(button)
        self._page.keyboard.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        expect(field).to_be_editable()
        self.reach(field)
        self._page.keyboard.press("Control+A")
        self._page.keyboard.type(text)

    def choose(self, select: Locator, value: str) -> None:
        self.reach(select)
        self._page.keyboard.type(value)

    def slide(self, slider: Locator, steps: int) -> None:
        self.reach(slider)
        _slide(slider, steps)

    def touch(self, board: Locator, field: str) -> None:
        if board.evaluate(AWAY, field) is None:
            self.reach(board.locator('.target[tabindex="0"]').first)
        self._steer(board, field)
        self._page.keyboard.press("Enter")

    def _steer(self, board: Locator, field: str) -> None:
        """Go there with the arrow keys, never the same way twice."""
        tried: dict[str, list[str]] = {}
        for _ in range(STEPS):
            here, x, y = board.evaluate(AWAY, field)
            if here == field:
                return
            gone = tried.setdefault(here, [])
            gone.append(next(key for key in _ways(x, y) if key not in gone))
            self._page.keyboard.press(gone[-1])
        raise AssertionError(f"the arrow keys never come to {field}")


def _slide(slider: Locator, steps: int) -> None:
    for key in ("Home", *["ArrowRight"] * steps):
        slider.press(key)


def _ways(x: float, y: float) -> list[str]:
    """The arrow keys, the most promising first."""
    sideways = ["ArrowRight", "ArrowLeft"] if x > 0 else ["ArrowLeft", "ArrowRight"]
    upwards = ["ArrowDown", "ArrowUp"] if y > 0 else ["ArrowUp", "ArrowDown"]
    (first, last), (second, third) = sorted(
        (sideways, upwards), key=lambda keys: -abs(x if keys is sideways else y)
    )
    return [first, second, third, last]
