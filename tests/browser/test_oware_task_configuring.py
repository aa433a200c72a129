"""Oware task, sections 3.2 and 3.12: a new game, and the settings; in the document's order."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.arena import Arena
from tests.browser.oware import DE, LONG, MAJORITY, MoveServer, OwareTable, playing

pytestmark = pytest.mark.usefixtures("errors")

SHOWN: Final = {"person": "table.kind.you", "engine": "table.kind.engine"}
SHOWN_REMOTE: Final = "table.kind.remote"


class Form:
    """The form for a new game of Oware."""

    def __init__(self, page: Page, arena: Arena) -> None:
        self.page = page
        self.arena = arena

    def open(self) -> Form:
        self.page.goto(f"{self.arena.url}/new?game=oware")
        expect(self.page.locator(".cfg")).to_have_count(2, timeout=LONG)
        return self

    def seat(self, number: int) -> Locator:
        """The part for player A (0) or B (1)."""
        return self.page.get_by_role("group", name=DE[f"oware.seat.{number}"], exact=True)

    def choose(self, number: int, kind: str) -> Locator:
        """Choose who plays there."""
        seat = self.seat(number)
        seat.get_by_role("button", name=DE[f"new.kind.{kind}"], exact=True).click()
        return seat

    def engine(self, number: int) -> Locator:
        """Choose a computer here, by strategy and depth."""
        seat = self.choose(number, "engine")
        seat.get_by_text(DE["new.more"], exact=True).click()
        seat.get_by_label(DE["new.exact"], exact=True).check()
        return seat

    def remote(self, number: int, port: int | str, **more: str) -> Locator:
        """Choose a remote player on this machine."""
        seat = self.choose(number, "remote")
        self.field(seat, "new.remote.host").fill("127.0.0.1")
        self.field(seat, "new.remote.port").fill(str(port))
        for name, value in more.items():
            self.field(seat, f"new.{name}").fill(value)
        return seat

    def field(self, seat: Locator, name: str) -> Locator:
        """A field of a seat by its label."""
        return seat.get_by_label(DE[name], exact=True)

    def submit(self) -> None:
        self.page.get_by_role("button", name=DE["new.create"]).click()

    def create(self) -> OwareTable:
        """Make the table and go there."""
        self.submit()
        self.page.wait_for_url(re.compile(r"/t/\w+$"), timeout=LONG)
        table = OwareTable(self.page, self.arena)
        table.id = self.page.url.rpartition("/")[2]
        return table.watch()


@pytest.fixture
def form(page: Page, served: Arena) -> Form:
    OwareTable(page, served).prepare(step=0, display=400)  # two computers are not to race
    return Form(page, served).open()


def values(select: Locator) -> list[str]:
    """What can be chosen in a list."""
    return [str(option) for option in select.evaluate("(s) => [...s.options].map((o) => o.value)")]


# 3.2


@pytest.mark.parametrize(
    ("a", "b"), [("person", "engine"), ("engine", "remote"), ("remote", "person")]
)
def test_the_nine_pairings_can_be_chosen_and_a_begins(
    form: Form, served: Arena, a: str, b: str
) -> None:
    """3.2: person, local or remote computer for A and for B; the first named begins."""
    for number, kind in enumerate((a, b)):
        if kind == "remote":
            seat = form.remote(number, served.addresses["oware"][1])
        else:
            seat = form.engine(number) if kind == "engine" else form.choose(number, kind)
        if kind != "person":
            form.field(seat, "new.depth").select_option("1")
    table = form.create()
    for number, kind in enumerate((a, b)):
        word = DE[SHOWN.get(kind, SHOWN_REMOTE)].split("{")[0]
        expect(table.seat(number).locator(".meta")).to_contain_text(word, timeout=LONG)
    if a == "person":
        table.expect_open("A0", "A1", "A2", "A3", "A4", "A5")
        table.click("A2")
    expect(table.page.locator(".moves tbody td").nth(1)).not_to_be_empty(timeout=LONG)
    moves = served.record(table.id)["moves"]
    assert moves
    assert all(move["seat"] == number % 2 for number, move in enumerate(moves))


def test_the_strategy_of_a_local_computer_is_chosen_by_number_and_name(form: Form) -> None:
    """3.2: at least strategies 0 and 1, the stronger 0 is preset; names may be shown."""
    strategy = form.field(form.engine(1), "new.strategy")
    assert values(strategy) == ["0", "1"]
    assert strategy.input_value() == "0"
    assert strategy.locator("option").nth(0).inner_text() == f"0: {DE['new.strategy.tuned']}"


@pytest.mark.parametrize("kind", ["engine", "remote"])
def test_the_search_depth_is_a_whole_number_from_1_to_9_and_5_at_first(
    form: Form, kind: str
) -> None:
    """3.2: search depth 1 to 9, preset 5, for local and remote computers."""
    for number in (0, 1):
        seat = form.engine(number) if kind == "engine" else form.choose(number, kind)
        depth = form.field(seat, "new.depth")
        assert values(depth) == [str(n) for n in range(1, 10)]
        assert depth.input_value() == "5"


def test_a_computer_has_levels_like_in_other_games(form: Form, served: Arena) -> None:
    """Strategy and depth count only if they are asked for in place of the level."""
    seat = form.choose(1, "engine")
    seat.locator("input[type=range]").fill("7")
    table = form.create()
    assert served.record(table.id)["seats"][1]["engine"] == "level=7"
    form.open()
    form.field(form.engine(1), "new.strategy").select_option("1")
    table = form.create()
    assert served.record(table.id)["seats"][1]["engine"] == "strategy=1,depth=5"


def test_address_port_strategy_and_depth_of_a_remote_computer_are_used(form: Form) -> None:
    """3.2, 3.7: network address and port of the remote player, its strategy and depth."""
    with MoveServer(playing(MAJORITY)) as server:
        seat = form.remote(0, server.port, strategy="1")
        form.field(seat, "new.depth").select_option("7")
        form.choose(1, "person")
        form.create().expect_length(1)
        (asked,) = server.requests
    assert (asked.strategy, asked.depth) == ("1", "7")
    assert (asked.board, asked.history) == ("0 0 4 4 4 4 4 4 4 4 4 4 4 4", "")


def test_the_remote_port_is_7889_at_first_and_goes_from_0_to_65535(form: Form) -> None:
    """3.2: port preset 7889, to be changed within 0...65535; all else is refused and told."""
    seat = form.choose(0, "remote")
    port = form.field(seat, "new.remote.port")
    assert port.input_value() == "7889"
    form.field(seat, "new.remote.host").fill("127.0.0.1")
    fault = seat.get_by_role("alert").filter(has_text=DE["new.remote.port"])
    for wrong in ("65536", "-1", "", "7889x", "7.5", "1e3"):
        port.fill(wrong)
        form.submit()
        expect(fault).to_contain_text(f"„{wrong}“")
    for right in ("0", "65535", "1"):
        port.fill(right)
        port.press("Tab")
        expect(fault).to_have_count(0)
    assert "/new" in form.page.url


# 3.12


@pytest.fixture
def settings(page: Page, served: Arena) -> Page:
    page.goto(f"{served.url}/settings")
    expect(page.locator("[data-hint] select")).to_have_count(2, timeout=LONG)
    return page


def test_the_least_display_time_can_be_set_also_to_0(settings: Page) -> None:
    """3.12: least time that a position is shown, a sensible preset, 0 can be chosen."""
    typed = settings.get_by_label(DE["settings.display"], exact=True)
    assert 0.5 <= float(typed.input_value().replace(",", ".")) <= 3
    for text, kept in (("1,5", 1500), ("0", 0), ("10", 10_000)):
        typed.fill(text)
        typed.press("Tab")
        assert stored(settings)["display"] == kept
    typed.fill("zwei")
    typed.press("Tab")
    expect(settings.get_by_role("alert").filter(has_text="zwei")).to_be_visible()
    assert stored(settings)["display"] == 10_000


def stored(page: Page) -> dict[str, int]:
    """What this browser keeps."""
    return dict(page.evaluate("JSON.parse(localStorage.spielwerk)"))
