"""Where things are on the page: nothing moves under the pointer, and nothing is cut off."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.arena import Arena
from tests.browser.oware import LONG, PLAY, Box, box_of
from tests.browser.play import NewPage
from tests.waiting import wait_until


def test_the_buttons_of_the_dice_keep_their_place(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    game = served.sit_down(page, "dice", "HUMAN", "HUMAN", "HUMAN")
    roll, save = (page.locator("[data-turn] .btn--big").nth(n) for n in (0, 1))
    expect(roll).to_be_enabled(timeout=LONG)
    before = places([roll, save])
    for button in (roll, roll, save, roll, roll):
        played = len(served.record(game)["moves"])
        button.click()
        assert places([roll, save]) == before
        wait_until(lambda: len(served.record(game)["moves"]) > played)  # noqa: B023
        expect(roll).to_be_enabled()
        assert places([roll, save]) == before


def test_the_supply_keeps_its_place(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    served.sit_down(page, "quarto", "HUMAN", "HUMAN")
    stones = page.locator('sw-quarto .target[data-id^="stone-"]')
    squares = page.locator("sw-quarto .target.is-legal:not([data-id^='stone-'])")
    expect(squares).to_have_count(16, timeout=LONG)
    before = supply(stones)
    for free in (15, 14, 13):
        squares.first.click()
        assert supply(stones).items() <= before.items()
        page.locator('sw-quarto .target.is-legal[data-id^="stone-"]').first.click()
        expect(squares).to_have_count(free)


def test_a_finished_solid_board_is_in_the_window(visitor: NewPage, served: Arena) -> None:
    page = visitor()
    size = {"width": 4, "height": 4, "depth": 4, "begins": 0}
    game = served.sit_down(page, "connect4", "HUMAN", "HUMAN", options=size)
    page.evaluate(PLAY, [game, ["1", "2", "5", "6", "9", "10", "13"], [0, 1]])
    expect(page.locator("[data-turn].is-over")).to_be_visible(timeout=LONG)
    board = box_of(page.locator("sw-solid"))
    assert board.y >= 0
    assert board.y + board.height <= 800


def test_the_button_of_the_form_is_in_sight_on_a_phone(visitor: NewPage, served: Arena) -> None:
    page = visitor(size=(360, 740))
    page.goto(f"{served.url}/new?game=oware")
    create = page.get_by_role("button", name="Tisch anlegen")
    expect(create).to_be_in_viewport(ratio=1)


def test_players_and_banner_are_in_sight_on_a_phone(visitor: NewPage, served: Arena) -> None:
    page = visitor(size=(360, 740), has_touch=True)
    served.sit_down(page, "quarto", "HUMAN", "level=1", options={"begins": 0})
    expect(page.locator("[data-turn] h2")).to_have_text("Du bist am Zug", timeout=LONG)
    for part in (".seat.is-mine", ".seat:not(.is-mine)", "[data-turn] h2", "[data-turn] .say"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    targets = page.locator("sw-quarto .target.is-legal").all()
    assert min(min(box_of(one).width, box_of(one).height) for one in targets) >= 43.9


def supply(stones: Locator) -> dict[str, Box]:
    return {str(one.get_attribute("data-id")): box_of(one) for one in stones.all()}


def places(buttons: list[Locator]) -> list[Box]:
    return [box_of(button) for button in buttons]
