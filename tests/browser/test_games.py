"""Every game from the form for a new one to its export: in both languages, with all hands."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from spielwerk.games import State
from spielwerk.games.interface import CHANCE
from tests.browser.play import NewPerson, Person

Choose = Callable[[State[Any], int], str]


# how people come

PROFILES: dict[str, dict[str, Any]] = {
    "mouse": {},
    "keys-english-dark": {"language": "en", "hands": "keys", "color_scheme": "dark"},
    "finger-360": {"hands": "finger", "size": (360, 740)},
}

# what they play

MILLS = (  # placing, moving, flying, and seven captures
    "A6 C4 A0 A3 A7;C4 B7 A4 C0 A5;A3 C5 A2 A1 A3;A1 B1 A1;C5 B3 C5 B6 A5:B5 B3:B2 A4:A5;B7 B6:B7"
    " A5:A4;B1 B7:B3 A6:A5;C0"
)


ENOUGH = 9  # points of a turn
TRIED = 30  # moves whose answers are looked at


def written(*moves: object) -> Choose:
    """Moves that are known beforehand."""
    return lambda _state, number: str(moves[number])


def towards_a_line(state: State[Any], number: int) -> str:
    """Quarto: win if that is possible, else help the opponent to it."""
    moves = list(state.legal_moves())
    random.Random(number).shuffle(moves)
    return state.game.format_move(next(_lines(state, moves), moves[0]))


def _lines(state: State[Any], moves: list[Any]) -> Iterator[Any]:
    yield from (move for move in moves if state.play(move).outcome)
    for move in moves[:TRIED]:
        after = state.play(move)
        if any(after.play(answer).outcome for answer in after.legal_moves()):
            yield move


def generously(state: Any, _number: int) -> str:
    """Oware: whatever lets the opponent own most, so that it is soon over."""

    def given(move: int) -> int:
        after = state.play(move)
        return max((after.play(answer).board[1] for answer in after.legal_moves()), default=0)

    return str(max(state.legal_moves(), key=given))


def cautiously(state: Any, _number: int) -> str:
    """Dice: nine points are enough."""
    return "SAVE" if state.points >= ENOUGH else "ROLL"


GAMES: dict[str, tuple[str, tuple[str, ...], dict[str, Any], Choose]] = {
    "quarto": ("quarto", ("here Ada", "here Bo"), {"first": 5}, towards_a_line),
    "morris": ("morris", ("here Ada", "here Bo"), {}, written(*MILLS.split())),
    "oware": ("oware", ("here Ada", "strategy=1,depth=1"), {}, generously),
    "connect4": (
        "connect4",
        ("here Ada", "here Bo"),
        {"begins": 0},
        written(3, 4, 10, 11, 17, 18, 24),
    ),
    "solid": ("solid", ("here Ada", "here Bo"), {"begins": 1}, written(1, 2, 5, 6, 9, 10, 13)),
    # a computer might begin by saving nothing, and another after it, which could not be seen
    "dice": (
        "dice",
        ("here Ada", "level=1", "level=2"),
        {"target": 30, "begins": 0},
        cautiously,
    ),
}


@pytest.mark.parametrize(
    ("game", "profile"),
    [
        ("quarto", "mouse"),
        ("morris", "keys-english-dark"),
        ("oware", "finger-360"),
        ("connect4", "finger-360"),
        ("solid", "keys-english-dark"),
        ("dice", "mouse"),
    ],
)
def test_a_game_from_the_form_to_the_export(person: NewPerson, game: str, profile: str) -> None:
    one = person(**PROFILES[profile])
    kind, seats, options, choose = GAMES[game]
    one.create(kind, *seats, **options)
    number = 0
    while one.ready():
        play(one, number, choose(one.state(), number))
        number += 1
    one.ended()
    replay(one)
    export(one)


def play(one: Person, number: int, move: str) -> None:
    """Play on the board, every third time by typing."""
    if number % 3 == 2 and one.record()["game"] != "dice":
        one.type(move)
    else:
        one.play(move)


# afterwards


def replay(one: Person) -> None:
    """Go through the game: with keys, the slider and the address."""
    page, total = one.page, len(one.record()["moves"])
    page.keyboard.press("Escape")
    end = one.look(total)
    page.keyboard.press("Home")
    looks = [one.look(0)]
    for ply in range(1, 4):
        page.keyboard.press("ArrowRight")
        looks.append(one.look(ply))
    assert end not in looks
    assert looks[0] != looks[2]
    page.keyboard.press("ArrowLeft")
    assert one.look(2) == looks[2]
    page.keyboard.press("End")
    assert one.look(total) == end
    one.hands.slide(one.slider, 2)
    assert one.look(2) == looks[2]
    expect(page).to_have_url(f"{one.served.url}/t/{one.table}?ply=2")
    one.visit(one.table, "?ply=2")
    assert one.look(2) == looks[2]
    flip(one)


def flip(one: Person) -> None:
    """See the board from the other side; dice have none."""
    if one.record()["game"] == "dice":
        return
    corner = one.board.locator(".target").first
    identity = corner.get_attribute("data-id")
    same = one.board.locator(f'.target[data-id="{identity}"]').first
    before = place(same)
    one.page.keyboard.press("f")
    expect(one.board).to_have_js_property("flipped", value=True)
    assert place(same) != before
    one.page.keyboard.press("f")
    expect(one.board).to_have_js_property("flipped", value=False)


def place(node: Locator) -> tuple[int, int]:
    """Where something is on the page."""
    box = node.bounding_box()
    assert box
    return round(box["x"]), round(box["y"])


def export(one: Person) -> None:
    """Save the record: for programs, and in the document's own notation."""
    record = one.record()
    told = json.loads(saved(one, "JSON"))
    assert told["format"] == "Spielwerk game"
    assert (told["moves"], told["result"]) == (record["moves"], record["result"])
    assert saved(one, one.t("table.notation")) == notation(record)


def saved(one: Person, name: str) -> str:
    """What a link gives to save."""
    with one.page.expect_download() as download:
        one.hands.press(one.page.get_by_role("link", name=name, exact=True))
    return Path(download.value.path()).read_text(encoding="utf-8")


def notation(record: dict[str, Any]) -> str:
    """The moves as the game's document writes them."""
    moves = [(move["seat"], move["move"]) for move in record["moves"]]
    if record["game"] == "oware":
        return "".join(move for _, move in moves) + "\n"
    if record["game"] == "connect4":
        return "".join(f"{move}\n" for _, move in moves)
    if record["game"] == "dice":
        return "".join(f"{'-' if seat == CHANCE else seat} {move}\n" for seat, move in moves)
    turns = [
        (seat, ";".join(move for _, move in turn)) for seat, turn in groupby(moves, lambda m: m[0])
    ]
    return "".join(f"{'NEXT' if seat == CHANCE else 'PLAY'} {turn}\n" for seat, turn in turns)
