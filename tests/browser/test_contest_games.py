"""The page of a contest's game: which one it is, what was drawn by lot, any names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from spielwerk.contests.contest import Phase
from spielwerk.games.dice.rules import Dice
from spielwerk.store.contest_records import Settled
from spielwerk.web.texts import catalogue
from tests.browser.soundness import LOCALES, overflow, violations
from tests.browser.test_contest_pages import STILL, go
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import NAMES, Maker, Wish, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page, Route

    from spielwerk.store.records import GameRecord

DE: Final = catalogue("de")
NAME: Final = "Quarto-Cup im Wintersemester 2026/27, Übungsgruppe 3, Donnerstag 14 Uhr, Halle 7"
QUARTO: Final = Wish(
    id="quarto", name=NAME, game="quarto", names=("w" * 60, "Die Rechenknechte 3000"), faults=False
)
DICE: Final = Wish(id="dice", name=NAME, game="dice", names=("anna", "bert", "carl"), faults=False)
SHORT: Final = Wish(
    id="short", game="dice", names=NAMES[:6], phase=Phase.TRAINING, options=("target=3",)
)
CUT: Final = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth).length"


@pytest.fixture(scope="module")
def contests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with contests that are over."""
    folder = tmp_path_factory.mktemp("contests")
    write(folder, QUARTO, DICE, SHORT)
    with live(settings_for(folder)) as one:
        yield one


@pytest.fixture
def somebody(browser: Browser, contests: Live) -> Iterator[Callable[..., Page]]:
    """Pages of new browsers, which must not complain."""
    faults: list[str] = []
    pages: list[Page] = []

    def come(
        contest: str, size: tuple[int, int] = (1280, 900), curve: Any = None, game: str = ""
    ) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(locale=LOCALES["de"], viewport=viewport)  # type: ignore[arg-type]
        context.add_init_script(STILL)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        if curve is not None:
            page.route(re.compile(r"/curve$"), curve)
        pages.append(page)
        games = contests.get(f"/api/v1/contests/{contest}/games").json["games"]
        go(page, contests, f"/t/{game or games[1]['game']}")
        return page

    yield come
    for page in pages:
        page.context.close()
    assert faults == []


@pytest.mark.parametrize("size", [(360, 740), (1000, 700)])
@pytest.mark.parametrize("contest", ["quarto", "dice"])
def test_the_contest_and_the_number_of_its_game_are_read_whole(
    somebody: Callable[..., Page],
    contest: str,
    size: tuple[int, int],
) -> None:
    page = somebody(contest, size)
    place = page.locator(".title .of")
    expect(place).to_have_text(f"{NAME}, Runde 1, Partie 1")
    expect(place.get_by_role("link")).to_have_attribute("href", f"/contests/{contest}")
    expect(page.locator("h1")).to_have_text(DE[f"{contest}.name"])
    assert page.locator("h1, .title .of, .facts").evaluate_all(CUT) == 0
    assert overflow(page) == []
    down = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert size[0] < 1000 or down == 0


def test_a_drawn_opening_is_set_apart_and_nobody_s_fault(somebody: Callable[..., Page]) -> None:
    def curve(route: Route) -> None:
        score = {"value": 0, "result": 0, "plies": 0, "exact": True}
        fault = {"seat": 0, "move": "A1,1", "better": "A2,1", "before": score, "after": score}
        faults = [fault | {"ply": ply} for ply in (1, 5)]
        route.fulfill(json={"done": True, "points": [], "faults": faults})

    page = somebody("quarto", curve=curve)
    opening, played = (page.locator(f".moves .{part}") for part in ("opening", "played"))
    expect(opening.locator("th")).to_have_text(DE["table.part.opening"])
    expect(opening.locator(".mv")).to_have_count(4)
    expect(played.locator("tr").nth(1).locator("td").first).to_have_text("3")
    expect(page.locator(".moves .bad")).to_have_count(1)
    expect(played.locator(".bad")).to_have_count(1)
    expect(page.locator(".faults button")).to_have_count(1)
    expect(page.locator(".ticks s")).to_have_count(1)
    assert violations(page) == []


def decided_but_spoilt() -> str:
    """The Game-ID of a race that somebody won on the board, and nobody by its result."""
    maker = Maker(SHORT)
    steps = [step for pairing in maker.played() for step in maker.steps(pairing)]
    for step in steps:
        record = step.record if isinstance(step, Settled) else None
        if record and record.result and record.result.winner is None and is_decided(record):
            return record.id
    raise AssertionError("there is none")


def is_decided(record: GameRecord) -> bool:
    state = Dice.from_text(record.options).start()
    for move in record.moves:
        state = state.play(state.game.parse_move(move.move))
    return state.outcome is not None


def test_a_race_without_a_result_has_no_winner_anywhere(somebody: Callable[..., Page]) -> None:
    page = somebody("short", game=decided_but_spoilt())
    expect(page.locator(".dice-caption")).to_contain_text("erreicht")
    expect(page.locator(".turn")).to_contain_text("Ohne Ergebnis")
    expect(page.locator("main")).not_to_contain_text("gewinnt")
    expect(page.locator(".lane .chance").first).to_contain_text("\N{EN DASH}")
