"""Every page in both languages, at three widths, light and dark, by keyboard, for everybody."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import expect

from spielwerk.web.texts import LANGUAGES, catalogue
from tests.browser.oware import LONG, MAJORITY, PLAY

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, Page

    from tests.browser.arena import Arena

PLAIN: Final = ("lobby", "contests", "new", "settings", "help", "missing")
TABLES: Final = ("quarto", "morris", "dice", "oware", "connect4", "solid")
ADDRESSES: Final = {
    "lobby": "/",
    "contests": "/contests",
    "new": "/new?game=connect4",
    "settings": "/settings",
    "help": "/help",
    "missing": "/no/such/page",
}
SIZES: Final = ((360, 740), (1280, 800), (1920, 1080))
CHECKED: Final = (("de", 1280, "light"), ("en", 360, "dark"))
LOCALES: Final = {"de": "de-DE", "en": "en-GB"}
AREAS: Final = "|".join(sorted({name.partition(".")[0] for name in catalogue("de")}))
CODE: Final = re.compile(r"\+|^spielwerk ")  # the same in every language
RAW: Final = re.compile(rf"\b(?:{AREAS})\.[a-z]\w*|\{{\w+\}}|\bundefined\b|\bNaN\b|\[object ")

STILL: Final = """{
  localStorage.spielwerk ??= JSON.stringify({ step: 0, display: 0, name: "Ada" });
}"""


def table(page: Page, served: Arena, kind: str) -> str:
    """A table of that kind, each in another state, whose persons are at this browser."""
    ada, ben = ({"type": "HUMAN", "name": name, "here": True} for name in ("Ada", "Ben"))
    one, two = ({"type": "ENGINE", "engine": "level=1", "name": f"Stufe {n}"} for n in (1, 2))
    client = {"type": "COMPUTER", "name": "Klient"}
    seats: dict[str, list[dict[str, Any]]] = {"quarto": [client, ada], "dice": [ada, one, two]}
    size = {"width": 4, "height": 4, "depth": 4} if kind == "solid" else {}
    first = {"begins": 0} if kind in ("quarto", "dice", "connect4", "solid") else {}
    wish = {
        "type": "connect4" if kind == "solid" else kind,
        "players": seats.get(kind, [ada, ben]),
        "gameGeneric": {"timeout": 60_000, "name": "Probe"},
        "gameSpecific": size | first,
    }
    made = page.request.post(f"{served.url}/api/v1/matches", data=wish)
    assert made.status == 201, made.text()
    game = str(made.json()["id"])
    moves = {"oware": MAJORITY, "morris": ["A0", "B0", "A1", "B2"], "connect4": ["3", "2"]}
    moves["dice"] = ["ROLL"]
    page.goto(f"{served.url}/help")
    if kind in moves:
        page.evaluate(PLAY, [game, moves[kind], [0, 1]])
    return f"/t/{game}"


def visit(page: Page, served: Arena, name: str) -> None:
    """Go to the page and wait until it has filled itself."""
    address = ADDRESSES.get(name) or table(page, served, name)
    page.goto(served.url + address)
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    if name in TABLES:
        expect(page.locator("main.is-empty")).to_have_count(0, timeout=LONG)
        expect(page.locator(".panel--analysis")).to_be_visible(timeout=LONG)


@pytest.fixture
def somebody(browser: Browser) -> Callable[..., Page]:
    """A page of a new browser; what it complains about is in `page.faults`."""

    def come(language: str = "de", **more: Any) -> Page:
        size = {"width": 1280, "height": 800}
        context = browser.new_context(locale=LOCALES[language], viewport=size, **more)  # type: ignore[arg-type]
        context.add_init_script(STILL)
        return context.new_page()

    return come


def overflow(page: Page) -> list[str]:
    """What sticks out of the page, if anything does."""
    found: list[str] = page.evaluate(
        """() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          if (scrollWidth <= clientWidth) return [];
          const out = (node) => node.getBoundingClientRect().right > clientWidth + 1;
          return [...document.querySelectorAll("body *")].filter(out)
            .map(({ tagName, className }) => `${tagName}.${className.baseVal ?? className}`);
        }"""
    )
    return found


def violations(page: Page) -> list[str]:
    """What the accessibility check has found."""
    # It would load style sheets again to read them, and put them in as inline ones.
    found = Axe().run(page, options={"preload": False}).response["violations"]
    return [f"{one['id']}: {[node['html'][:200] for node in one['nodes'][:4]]}" for one in found]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLAIN + TABLES)
def test_a_page_is_sound_in_every_size_and_light(
    somebody: Callable[..., Page],
    served: Arena,
    picture: Callable[[Page, str], None],
    name: str,
    language: str,
) -> None:
    """No complaints, nothing that sticks out, all texts there, and nothing the check objects to."""
    page = somebody(language)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    visit(page, served, name)
    assert page.locator("html").get_attribute("lang") == language
    assert page.title().endswith(" · Spielwerk")
    expect(page.locator("h1")).to_have_count(1)
    assert page.locator("h1").inner_text().strip()
    assert not RAW.findall(page.locator("body").inner_text())
    assert not RAW.findall(" ".join(labels(page)))
    objected = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert overflow(page) == [], width
            picture(page, f"{name}-{language}-{width}-{scheme}")
            if (language, width, scheme) in CHECKED:
                objected += violations(page)
    page.context.close()
    assert objected == []
    missing = "Failed to load resource: the server responded with a status of 404 (Not Found)"
    assert faults == ([missing] if name == "missing" else [])


@pytest.mark.parametrize("name", ["dice", "connect4"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_old_analysis_can_be_read_while_the_new_one_is_on_its_way(
    somebody: Callable[..., Page], served: Arena, name: str, scheme: str
) -> None:
    page = somebody(color_scheme=scheme)
    visit(page, served, name)
    found = page.locator(".panel--analysis .eval [data-move]").first
    stale = page.locator(".panel--analysis .is-stale .eval [data-move]").first
    expect(found).to_be_visible(timeout=LONG)
    page.route("**/analysis?*", lambda _route: None)  # the server thinks, and thinks
    page.keyboard.press("Home")
    page.keyboard.press("End")
    expect(stale).to_be_visible(timeout=LONG)
    assert violations(page) == []
    page.unroute_all(behavior="ignoreErrors")
    page.context.close()


def labels(page: Page) -> list[str]:
    """What screen readers and tips say."""
    return [
        str(text)
        for text in page.evaluate(
            """() => [...document.querySelectorAll("[aria-label], [title], [placeholder]")]
              .flatMap((node) => ["aria-label", "title", "placeholder"]
                .map((name) => node.getAttribute(name)).filter(Boolean))"""
        )
    ]


def test_the_texts_of_the_two_languages_differ(
    somebody: Callable[..., Page], served: Arena
) -> None:
    """Nothing is forgotten: hardly a sentence of one language is on a page of the other."""
    for name in PLAIN:
        told = []
        for language in LANGUAGES:
            page = somebody(language)
            visit(page, served, name)
            lines = page.locator("main").inner_text().splitlines()
            told.append({one for one in lines if len(one.split()) >= 4 and not CODE.search(one)})
            page.context.close()
        same = [line for line in told[0] & told[1] if not re.search(r"[:;<>{}\\0-9…]", line)]
        assert same == [], name


# Where the focus is, and whether anything around it looks different from what it does without.
FOCUS: Final = """async () => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const near = [node, node.parentElement, node.parentElement.parentElement];
  const look = () => [...near, ...node.parentElement.children].map((one) => {
    const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one);
    return [outline, boxShadow, borderColor, backgroundColor].join();
  }).concat(document.querySelectorAll(".above .m-focus").length).join();
  const box = node.getBoundingClientRect();
  const focused = look();
  node.blur();
  await new Promise(requestAnimationFrame);
  const visible = look() !== focused;
  node.focus({ preventScroll: true });
  node.dataset.visited = "1";
  return {
    what: node.outerHTML.slice(0, 160),
    visible,
    shown: box.width > 0 && box.height > 0,
    odd: node.tabIndex > 0,
  };
}"""

UNREACHED: Final = """() => {
  const one = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  return [...document.querySelectorAll(one)]
    .filter((node) => !node.disabled && node.tabIndex >= 0 && !node.dataset.visited)
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => node.type !== "radio" || node.checked)
    .filter((node) => !node.closest("[inert]"))
    .map((node) => node.outerHTML.slice(0, 160));
}"""


@pytest.mark.parametrize("name", [*PLAIN, "oware", "dice", "quarto"])
def test_the_keyboard_alone_reaches_every_control_and_shows_where_it_is(
    somebody: Callable[..., Page], served: Arena, name: str
) -> None:
    page = somebody()
    visit(page, served, name)
    page.wait_for_load_state("networkidle")  # its script has filled it
    seen = []
    for _ in range(200):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUS)
        if here is None:
            break
        seen.append(here)
    assert here is None, "the focus never leaves the page"
    assert len(seen) > 5
    assert [one["what"] for one in seen if not one["visible"]] == []
    assert [one["what"] for one in seen[1:] if not one["shown"]] == []  # the first one skips ahead
    assert [one["what"] for one in seen if one["odd"]] == []  # the order is the document's
    assert page.evaluate(UNREACHED) == []
    assert 'class="skip"' in seen[0]["what"]
    page.context.close()


def test_the_focus_stays_in_the_list_of_moves_when_more_of_them_come(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody()
    visit(page, served, "connect4")
    page.locator('.moves [data-ply="2"]').focus()
    page.evaluate(PLAY, [page.url.rpartition("/")[2], ["3", "2", "4"], [0, 1]])
    expect(page.locator(".moves [data-ply]")).to_have_count(3, timeout=LONG)
    expect(page.locator('.moves [data-ply="2"]')).to_be_focused()
    page.context.close()


def test_the_first_link_skips_to_the_content(somebody: Callable[..., Page], served: Arena) -> None:
    page = somebody()
    visit(page, served, "lobby")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")
    page.context.close()


@pytest.mark.parametrize("name", ["lobby", "help", "oware"])
def test_the_language_is_switched_here_and_stays(
    somebody: Callable[..., Page], served: Arena, name: str
) -> None:
    page = somebody("de")
    visit(page, served, name)
    where = page.url
    page.get_by_role("link", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page).to_have_url(where)
    for path in ("/settings", "/new"):
        page.goto(served.url + path)
        expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto(f"{served.url}/settings")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.context.close()


def test_without_a_choice_the_browser_s_language_counts(
    somebody: Callable[..., Page], served: Arena
) -> None:
    for language in LANGUAGES:
        page = somebody(language)
        page.goto(served.url)
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.context.close()


def test_light_and_dark_are_switched_at_once_everywhere_and_stay(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody(color_scheme="light")
    visit(page, served, "help")
    other = page.context.new_page()
    other.goto(f"{served.url}/settings")
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    switch = page.locator("[data-theme-switch]")
    switch.click()
    switch.click()  # system, light, dark
    for one in (page, other):
        expect(one.locator("html")).to_have_attribute("data-theme", "dark", timeout=LONG)
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    page.locator("[data-theme-switch]").click()
    assert page.evaluate("JSON.parse(localStorage.spielwerk).theme") == "system"
    assert page.evaluate(paper) == light
    page.emulate_media(color_scheme="dark")
    assert page.evaluate(paper) == dark
    page.context.close()


def test_nothing_moves_for_those_who_do_not_want_it(
    somebody: Callable[..., Page], served: Arena
) -> None:
    page = somebody(reduced_motion="reduce")
    page.add_init_script("localStorage.spielwerk = JSON.stringify({ step: 500 })")
    visit(page, served, "connect4")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--step')")
    running = "document.getAnimations().filter(({ playState }) => playState === 'running').length"
    page.locator('sw-connect4 .target[data-id="4"]').click()
    expect(page.locator(".moves [data-ply]")).to_have_count(3, timeout=LONG)
    assert page.evaluate(running) == 0
    page.context.close()


def test_pages_work_where_nothing_can_be_kept(somebody: Callable[..., Page], served: Arena) -> None:
    """A browser that forbids storage loses the settings, not the pages."""
    page = somebody()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    for name in ("lobby", "new", "settings", "oware"):
        address = ADDRESSES.get(name) or f"/t/{served.new('oware', 'HUMAN', 'HUMAN')}"
        page.goto(served.url + address)
        expect(page.locator("[data-live] .conn--ok")).to_be_visible(timeout=LONG)
    assert [fault for fault in faults if fault != "no"] == []
    assert json.dumps(faults) == "[]"
    page.context.close()
