"""What a contest's page says of how far it is, of numbers and of failed games: never too much."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from spielwerk.web.pages import assets
from spielwerk.web.texts import catalogue
from tests.browser.contests import BEAMER, CUT, LONGER, Change, Line, go
from tests.browser.oware import LONG
from tests.browser.play import NewPage
from tests.browser.soundness import overflow, violations
from tests.servers.live import Live
from tests.web.contest_samples import NAMES

DE: Final = catalogue("de")


def far(page: Page) -> Locator:
    return page.locator("[data-far]")


# how far it is


def test_a_lost_line_is_told_in_place_of_what_is_unknown(look: NewPage) -> None:
    line = Line()
    page = look("/contests/running", line)
    expect(far(page)).to_contain_text(DE["contest.doing.running"])
    line.cut()
    expect(far(page).locator(".st--lost")).to_have_text(
        re.compile(r"^getrennt seit \d\d:\d\d$"), timeout=LONG
    )
    for word in ("läuft", "gespielt", "pro Minute", "noch etwa"):
        expect(far(page)).not_to_contain_text(word)
    expect(far(page)).to_contain_text("Partien")
    assert violations(page) == []
    line.mend()
    expect(far(page)).to_contain_text(DE["contest.doing.running"], timeout=LONG)
    expect(far(page)).to_contain_text("noch etwa")


def told(live: dict[str, Any] | None, **counts: int) -> Change:
    """How far the contest is said to be."""
    states = dict.fromkeys(("new", "running", "done", "repeat", "failed", "dropped", "lost"), 0)

    def change(message: dict[str, Any]) -> None:
        message["progress"] = {"growing": False} | states | counts
        message["live"] = live

    return change


def test_it_is_said_when_the_tables_are_older_than_how_far_it_is(look: NewPage) -> None:
    page = look("/contests/ladder?beamer", line := Line(told(None, total=6, done=6)))
    expect(far(page)).to_contain_text("6 von 6 Partien")
    expect(far(page)).not_to_contain_text("Rangliste")
    news: dict[str, Any] = {"type": "progress", "last": []}
    told(None, total=9, done=9)(news)
    line.say(news)
    expect(far(page)).to_contain_text("Rangliste nach 6 Partien")
    running = {"jobs": 4, "rate": 30, "eta": 9, "absent": []}  # so a few are what is usual
    told(running, total=12, done=9)(news)
    line.say(news)
    expect(far(page)).to_contain_text("noch etwa 9")
    expect(far(page)).not_to_contain_text("Rangliste")


def test_a_ladder_without_an_end_is_never_nearly_done(look: NewPage) -> None:
    """All that was drawn up has been played, which is no reason not to go on."""
    page = look("/contests/ladder?beamer")
    expect(far(page)).to_contain_text(DE["contest.doing.resting"])
    expect(far(page)).to_contain_text("6 Partien gespielt")
    expect(far(page)).to_contain_text("spielwerk contest resume DATEI")
    expect(page.locator("[data-track]")).to_be_hidden()
    assert violations(page) == []
    assert overflow(page) == []


@pytest.mark.parametrize(
    ("view", "place"), [("", "[data-last]"), ("?beamer", "[data-beamer-last]")]
)
def test_a_result_does_not_wait_for_the_tables(look: NewPage, view: str, place: str) -> None:
    """But an entrant who is not in them yet has no name."""
    told: dict[str, Any] = {}
    line = Line(told.update)
    page = look(f"/contests/named{view}", line)
    newest = page.locator(f"{place} li").first
    expect(newest).to_be_visible()
    expect(newest).not_to_contain_text(LONGER)
    del told["contest"]
    result = {**told["last"][0], "number": 990, "game": "abc", "seats": [0, 1]}
    stranger = {**result, "number": 991, "seats": [0, 99]}
    line.say({**told, "type": "progress", "last": [stranger, result, *told["last"]]})
    expect(newest).to_contain_text(LONGER)
    expect(newest).to_contain_text(NAMES[1])


KEEPING: Final = """async (path) => {
  const { Kept } = await import(path);
  const kept = new Kept();
  const list = document.createElement("ul");
  let made = 0;
  const part = (name) => [name, name, () => (made++, document.createElement("li"))];
  const shown = ["ab", "ba", "b", "ba"].map((names) => {
    kept.show(list, [...names].map(part));
    return [list.childElementCount, made];
  });
  return shown;
}"""


def test_what_is_not_shown_any_more_is_forgotten(look: NewPage) -> None:
    """A page may be open for days while thousands of results pass."""
    page = look("/contests/probe")
    shown = page.evaluate(KEEPING, assets().url("js/dom.js"))
    assert shown == [[2, 2], [2, 2], [1, 2], [2, 3]]


# numbers


def test_the_time_for_a_move_is_told_as_it_was_given(look: NewPage) -> None:
    given = {2000: "2", 1500: "1,5", 1: "0,001"}
    left = [*given]

    def change(message: dict[str, Any]) -> None:
        if "contest" in message:
            message["contest"]["moveTime"] = left.pop(0)

    page = look("/contests/probe", Line(change))
    for seconds in given.values():
        words = DE["contest.moveTime"].replace("{seconds}", seconds)
        expect(page.locator("[data-facts] span").last).to_have_text(words)
        if left:
            page.reload()


def test_numbers_are_rounded_as_everywhere_and_nothing_is_certain(look: NewPage) -> None:
    shown = {1.0: "> 99 %", 0.994: "> 99 %", 0.99: "99 %", 0.625: "62 %", 0.004: "< 1 %"}

    def change(message: dict[str, Any]) -> None:
        for one, better in zip(
            message.get("contest", {}).get("standings", []), shown, strict=False
        ):
            one.update(better=better, rating=30.5)

    page = look("/contests/probe", Line(change))
    cells = page.locator(".stand tbody .bt").all_inner_texts()
    assert [text.replace("\xa0", " ") for text in cells[: len(shown)]] == [*shown.values()]
    expect(page.locator(".stand tbody .el b").first).to_have_text("+30")


# games that failed


def visit(page: Page, contests: Live, end: str) -> dict[str, Any]:
    """The page of a game of a contest that ended like this."""
    games = contests.get(f"/api/v1/contests/probe/games?end={end.replace(' ', '%20')}").json
    game: dict[str, Any] = next(one for one in games["games"] if one["game"])
    go(page, contests, f"/t/{game['game']}")
    return game


def test_the_page_of_a_game_has_the_last_words_of_its_programs(
    look: NewPage, contests: Live
) -> None:
    page = look("/contests")
    game = visit(page, contests, "crash")
    page.get_by_role("button", name=DE["table.programs"]).click()
    dialog = page.get_by_role("dialog")
    first = dialog.locator(".report").first
    expect(first.locator("pre")).to_contain_text("AddressSanitizer", timeout=LONG)
    (culprit,) = game["outcome"]["culprits"]
    expect(first).to_contain_text(NAMES[game["seats"][culprit]])
    expect(dialog.locator(".report")).to_have_count(2)
    assert violations(page) == []


# the beamer


def test_few_entrants_are_written_large(look: NewPage) -> None:
    page = look("/contests/unbegun?beamer", size=BEAMER)
    rows = page.locator(".places tbody tr")
    expect(rows).to_have_count(4)
    type_ = rows.first.locator(".nm").evaluate(
        "node => parseFloat(getComputedStyle(node).fontSize)"
    )
    assert type_ > 0.045 * BEAMER[1]
    free = page.locator(".places").evaluate(
        """box => box.getBoundingClientRect().bottom
          - box.querySelector("tbody").getBoundingClientRect().bottom"""
    )
    assert free < 0.1 * BEAMER[1]
    assert rows.locator(".nm").evaluate_all(CUT) == 0


ONE_LINE: Final = """box => {
  const { right, bottom } = box.getBoundingClientRect();
  const places = [...box.children].map((node) => [node, node.getBoundingClientRect()]);
  const seen = places.filter(([, place]) => place.top < bottom);
  const whole = ([node, place]) =>
    place.right <= right + 1 && node.scrollWidth <= node.clientWidth + 1;
  return [seen.map(([node]) => node.textContent), seen.every(whole)];
}"""


def test_the_beamer_has_the_time_left_and_nothing_by_halves(look: NewPage) -> None:
    playing = {"jobs": 256, "rate": 1234.5, "eta": 12 * 3600, "absent": []}
    counts = {"total": 123_456, "done": 45_678, "running": 256, "repeat": 123, "new": 70_000}
    line = Line(told(playing, **counts, failed=7399, dropped=7300, lost=99))
    page = look("/contests/probe?beamer", line, size=BEAMER)
    words, whole = far(page).evaluate(ONE_LINE)
    assert words[:3] == ["läuft", "45.678 von 123.456 Partien", "noch etwa 12 h 0 min"]
    assert whole


def test_pointing_or_touching_shows_the_way_out_of_the_beamer(look: NewPage) -> None:
    page = look("/contests/probe?beamer", size=BEAMER)
    out = page.get_by_role("button", name=DE["contest.beamer.leave"])
    expect(out).to_be_hidden()
    page.mouse.move(200, 200)
    page.mouse.move(220, 220)
    expect(out).to_be_visible()
    expect(out).to_be_hidden(timeout=LONG)  # it does not disturb for long
    page.mouse.move(200, 200)
    out.click()
    expect(page.locator(".stand")).to_be_visible()
    expect(page).not_to_have_url(re.compile("beamer"))


# where one is not, and who one is


def test_a_contest_that_is_not_there_is_not_taken_for_a_game(page: Page, contests: Live) -> None:
    page.goto(f"{contests.url}/contests/nosuch")
    expect(page.get_by_text(DE["common.missing.contest"])).to_be_visible(timeout=LONG)
    expect(page.locator("main")).not_to_contain_text("Game-ID")
    page.get_by_role("link", name=DE["common.missing.contests"]).click()
    expect(page).to_have_url(f"{contests.url}/contests")


def test_a_page_hears_that_its_browser_is_the_operators(look: NewPage, contests: Live) -> None:
    page = look("/contests/running")
    expect(page.locator("[data-hand]")).to_be_hidden()
    settings = page.context.new_page()
    settings.goto(f"{contests.url}/settings")
    settings.get_by_label(DE["settings.operator.token"]).fill(contests.server.token)
    settings.get_by_role("button", name=DE["settings.operator.in"]).click()
    expect(page.get_by_label(DE["contest.jobs"])).to_be_visible(timeout=LONG)
    settings.get_by_role("button", name=DE["settings.operator.out"]).click()
    expect(page.locator("[data-hand]")).to_be_hidden(timeout=LONG)
