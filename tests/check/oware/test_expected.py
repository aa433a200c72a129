"""What is expected, and where an answer differs from it: the document's own examples."""

from __future__ import annotations

import pytest

from spielwerk.check.oware.requests import Names, Ruling, difference

STANDARD = "0 0 4 4 4 4 4 4 4 4 4 4 4 4"
KARL = Names(
    b"Karl Muster",
    b"Karl Musters Super-Strategie",
    {0: b"Karl Musters Super-Strategie", 1: b"Zweite"},
)


def answer(
    status: str, details: str, board: str, name: str = "Karl Musters Super-Strategie"
) -> bytes:
    return f"{status}\nKarl Muster\n{name}\n{details}\n{board}\n".encode()


EXAMPLES = {
    "B.1": (
        "0\n10 0 4 4 4 4 4 4 4 4 4 4 4 4\n5\n",
        answer("ERROR read-failure", "move-history", STANDARD),
    ),
    "B.2": (
        "Teststrategie\n1\n0 0 0 5 5 5 5 4 0 5 5 5 5 4\n5\n",
        answer("ERROR strategy", "Teststrategie", STANDARD),
    ),
    "B.3": (
        "0\n0\n0 0 0 5 5 5 5 4 0 5 5 5 5 4\n5\n",
        answer("ERROR search-depth", "0", STANDARD),
    ),
    "B.4": (
        "0\n1\n0 0 4 4 4 4 4 4 4 4 4 4 4 5\n5\n",
        answer("ERROR initial-board", "0 0 4 4 4 4 4 4 4 4 4 4 4 5", STANDARD),
    ),
    "B.5": (
        f"0\n1\n{STANDARD}\n38\n",
        answer("ERROR move-history 1", "38", "0 0 4 4 4 0 5 5 5 5 4 4 4 4"),
    ),
    "B.6": (
        "0\n1\n20 22 0 0 0 0 0 1 1 1 1 1 1 0\n5\n",
        answer("OK", "finish", "22 26 0 0 0 0 0 0 0 0 0 0 0 0"),
    ),
    "B.7": (f"0\n1\n{STANDARD}\n33\n", answer("OK", "2", "0 0 5 5 0 1 6 6 6 5 4 0 5 5")),
}


@pytest.mark.parametrize(("request_text", "right"), EXAMPLES.values(), ids=EXAMPLES)
def test_the_examples_of_the_document_are_right(request_text: str, right: bytes) -> None:
    ruling = Ruling.of(request_text.encode())
    assert difference(right, ruling, KARL) is None
    assert b"".join(line for line in ruling.wanted(KARL, right) if isinstance(line, bytes)) == right


@pytest.mark.parametrize(("request_text", "right"), EXAMPLES.values(), ids=EXAMPLES)
def test_any_changed_byte_is_found_where_it_is(request_text: str, right: bytes) -> None:
    ruling = Ruling.of(request_text.encode())
    move = right.startswith(b"OK") and right.find(b"\n2\n") + 1
    for position in range(len(right)):
        changed = right[:position] + b"~" + right[position + 1 :]
        found = difference(changed, ruling, KARL)
        assert found is not None
        # where no legal move is told, nothing can be said about the board behind it
        assert found.position == position or (move and position == move + 1)


def test_any_legal_move_will_do_but_its_board_must_follow() -> None:
    ruling = Ruling.of(f"0\n1\n{STANDARD}\n\n".encode())
    right = answer("OK", "4", "0 0 4 4 4 4 0 5 5 5 5 4 4 4")
    assert difference(right, ruling, KARL) is None
    wrong = answer("OK", "3", "0 0 4 4 4 4 0 5 5 5 5 4 4 4")
    found = difference(wrong, ruling, KARL)
    assert found is not None
    assert found.values["due"] == "'0 0 4 4 4 0 5 5 5 5 4 4 4 4'"
    illegal = difference(answer("OK", "04", STANDARD), ruling, KARL)
    assert illegal is not None
    assert illegal.values["got"] == "'04'"
    assert illegal.values["due"] == "a legal move: 0, 1, 2, 3, 4, 5"


def test_names_are_open_until_they_are_known() -> None:
    ruling = Ruling.of(b"x\n\n\n\n")
    any_name = b"ERROR strategy\nwho\never\nx\n" + STANDARD.encode() + b"\n"
    assert difference(any_name, ruling, Names()) is None
    found = difference(any_name, ruling, Names(b"who", b"else"))
    assert found is not None
    assert found.values == {"name": "strategy-name", "got": "'ever'", "due": "'else'"}


def test_what_stands_around_the_answer_is_told_apart_from_what_it_says() -> None:
    request_text, right = EXAMPLES["B.5"]
    ruling = Ruling.of(request_text.encode())

    def kind(changed: bytes) -> str:
        found = difference(changed, ruling, KARL)
        assert found is not None
        assert found.everywhere
        return found.kind

    assert kind(right.replace(b"\n", b"\r\n")) == "line-ends"
    assert kind(right[:-1]) == "final-newline"
    assert kind(right + right) == "too-much"
    assert kind(right[:30]) == "cut-off"
