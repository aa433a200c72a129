"""What holds for every page: its texts are there, nothing sticks out, keys reach everything."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from spielwerk.web.texts import catalogue

AREAS: Final = "|".join(sorted({name.partition(".")[0] for name in catalogue("de")}))
RAW: Final = re.compile(rf"\b(?:{AREAS})\.[a-z]\w*|\{{\w+\}}|\bundefined\b|\bNaN\b|\[object ")

LARGEST: Final = 200 * 1024  # bytes of a page with everything that it needs

# Colours change by and by.
SETTLE: Final = """() => new Promise((done) => requestAnimationFrame(() => {
  const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
  changes.forEach((one) => one.finish());
  requestAnimationFrame(done);
}))"""


def assert_sound(
    page: Page, picture: Callable[[Page, str], None], name: str, *, by_keys: bool = True
) -> None:
    """See that the page is whole on a desk and on a phone, in both lights, for everyone."""
    assert page.title().endswith(" · Spielwerk")
    expect(page.locator("h1")).to_have_count(1)
    assert page.locator("h1").inner_text().strip()
    assert_told(page)
    picture(page, f"{name}-light")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.evaluate(SETTLE)
    picture(page, f"{name}-dark")
    assert violations(page, "color-contrast") == []
    if by_keys:
        assert_reachable(page)
    page.set_viewport_size({"width": 360, "height": 740})
    picture(page, f"{name}-phone")
    assert overflow(page) == []


def assert_told(page: Page) -> None:
    """See that there is a text for everything, with its places filled."""
    text = page.locator("body").inner_text()
    for command in page.locator("pre code").all_inner_texts():  # they may have places of their own
        text = text.replace(command, "")
    assert not RAW.findall(text)
    assert not RAW.findall(" ".join(labels(page)))


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


def violations(page: Page, *rules: str) -> list[str]:
    """What the accessibility check objects to, by all its rules or by these alone."""
    # It would load style sheets again to read them, and put them in as inline ones.
    options: dict[str, Any] = {"preload": False, "resultTypes": ["violations"]}
    options |= {"runOnly": rules} if rules else {}
    found = Axe().run(page, options=options).response["violations"]
    return [f"{one['id']}: {[node['html'][:200] for node in one['nodes'][:4]]}" for one in found]


def assert_small(page: Page, visit: Callable[[], object]) -> None:
    """See that a page gets little over the line, with nothing kept from before."""
    got: list[int] = []
    watch = page.context.new_cdp_session(page)
    watch.send("Network.enable")
    watch.on("Network.loadingFinished", lambda event: got.append(event["encodedDataLength"]))
    visit()
    page.wait_for_load_state("networkidle")
    print(f"{page.url}: {sum(got) / 1024:.0f} KB, {len(got)} files")  # noqa: T201
    assert 0 < sum(got) < LARGEST


# How controls and what is around them look while nothing has the focus.
LOOKS: Final = """() => {
  window.lookOf = (node) => {
    const near = [node, node.parentElement, node.parentElement.parentElement];
    return [...near, ...node.parentElement.children].map((one) => {
      const look = getComputedStyle(one);
      const none = look.outlineStyle === "none" || look.outlineColor === "rgba(0, 0, 0, 0)";
      const ring = none ? "" : look.outline;
      return [ring, look.boxShadow, look.borderColor, look.backgroundColor].join();
    }).concat(document.querySelectorAll(".above .m-focus").length).join();
  };
  window.visited = new Set();
  const controls = [...document.querySelectorAll("body *")].filter((one) => one.tabIndex >= 0);
  window.looks = new Map(controls.map((one) => [one, lookOf(one)]));
}"""

# Where the focus is, and whether that is to be seen.
FOCUS: Final = """() => {
  const node = document.activeElement;
  if (!node || node === document.body) return null;
  const box = node.getBoundingClientRect();
  visited.add(node);
  return {
    what: node.outerHTML.slice(0, 160),
    visible: lookOf(node) !== looks.get(node),
    shown: box.width > 0 && box.height > 0,
    odd: node.tabIndex > 0,
  };
}"""

UNREACHED: Final = """() => {
  const one = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  return [...document.querySelectorAll(one)]
    .filter((node) => !node.disabled && node.tabIndex >= 0 && !visited.has(node))
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .filter((node) => node.type !== "radio" || node.checked)
    .filter((node) => !node.closest("[inert]"))
    .map((node) => node.outerHTML.slice(0, 160));
}"""


def assert_reachable(page: Page) -> None:
    """Go through the page with Tab: every control is reached, in order, and seen to have focus."""
    page.evaluate(LOOKS)
    seen: list[dict[str, Any]] = []
    for _ in range(200):
        page.keyboard.press("Tab")
        here = page.evaluate(FOCUS)
        if here is None:
            break
        seen.append(here)
    assert here is None, "the focus never leaves the page"
    assert len(seen) > 5
    assert 'class="skip"' in seen[0]["what"]
    assert [one["what"] for one in seen if not one["visible"]] == []
    assert [one["what"] for one in seen[1:] if not one["shown"]] == []  # the first one skips ahead
    assert [one["what"] for one in seen if one["odd"]] == []  # the order is the document's
    assert page.evaluate(UNREACHED) == []
