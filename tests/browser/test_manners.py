"""What players expect of each other's company: taking back, draws, moves chosen ahead, no help."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from spielwerk.messages import english, said
from tests.browser.arena import Arena
from tests.browser.oware import LONG
from tests.browser.play import NewPage, Person, text
from tests.browser.test_two_browsers import go_on, players, plies

THINKING = 8000  # milliseconds that an engine waits before it moves

__all__ = ["players"]  # a fixture


@pytest.mark.parametrize("training", [False, True])
def test_an_engine_gives_moves_back_and_help_only_in_training(
    visitor: NewPage, served: Arena, training: bool
) -> None:
    page = visitor("en", analysis=True)
    first = {"begins": 0}
    game = served.sit_down(page, "connect4", "HUMAN", "random", training=training, options=first)
    panel = page.locator(".panel--analysis")
    expect(panel.locator(".eval [data-move]").first).to_be_visible(timeout=LONG, visible=training)
    withheld = said(english("analysed-when-it-is-over"), "en")
    expect(panel.get_by_text(withheld, exact=False)).to_have_count(int(not training))
    page.locator("sw-connect4 .target.is-legal").first.click()
    expect(page.locator(".moves .mv")).to_have_count(2)
    page.get_by_role("button", name=text("en", "table.takeBack")).click()
    expect(page.locator(".moves .mv")).to_have_count(0)
    assert served.record(game)["moves"] == []
    page.get_by_role(
        "button", name=text("en", "table.offerDraw")
    ).click()  # it knows nothing better
    expect(page.locator("[data-turn].is-over")).to_be_visible()
    assert served.record(game)["result"]["winner"] is None


def due(one: Person) -> bool:
    """Whether the browser's tab shows the sign of the own turn."""
    return "icon-due" in str(one.page.locator("link[rel=icon]").get_attribute("href"))


def test_a_move_is_chosen_ahead_and_the_tab_says_whose_turn_it_is(
    players: tuple[Person, Person],
) -> None:
    ada, bo = players
    assert ada.page.title().startswith(ada.t("table.yourTurn"))
    assert bo.page.title().startswith(bo.t("table.turnOf", name="Ada"))
    assert (due(ada), due(bo)) == (True, False)
    bo.board.locator('.target[data-id="B2"]').click(force=True)  # it is not open yet
    expect(bo.banner).to_contain_text(bo.t("table.planned", move="2", name="Ada"))
    assert plies(ada) == []
    ada.play("0")
    expect(ada.page.locator(".moves .mv")).to_have_text(["0", "2"])
    assert plies(bo) == ["0", "2"]
    expect(ada.headline).to_have_text(ada.t("table.yourTurn"))


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("quarto", "sw-quarto .target[data-id='B2']"),
        ("quarto", "sw-quarto .target[data-id^='stone-']"),
        ("dice", "[data-turn] .btn--big"),
    ],
)
def test_a_click_out_of_turn_is_answered(
    visitor: NewPage, served: Arena, kind: str, target: str
) -> None:
    page = visitor("en")
    others = ["level=1"] * (2 if kind == "dice" else 1)
    game = served.sit_down(page, kind, "HUMAN", *others, options={"begins": 1}, pause=THINKING)
    expect(page.locator("[data-turn] h2")).to_contain_text("level=1", timeout=LONG)
    page.locator(target).first.click(force=True)
    expect(page.locator("[data-turn]")).to_contain_text("level=1 is to move.")
    assert [move for move in served.record(game)["moves"] if move["seat"] >= 0] == []


def test_between_people_everything_is_offered(players: tuple[Person, Person]) -> None:
    ada, bo = players
    go_on(ada)
    press(ada, "takeBack")
    expect(bo.banner).to_contain_text(bo.t("table.offered.takeback", name="Ada"))
    press(bo, "accept")
    expect(ada.page.locator(".moves .mv")).to_have_count(0)
    assert plies(bo) == []
    go_on(ada)
    press(ada, "offerDraw")
    press(bo, "decline")
    expect(ada.banner).to_contain_text(ada.t("table.declined.draw", name="Bo"))
    go_on(bo)
    press(bo, "offerDraw")
    press(ada, "accept")
    for one in players:
        expect(one.headline).to_have_text(one.t("table.end.draw", turn=2))


def press(one: Person, name: str) -> None:
    one.page.get_by_role("button", name=one.t(f"table.{name}")).click()
