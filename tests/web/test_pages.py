"""The pages as they come from the server: whole in both languages, and what they show is true."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from spielwerk.games import find_kit
from spielwerk.games.oware.rules import STANDARD, Oware, format_board
from spielwerk.web.pages import PAGES, Assets, Pages, in_dialect
from spielwerk.web.texts import LANGUAGES, catalogue
from spielwerk.wire.connect4.messages import read_message
from spielwerk.wire.mnm.words import DIALECTS

LABELS = ("for", "aria-labelledby", "aria-controls")
NAMES = [*PAGES.values(), "missing"]
POSITION = re.compile(r"\+ [1-4] |PIECE[01]")
GOLDEN = Path(__file__).parents[1] / "golden" / "sessions"


async def find_id(game_id: str) -> str:
    return game_id


@pytest.fixture(scope="module")
def pages() -> Pages:
    return Pages(Assets(), {"table": find_id, "contest": find_id})


class Seen(HTMLParser):
    """What a page consists of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.title = ""
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title += data

    def handle_endtag(self, _tag: str) -> None:
        self._inside = ""

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_every_page_has_what_it_needs_and_nothing_inline(
    pages: Pages, name: str, language: str
) -> None:
    seen = Seen(pages.render(name, language, "/"))
    assert seen.all("html") == [{"lang": language}]
    assert seen.title == f"{catalogue(language)[f'common.{name}']} · Spielwerk"
    assert len(seen.all("h1")) == 1
    assert [main["id"] for main in seen.all("main")] == ["main"]
    assert {"href": "#main", "class": "skip"} in seen.all("a")
    assert all(script.get("src") for script in seen.all("script"))
    assert not seen.all("style")
    identified = {attributes.get("id") for _, attributes in seen.tags}
    for tag, attributes in seen.tags:
        inline = [key for key in attributes if key == "style" or key.startswith("on")]
        assert not inline, f"{tag} {inline}"
        for key in LABELS if "hidden" not in attributes else ():
            assert key not in attributes or attributes[key] in identified


def test_the_current_page_is_marked_and_the_other_language_a_link(pages: Pages) -> None:
    links = Seen(pages.render("settings", "de", "/settings")).all("a")
    assert [one["href"] for one in links if one.get("aria-current") == "page"] == ["/settings"]
    assert [one["hreflang"] for one in links if "hreflang" in one] == ["en"]


def test_the_help_has_an_anchor_for_every_game(pages: Pages) -> None:
    seen = Seen(pages.render("help", "en", "/help"))
    identified = {attributes.get("id") for _, attributes in seen.tags}
    assert {"quarto", "morris", "dice", "oware", "connect4", "solid"} <= identified


class TestSessions:
    """What the help shows has really been said, or would be."""

    @staticmethod
    def lines(game: str, name: str = "session") -> list[str]:
        text = find_kit(game).page.joinpath(f"{name}.txt")
        return text.read_text(encoding="utf-8").splitlines()

    @pytest.mark.parametrize("name", ["quarto", "morris"])
    def test_mnm_is_from_a_recorded_game(self, name: str) -> None:
        recorded = GOLDEN.joinpath(f"{name}-1-seat-0.txt").read_text(encoding="utf-8").splitlines()
        shown = self.lines(name)
        gap = shown.index("...")
        assert recorded[:gap] == shown[:gap]
        assert recorded[gap - len(shown) + 1 :] == shown[gap + 1 :]

    @pytest.mark.parametrize("name", ["quarto-2-seat-0", "quarto-3-seat-0", "morris-2-seat-0"])
    def test_later_dialects_begin_and_end_as_recorded(self, name: str) -> None:
        """The moves are another game's; the words around them are the dialect's."""
        kind, number, *_ = name.split("-")
        recorded = GOLDEN.joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
        shown = in_dialect("\n".join(self.lines(kind)), DIALECTS[int(number)]).splitlines()
        prolog = recorded.index("C: PLAYER")
        assert sorted(recorded[:prolog]) == sorted(shown[:prolog])  # bots answer the banner at once
        assert self.end(recorded) == self.end(shown)

    @staticmethod
    def end(lines: list[str]) -> list[str]:
        """From GAMEOVER on, without the position and who has won."""
        first = next(number for number, line in enumerate(lines) if "+ GAMEOVER" in line)
        told = [line[3:] for line in lines[first:] if not POSITION.search(line)]
        return [re.sub("Yes|No", "?", line) for line in told]

    def test_dice_points_add_up(self) -> None:
        saved = 0
        for line in self.lines("dice"):
            if thrown := re.match(r"S: THRW 2 (\d) (\d) ", line):
                saved += int(thrown[1]) + int(thrown[2])
            if turn := re.search(r"TURN (\d+) ", line):
                assert int(turn[1]) == saved
            if line == "C: SAVE":
                break
        assert saved == 26

    def test_oware_answers_like_that(self) -> None:
        *request, status, _author, _strategy, house, board = self.lines("oware")
        assert request == ["C: 0", "C: 5", f"C: {format_board(STANDARD)}", "C: "]
        assert status == "S: OK"
        assert format_board(Oware().start().play(int(house)).board) == board.strip()

    @pytest.mark.parametrize("name", ["index", "session"])
    def test_connect_four_speaks_the_protocol(self, name: str) -> None:
        for line in self.lines("connect4", name):
            if line != "...":
                read_message(line[3:].encode())
