"""The pages of contests: in every size and light, by keyboard, on a beamer, live, any names."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from spielwerk.messages import said
from spielwerk.web.texts import catalogue
from tests.browser.contests import BEAMER, HOSTILE, go, playing
from tests.browser.oware import LONG
from tests.browser.play import NewPage
from tests.browser.soundness import assert_small, assert_sound, assert_told, overflow, violations
from tests.browser.test_hostile import SHOWN, assert_clean
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import NAMES, Playing, Wish, write

DE: Final = catalogue("de")

PAGES: Final = {
    "contest": "/contests/probe",
    "contest-running": "/contests/running",
    "contest-thirty": "/contests/thirty",
    "contests": "/contests",
}

# every page


LARGE = "contest-thirty"  # takes a minute to be looked through


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name == LARGE else []) for name in PAGES],
)
def test_a_page_is_sound(look: NewPage, picture: Callable[[Page, str], None], name: str) -> None:
    assert_sound(look(PAGES[name]), picture, name, by_keys=name != "contest-running")


def test_there_are_english_texts_for_everything(look: NewPage) -> None:
    assert_told(look(PAGES["contest"], language="en"))


@pytest.mark.fresh
def test_the_first_load_is_small(page: Page, contests: Live) -> None:
    assert_small(page, lambda: go(page, contests, "/contests/running?beamer"))


# tables


def rows(page: Page) -> Locator:
    return page.locator(".stand tbody tr")


def test_the_standings_say_what_the_ranking_says(look: NewPage, contests: Live) -> None:
    told = contests.get("/api/v1/contests/probe").json
    page = look("/contests/probe")
    expect(rows(page)).to_have_count(len(NAMES))
    for row, one in zip(rows(page).all(), told["standings"], strict=True):
        text = row.inner_text()
        assert one["name"] in text
        for end in one["forfeits"]:
            expect(row.locator(f'.mark[title^="{DE[f"contest.end.{end}"]}"]')).to_have_count(1)
    last = rows(page).last
    expect(last).to_contain_text(DE["contest.disqualified"])
    expect(last).to_contain_text(DE["contest.end.protocol error"])
    last.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/t/"))


def test_a_cell_opens_its_games_and_gives_the_focus_back(look: NewPage) -> None:
    page = look("/contests/probe")
    cell = page.locator(".cross .has-faults").first
    cell.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".games li")).to_have_count(6, timeout=LONG)
    more = dialog.get_by_role("button", name=re.compile(DE["contest.game.output"])).first
    more.click()
    expect(dialog.locator("pre")).to_contain_text("AddressSanitizer", timeout=LONG)
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(cell).to_be_focused()


def test_a_failed_game_leads_to_its_wire(look: NewPage) -> None:
    page = look("/contests/probe")
    page.locator(".cross .has-faults").first.click()
    page.get_by_role("link", name=re.compile(DE["contest.game.wire"])).first.click()
    expect(page).to_have_url(re.compile(r"/t/\w+#wire"))
    expect(page.locator(".panel--wire")).to_be_focused(timeout=LONG)
    expect(page.locator(".panel--wire")).to_contain_text("OKWAIT", timeout=LONG)


def test_arrows_lead_through_the_crosstable_and_enter_opens(look: NewPage) -> None:
    page = look("/contests/thirty")
    expect(page.locator('.cross [data-cell][tabindex="0"]')).to_have_count(1)
    start = page.locator(".cross tbody tr:nth-child(5) td:nth-of-type(12) button")
    start.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
        expect(start).not_to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(start).to_be_focused()
    expect(page.locator('.cross [data-cell][tabindex="0"]')).to_have_count(1)
    for _ in range(40):
        page.keyboard.press("ArrowRight")
    last = page.evaluate("document.activeElement.getBoundingClientRect().right")
    assert last <= 1280
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator(".games li")).to_have_count(2, timeout=LONG)


def test_thirty_entrants_fit_on_a_screen_and_scroll_in_their_box_on_a_phone(look: NewPage) -> None:
    page = look("/contests/thirty")
    box = page.locator("[data-crosstable]")
    wide = "node => [node.scrollWidth, node.clientWidth]"
    scroll, client = box.evaluate(wide)
    assert scroll <= client
    page.set_viewport_size({"width": 360, "height": 740})
    scroll, client = box.evaluate(wide)
    assert scroll > 2 * client
    assert overflow(page) == []
    box.evaluate("node => node.scrollTo(600, 600)")
    head = box.locator("tbody th").nth(20).bounding_box()
    assert head is not None
    assert head["x"] >= 0  # the names stay in sight


# the beamer

SMALLEST: Final = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walk.nextNode()) {
    const { parentElement: parent, data } = walk.currentNode;
    const hidden = !data.trim() || !parent.checkVisibility() || parent.closest("svg, .vh, .skip");
    if (!hidden) sizes.push([parseFloat(getComputedStyle(parent).fontSize) / innerHeight, data]);
  }
  return sizes.sort(([a], [b]) => a - b)[0];
}"""


@pytest.mark.parametrize("contest", ["running", "thirty"])
def test_the_beamer_reads_from_ten_metres(look: NewPage, contest: str) -> None:
    page = look(f"/contests/{contest}?beamer", size=BEAMER)
    expect(page.locator(".places tbody tr").first).to_be_visible()
    smallest, text = page.evaluate(SMALLEST)
    assert smallest >= 0.03, text
    assert overflow(page) == []
    assert page.evaluate("document.documentElement.scrollHeight") <= BEAMER[1]
    bottom = page.locator(".ticker").evaluate("node => node.getBoundingClientRect().bottom")
    assert bottom <= BEAMER[1]
    if contest == "running":
        frames = page.locator(".beamer .frame:visible")
        expect(frames).to_have_count(2)
    assert page.locator("main :is(a, button, input):visible").count() == 0
    assert violations(page) == []


GAPS: Final = """() => [...document.querySelectorAll(".beamer .mini-board")]
  .filter((place) => place.checkVisibility())
  .map((place) => {
    const edge = (part) => place.querySelector(part).getBoundingClientRect();
    return edge(".pair").top - edge("svg.board").bottom;
  })"""


BOARDS: Final = {  # beside its board a tray, wide, and with layers
    kind: Wish(
        id=f"g-{kind}",
        game="connect4" if kind == "solid" else kind,
        names=NAMES[:6],
        done=0.3,
        faults=False,
        options=("width=4", "height=4", "depth=4") if kind == "solid" else (),
    )
    for kind in ("quarto", "oware", "solid")
}


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with a contest of every kind of board."""
    folder = tmp_path_factory.mktemp("boards")
    write(folder, *BOARDS.values())
    with live(settings_for(folder)) as one:
        yield one


@pytest.mark.parametrize("kind", BOARDS)
def test_no_board_covers_the_names_below_it(page: Page, boards: Live, kind: str) -> None:
    boards.server.contest = playing(boards, BOARDS[kind], 4)
    page.set_viewport_size({"width": 1280, "height": 720})
    go(page, boards, f"/contests/g-{kind}?beamer")
    shown = page.locator(".beamer svg.board:visible")
    expect(shown).to_have_count(2 if kind == "oware" else 4, timeout=LONG)
    page.wait_for_load_state("networkidle")
    assert [gap for gap in page.evaluate(GAPS) if gap < 0] == []


def test_b_and_escape_switch_the_beamer(look: NewPage) -> None:
    page = look("/contests/probe")
    page.keyboard.press("b")
    expect(page.locator("html")).to_have_class(re.compile("is-beamer"))
    expect(page).to_have_url(re.compile(r"\?beamer$"))
    expect(page.locator(".stand")).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".stand")).to_be_visible()
    page.get_by_role("button", name=DE["contest.beamer"]).click()
    expect(page.locator(".beamer")).to_be_visible()
    page.go_back()
    expect(page.locator(".stand")).to_be_visible()
    expect(page).not_to_have_url(re.compile("beamer"))


def first_name(page: Page) -> str:
    return page.locator(".places tbody .nm").first.inner_text()


@pytest.mark.fresh  # with a clock of its own
def test_standings_that_do_not_fit_are_leafed_through(look: NewPage) -> None:
    page = look("/contests/thirty")
    page.clock.install()  # it stands until it is told to run
    page.keyboard.press("b")
    expect(page.locator(".places tbody tr").first).to_be_visible()
    page.mouse.move(5, 5)
    start = first_name(page)
    seen = {start}
    for _ in range(3):
        page.clock.run_for(8100)
        seen.add(first_name(page))
    assert len(seen) == 3
    assert first_name(page) == start  # and from the top again
    expect(page.locator(".places thead .nm")).to_contain_text("1 bis 10 von 30")


# live


def test_running_games_are_small_boards_that_lead_there(look: NewPage) -> None:
    page = look("/contests/running")
    boards = page.locator("[data-boards] .mini-board")
    expect(boards).to_have_count(12)
    names = boards.first.locator(".name").all_inner_texts()
    assert len(names) == 3
    boards.first.click()
    expect(page).to_have_url(re.compile(r"/t/live\d+"))
    place = page.locator(".title .of")
    expect(place).to_have_text(re.compile(r"^Würfelrunde, Runde 1, Partie \d+$"), timeout=LONG)
    expect(page.locator(".panel--analysis")).to_contain_text(
        said("tournament games are analysed only once they are over", "de"), timeout=LONG
    )
    place.get_by_role("link").click()
    expect(page.locator(".stand")).to_be_visible(timeout=LONG)


def test_the_operator_changes_how_many_games_are_played(look: NewPage, contests: Live) -> None:
    running = contests.server.contest
    assert isinstance(running, Playing)
    page = look("/contests/running")
    expect(page.locator("[data-hand]")).to_be_hidden()
    token = json.dumps({"token": contests.server.token})
    signed = page.request.post(f"{contests.url}/api/v1/operator", data=token)
    assert signed.status == 200
    page.reload()
    jobs = page.get_by_label(DE["contest.jobs"])
    expect(jobs).to_have_value("4", timeout=LONG)
    jobs.press("ArrowUp")
    jobs.press("ArrowUp")
    page.wait_for_function("() => document.querySelector('[data-said]').textContent.includes('6')")
    assert running.jobs == 6
    jobs.fill("many")
    expect(page.locator("[data-hand] .fault")).to_contain_text("many")
    page.get_by_role("button", name=DE["contest.stop"]).click()
    assert running.stops == 0
    assert violations(page) == []
    with page.expect_response(re.compile("/stop$")):
        page.get_by_role("dialog").get_by_role("button", name=DE["contest.stop"]).click()
    assert running.stops == 1
    running.set_jobs(4)


# names


def test_names_are_shown_as_they_are_and_nothing_else(look: NewPage) -> None:
    page = look("/contests/hostile")
    assert_clean(page, *HOSTILE.names)
    page.locator(".cross button").first.click()
    expect(page.get_by_role("dialog").locator(".games li").first).to_be_visible(timeout=LONG)
    assert page.evaluate("window.hit") is None
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    expect(page.locator(".beamer")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    assert overflow(page) == []
    assert page.evaluate("window.hit") is None
    assert page.title().startswith(SHOWN["markup"])
