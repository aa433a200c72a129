"""A person with a browser: sets up tables, sits down, plays and looks on, by what the page says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

from spielwerk.games import State
from spielwerk.messages import said
from spielwerk.web.texts import catalogue
from tests.browser.arena import Arena
from tests.browser.hands import Finger, Hands, Keys, Mouse
from tests.waiting import PATIENCE

# What a board says: its words and labels, but not the chances, which may still be computed.
SEEN = """board => {
  const walk = document.createTreeWalker(board, NodeFilter.SHOW_TEXT);
  const words = [];
  while (walk.nextNode()) {
    const { parentElement: parent, data } = walk.currentNode;
    const seen = parent.checkVisibility({ visibilityProperty: true });
    if (seen && !parent.closest(".chance")) words.push(data);
  }
  const labels = [...board.querySelectorAll("[aria-label]")].map(({ ariaLabel }) => ariaLabel);
  return [...words, ...labels].join("\\n");
}"""

NewPage = Callable[..., Page]
NewPerson = Callable[..., "Person"]

_WORDS = {"solid": "connect4.solid"}  # where the texts of a kind begin

expect.set_options(timeout=PATIENCE * 1000)  # milliseconds


def text(language: str, name: str, /, **places: object) -> str:
    """A text of the pages, with its places filled."""
    texts = catalogue(language)
    count = places.get("count")
    form = f"{name}.{'one' if count == 1 else 'other'}"
    found = texts.get(form if form in texts else name)
    assert found is not None, f"there is no text {name}"
    return re.sub(r"\{(\w+)\}", lambda place: str(places.get(place[1], place[0])), found)


class Person:
    """A person at a page, in a language, with mouse, finger or keys."""

    def __init__(
        self, page: Page, served: Arena, language: str = "de", hands: str = "mouse"
    ) -> None:
        self.page = page
        self.served = served
        self.language = language
        self.hands: Hands = {"mouse": Mouse, "finger": Finger}.get(hands, lambda: Keys(page))()
        self.keys = hands == "keys"
        self.table = ""
        page.set_default_timeout(PATIENCE * 1000)

    def t(self, name: str, /, **places: object) -> str:
        """A text in the person's language."""
        return text(self.language, name, **places)

    # the form for a new game

    def create(self, kind: str, *seats: str, name: str = "", **options: int) -> str:
        """Set up a table from the lobby on; seats are as `sit` takes them."""
        page = self.page
        page.goto(self.served.url)
        called = self.t(f"{_WORDS.get(kind, kind)}.name")
        self.hands.press(page.get_by_title(self.t("lobby.play.change", game=called), exact=True))
        dialog = page.get_by_role("dialog", name=called, exact=True)
        self.hands.press(dialog.get_by_role("link", name=self.t("lobby.play.more")))
        expect(page.get_by_role("radio", name=called, exact=True)).to_be_checked()
        if name:
            self.hands.write(page.get_by_label(self.t("new.name.table")), name)
        for option, value in options.items():
            self.option(option, value)
        for number, seat in enumerate(seats):
            self.sit(kind, number, seat)
        self.hands.press(page.get_by_role("button", name=self.t("new.create")))
        return self.arrive()

    def option(self, name: str, value: int) -> None:
        """Choose an option of the game; `begins` has buttons."""
        if name == "begins":
            group = self.page.get_by_role("group", name=self.t("new.begins"))
            self.hands.press(group.get_by_role("button").nth(value + 1))
            return
        field = self.page.get_by_label(self.t(f"new.option.{name}"), exact=True)
        self.hands.write(field, str(value))

    def sit(self, kind: str, number: int, seat: str) -> None:
        """Say who sits there.

        `here NAME`, `open`, `client`, `level=1`, `strategy=0,depth=1`, `remote HOST PORT`.
        """
        word, _, rest = seat.partition(" ")
        place = self.page.get_by_role("group", name=self._side(kind, number), exact=True)
        chosen = {"here": "person", "open": "person", "client": "client", "remote": "remote"}
        self._pick(place, self.t(f"new.kind.{chosen.get(word, 'engine')}"))
        if word in ("here", "open"):
            self._pick(place, self.t(f"new.person.{word}"))
        if word == "here" and rest:
            self.hands.write(place.get_by_label(self.t("new.name"), exact=True), rest)
        if word == "remote":
            self._remote(place, *rest.split())
        for name, _, value in (part.partition("=") for part in word.split(",")):
            if value:
                self._limit(place, name, value)

    def _side(self, kind: str, number: int) -> str:
        side = f"{_WORDS.get(kind, kind).partition('.')[0]}.seat.{number}"
        known = side in catalogue(self.language)
        return self.t(side) if known else self.t("common.player", number=number)

    def _pick(self, place: Locator, word: str) -> None:
        button = place.get_by_role("button", name=word, exact=True)
        if button.get_attribute("aria-pressed") != "true":
            self.hands.press(button)
        expect(button).to_have_attribute("aria-pressed", "true")

    def _limit(self, place: Locator, name: str, value: str) -> None:
        """Level, strategy or depth of an engine."""
        if name == "level":
            self.hands.slide(place.get_by_role("slider"), int(value) - 1)
        else:
            self._exactly(place)
            self.hands.choose(place.get_by_label(self.t(f"new.{name}"), exact=True), value)

    def _exactly(self, place: Locator) -> None:
        """Have strategy and depth in place of a level."""
        exact = place.get_by_label(self.t("new.exact"), exact=True)
        if not exact.is_visible():
            self.hands.press(place.get_by_text(self.t("new.more"), exact=True))
        if not exact.is_checked():
            self.hands.press(exact)

    def _remote(self, place: Locator, host: str, port: str) -> None:
        self.hands.write(place.get_by_label(self.t("new.remote.host")), host)
        self.hands.write(place.get_by_label(self.t("new.remote.port"), exact=True), port)

    # a table

    def arrive(self) -> str:
        """Wait until the page of a table is there; its Game-ID."""
        self.page.wait_for_url(re.compile(r"/t/\w+"))
        self.table = re.findall(r"/t/(\w+)", self.page.url)[0]
        expect(self.board).to_be_visible()
        return self.table

    def visit(self, table: str, query: str = "") -> None:
        """Open a table by its address."""
        self.page.goto(f"{self.served.url}/t/{table}{query}")
        self.arrive()

    def take(self, seat: int, name: str) -> None:
        """Take a free seat."""
        self.hands.press(self.seat(seat).get_by_role("button", name=self.t("table.take")))
        dialog = self.page.get_by_role("dialog")
        self.hands.write(dialog.get_by_label(self.t("table.yourName")), name)
        self.hands.press(dialog.get_by_role("button", name=self.t("table.take")))
        expect(dialog).to_have_count(0)

    def seat(self, number: int) -> Locator:
        """The place of a player on the page."""
        sign = f".emblem--p{number}, .emblem.man--{number}"
        return self.page.locator(".seat").filter(has=self.page.locator(sign))

    def called(self, number: int) -> str:
        """What the page calls a player; of a player without a name these are its reader's words."""
        return self.seat(number).locator(".name").inner_text()

    @property
    def board(self) -> Locator:
        """The board of the table."""
        return self.page.locator(".stage").locator(
            "sw-quarto, sw-morris, sw-oware, sw-connect4, sw-solid, sw-dice"
        )

    @property
    def banner(self) -> Locator:
        """Where it says what happened and what is due."""
        return self.page.get_by_role("region", name=self.t("table.banner"), exact=True)

    @property
    def headline(self) -> Locator:
        """Whose turn it is, or how it ended."""
        return self.banner.get_by_role("heading")

    def record(self) -> dict[str, Any]:
        """The game as the server keeps it."""
        return self.served.record(self.table)

    def state(self) -> State[Any]:
        """The position by the rules themselves."""
        return self.served.state(self.table)

    # playing

    def ready(self) -> bool:
        """Wait until it is this browser's turn; False if the game is over instead."""
        button = self.banner.get_by_role("button", disabled=False)
        hint = button.filter(has_text=self.t("table.hint"))
        over = self.page.locator("main.table--replay .turn.is-over")
        expect(hint.or_(over).first).to_be_visible()
        return hint.count() > 0

    def play(self, move: str) -> None:
        """Play on the board, or with the buttons of the dice."""
        record = self.record()
        if record["game"] == "dice":
            self._throw(move)
            return
        for field in fields(record, move):
            self.hands.touch(self.board, field)

    def _throw(self, choice: str) -> None:
        if self.keys:
            self.page.keyboard.press({"ROLL": "r", "SAVE": "s"}[choice])
        else:
            self.hands.press(self.banner.get_by_role("button", name=self.t(f"dice.{choice}")))

    def type(self, move: str) -> None:
        """Play by typing the move."""
        field = self.banner.get_by_label(self.t("table.typeMove"))
        if self.keys:
            expect(field).to_be_editable()
            self.page.keyboard.press("Escape")
            self.page.keyboard.press("m")
            expect(field).to_be_focused()
            self.page.keyboard.type(move)
        else:
            self.hands.write(field, move)
        field.press("Enter")

    def ended(self) -> None:
        """See the end in words: who has won and by which rule, in the banner and at the seats."""
        record = self.record()
        result = record["result"]
        assert result is not None
        winner = result["winner"]
        wins = "table.end.winsRound" if record["game"] == "dice" else "table.end.wins"
        name = "table.end.draw" if winner is None else wins
        who = "" if winner is None else self.called(winner)
        told = re.escape(self.t(name, name=who, turn="COUNT", round="COUNT"))
        expect(self.headline).to_have_text(re.compile(told.replace("COUNT", r"\d+")))
        line = record["game"] == "quarto" and winner is not None
        why = self.t("quarto.line", stones="") if line else self.said(result["detail"])
        expect(self.banner).to_contain_text(why, ignore_case=True)
        if winner is not None:
            expect(self.seat(winner)).to_contain_text(self.t("table.verdict.won"))

    def said(self, sentence: str) -> str:
        """A sentence of the server in the person's language."""
        return said(sentence, self.language)

    # going through a game

    @property
    def slider(self) -> Locator:
        """The slider of a finished game."""
        return self.page.get_by_role("slider", name=self.t("table.ply"), exact=True)

    def look(self, ply: int) -> str:
        """Wait for the position after so many plies; everything that its board says."""
        expect(self.slider).to_have_value(str(ply))
        said: str = self.board.evaluate(SEEN)
        return said


def fields(record: dict[str, Any], move: str) -> list[str]:
    """What has to be pressed for a move, one after the other."""
    game = record["game"]
    if game == "quarto":
        square, comma, stone = move.partition(",")
        return [square, f"stone-{stone}"] if comma else [square]
    if game == "oware":
        return ["AB"[len(record["moves"]) % 2] + move]
    if game == "connect4":
        return [_peg(record["options"], int(move))]
    return re.split("[:;]", move)


def _peg(options: list[str], field: int) -> str:
    """The field itself, or in space the lowest field of its peg."""
    sizes = dict(option.split("=") for option in options)
    width, height, depth = (int(sizes[name]) for name in ("width", "height", "depth"))
    row = field % (width * height) // width
    return str(field - row * width if depth > 1 else field)
