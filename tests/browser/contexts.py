"""Contexts of the browser, used again: to set one up costs more than most tests do in it."""

from __future__ import annotations

from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page

# A page that has just been opened finds nothing that another has kept; storage may be forbidden.
FORGET: Final = """try {
  if (!sessionStorage.begun) localStorage.clear();
  sessionStorage.begun = true;
} catch { }"""


class Contexts:
    """Those of one browser: a test has each for itself, and leaves it empty."""

    def __init__(self, browser: Browser) -> None:
        self.fresh = False  # whether they are new, and are not used again
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}
        self._taken: list[tuple[str, BrowserContext]] = []

    def take(self, **options: Any) -> Page:
        """A page in a context with these options."""
        kind = repr(sorted(options.items()))
        free = [] if self.fresh else self._free.get(kind)
        context = free.pop() if free else self._browser.new_context(**options)
        self._taken.append((kind, context))
        page = context.new_page()
        page.add_init_script(FORGET)
        return page

    def give_back(self) -> None:
        """Empty what was taken."""
        for kind, context in self._taken:
            for page in context.pages:
                page.unroute_all(behavior="ignoreErrors")
                page.close()
            context.clear_cookies()
            if self.fresh:
                context.close()
            else:
                self._free.setdefault(kind, []).append(context)
        self._taken.clear()
