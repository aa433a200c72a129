"""The pages of contests: in every size and light, by keyboard, on a beamer, live, any names."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from spielwerk.contests.contest import Phase
from spielwerk.messages import said
from spielwerk.tables.mirror import MirrorTable
from spielwerk.tables.parts import SystemClock
from spielwerk.web.texts import catalogue
from tests.browser.oware import LONG
from tests.browser.soundness import (
    LOCALES,
    assert_reachable,
    assert_sound,
    assert_told,
    overflow,
    violations,
)
from tests.browser.test_connection import LARGEST
from tests.browser.test_hostile import SHOWN, assert_clean
from tests.servers.live import Live, live, settings_for
from tests.web.contest_samples import NAMES, Maker, Playing, Wish, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator, Page

DE: Final = catalogue("de")

FINISHED: Final = Wish(rounds=3)
RUNNING: Final = Wish(
    id="running", name="Würfelrunde", game="dice", names=NAMES[:6], done=0.4, phase=Phase.TRAINING
)
OWARE: Final = Wish(id="oware", name="Oware", game="oware", names=NAMES[:4], done=0.5)
THIRTY: Final = Wish(
    id="thirty",
    name="Alle gegen alle",
    names=tuple(f"Gruppe {number:02d}, Bot {'abc'[number % 3]}" for number in range(30)),
    rounds=1,
    whole=0,
)
HOSTILE: Final = Wish(
    id="hostile",
    name=SHOWN["markup"],
    names=(*SHOWN.values(), "__proto__", "constructor"),
    faults=True,
)
PAGES: Final = {
    "contest": "/contests/probe",
    "contest-running": "/contests/running",
    "contest-thirty": "/contests/thirty",
    "contests": "/contests",
}
BEAMERS: Final = ((1280, 720), (1920, 1080))
STILL: Final = "localStorage.spielwerk ??= JSON.stringify({ step: 0, display: 0 })"


@pytest.fixture(scope="module")
def contests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with contests, one of which it seems to play: fourteen games at once."""
    folder = tmp_path_factory.mktemp("contests")
    write(folder, FINISHED, RUNNING, OWARE, THIRTY, HOSTILE)
    with live(settings_for(folder)) as one:
        one.server.contest = playing(one, RUNNING, 14)
        yield one


def playing(server: Live, wish: Wish, games: int) -> Playing:
    """A contest whose next games can be watched, each a few moves old."""
    maker, contest = Maker(wish), Playing(wish.id)
    first = len(maker.played())

    async def show() -> None:
        for number in range(first, first + games):
            pairing = maker.pairings[number]
            record = maker.record(pairing, maker.outcome(pairing))
            early = replace(
                record, id=f"live{number:07d}", moves=record.moves[: 2 + number % 9], result=None
            )
            server.server.arena.show(MirrorTable(early, SystemClock()))
            contest.shown[early.id] = number

    server.call(show())
    return contest


@pytest.fixture
def somebody(browser: Browser, contests: Live) -> Iterator[Callable[..., Page]]:
    """Pages of new browsers, which must not complain."""
    faults: list[str] = []
    pages: list[Page] = []

    def come(
        path: str, language: str = "de", size: tuple[int, int] = (1280, 800), **more: Any
    ) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(locale=LOCALES[language], viewport=viewport, **more)  # type: ignore[arg-type]
        context.add_init_script(STILL)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        pages.append(page)
        go(page, contests, path)
        return page

    yield come
    for page in pages:
        page.context.close()
    assert faults == []


def go(page: Page, contests: Live, path: str) -> None:
    """Visit a page and wait until it has filled itself."""
    page.goto(contests.url + path)
    expect(page.locator("[data-live] .conn--ok")).to_have_count(1, timeout=LONG)
    expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
    if "running" in path:
        expect(page.locator("[data-boards] .frame > *")).to_have_count(12, timeout=LONG)
        page.wait_for_load_state("networkidle")


# every page


LARGE = "contest-thirty"  # takes a minute to be looked through


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] if name == LARGE else []) for name in PAGES],
)
def test_a_page_is_sound(
    somebody: Callable[..., Page], picture: Callable[[Page, str], None], name: str
) -> None:
    assert_sound(somebody(PAGES[name]), picture, name)


def test_there_are_english_texts_for_everything(somebody: Callable[..., Page]) -> None:
    assert_told(somebody(PAGES["contest"], "en"))


@pytest.mark.parametrize("name", ["contest", "contests"])
def test_the_keyboard_alone_reaches_every_control_and_shows_where_it_is(
    somebody: Callable[..., Page], name: str
) -> None:
    assert_reachable(somebody(PAGES[name]))


def test_the_first_load_is_small(page: Page, contests: Live) -> None:
    """Everything that a page gets over the line, with nothing kept from before."""
    path = "/contests/running?beamer"
    got: list[int] = []
    watch = page.context.new_cdp_session(page)
    watch.send("Network.enable")
    watch.on("Network.loadingFinished", lambda event: got.append(event["encodedDataLength"]))
    go(page, contests, path)
    page.wait_for_load_state("networkidle")
    print(f"{path}: {sum(got) / 1024:.0f} KB, {len(got)} files")  # noqa: T201
    assert 0 < sum(got) < LARGEST


# tables


def rows(page: Page) -> Locator:
    return page.locator(".stand tbody tr")


def test_the_standings_say_what_the_ranking_says(
    somebody: Callable[..., Page], contests: Live
) -> None:
    told = contests.get("/api/v1/contests/probe").json
    page = somebody("/contests/probe")
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


def test_a_cell_opens_its_games_and_gives_the_focus_back(somebody: Callable[..., Page]) -> None:
    page = somebody("/contests/probe")
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


def test_a_failed_game_leads_to_its_wire(somebody: Callable[..., Page]) -> None:
    page = somebody("/contests/probe")
    page.locator(".cross .has-faults").first.click()
    page.get_by_role("link", name=re.compile(DE["contest.game.wire"])).first.click()
    expect(page).to_have_url(re.compile(r"/t/\w+#wire"))
    expect(page.locator(".panel--wire")).to_be_focused(timeout=LONG)
    expect(page.locator(".panel--wire")).to_contain_text("OKWAIT", timeout=LONG)


def test_arrows_lead_through_the_crosstable_and_enter_opens(
    somebody: Callable[..., Page],
) -> None:
    page = somebody("/contests/thirty")
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


def test_thirty_entrants_fit_on_a_screen_and_scroll_in_their_box_on_a_phone(
    somebody: Callable[..., Page],
) -> None:
    page = somebody("/contests/thirty")
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
def test_the_beamer_reads_from_ten_metres(somebody: Callable[..., Page], contest: str) -> None:
    size = BEAMERS[0]
    page = somebody(f"/contests/{contest}?beamer", size=size)
    expect(page.locator(".places tbody tr").first).to_be_visible()
    smallest, text = page.evaluate(SMALLEST)
    assert smallest >= 0.03, text
    assert overflow(page) == []
    assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
    bottom = page.locator(".ticker").evaluate("node => node.getBoundingClientRect().bottom")
    assert bottom <= size[1]
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


BOARDS: Final = {
    "quarto": Wish(id="g-quarto", game="quarto", names=NAMES[:6], done=0.3, faults=False),
    "morris": Wish(id="g-morris", game="morris", names=NAMES[:6], done=0.3, faults=False),
    "oware": Wish(id="g-oware", game="oware", names=NAMES[:6], done=0.3, faults=False),
    "connect4": Wish(id="g-connect4", names=NAMES[:6], done=0.3, faults=False),
    "solid": Wish(
        id="g-solid",
        names=NAMES[:6],
        done=0.3,
        faults=False,
        options=("width=4", "height=4", "depth=4"),
    ),
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


def test_b_and_escape_switch_the_beamer(somebody: Callable[..., Page]) -> None:
    page = somebody("/contests/probe")
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


def leafing(somebody: Callable[..., Page], **more: Any) -> Page:
    """The beamer with a clock that stands until it is told to run."""
    page = somebody("/contests/thirty", **more)
    page.clock.install()
    page.keyboard.press("b")
    expect(page.locator(".places tbody tr").first).to_be_visible()
    page.mouse.move(5, 5)
    return page


def test_standings_that_do_not_fit_are_leafed_through(somebody: Callable[..., Page]) -> None:
    page = leafing(somebody)
    seen = {first_name(page)}
    start = first_name(page)
    for _ in range(3):
        page.clock.run_for(8100)
        seen.add(first_name(page))
    assert len(seen) == 3
    assert first_name(page) == start  # and from the top again
    expect(page.locator(".places thead .nm")).to_contain_text("1 bis 10 von 30")


# live


def test_running_games_are_small_boards_that_lead_there(somebody: Callable[..., Page]) -> None:
    page = somebody("/contests/running")
    boards = page.locator("[data-boards] .mini-board")
    expect(boards).to_have_count(12)
    names = boards.first.locator(".name").all_inner_texts()
    assert len(names) == 3
    boards.first.click()
    expect(page).to_have_url(re.compile(r"/t/live\d+"))
    place = page.locator(".title .of")
    expect(place).to_have_text(re.compile(r"^Würfelrunde, Runde 1, Partie \d+$"), timeout=LONG)
    expect(page.locator(".panel--analysis")).to_contain_text(
        said("a tournament's game is analysed when it is over", "de"), timeout=LONG
    )
    place.get_by_role("link").click()
    expect(page.locator(".stand")).to_be_visible(timeout=LONG)


def test_the_operator_changes_how_many_games_are_played(
    somebody: Callable[..., Page], contests: Live
) -> None:
    running = contests.server.contest
    assert isinstance(running, Playing)
    page = somebody("/contests/running")
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


def test_names_are_shown_as_they_are_and_nothing_else(somebody: Callable[..., Page]) -> None:
    page = somebody("/contests/hostile")
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
