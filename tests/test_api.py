"""What is public: named, explained on its page, and its examples hold."""

from __future__ import annotations

import doctest
import io
import json
import re
from importlib.resources import files

import pytest

import spielwerk
from spielwerk.clients.bots import decision
from tests.api_page import GROUPS, PAGE, page

NAMES = {name: getattr(spielwerk, name) for name in spielwerk.__all__}


def test_the_page_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run `make api`, and read the difference before you commit it"


def test_the_page_has_everything_that_is_public() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(spielwerk.__all__)


def test_every_link_of_the_page_leads_to_a_heading() -> None:
    headings = {name.lower() for name in re.findall(r"^### (\w+)$", page(), re.MULTILINE)}
    assert {*re.findall(r"\(#(\w+)\)", page())} == headings


@pytest.mark.parametrize("name", NAMES)
def test_its_examples_hold(name: str) -> None:
    runner = doctest.DocTestRunner()
    for found in doctest.DocTestFinder().find(NAMES[name], name, globs=NAMES):
        assert runner.run(found).failed == 0


def test_types_are_for_others_too() -> None:
    assert files(spielwerk).joinpath("py.typed").is_file()


def test_what_is_not_public_is_told() -> None:
    with pytest.raises(AttributeError, match="spielwerk has no 'Robot'; it has Bot, Engine"):
        spielwerk.Robot  # noqa: B018


def test_what_a_bot_prints_is_no_move(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def choose(position: spielwerk.Position) -> str:
        print("thinking about", position.seat)  # noqa: T201
        return position.moves[-1]

    game = spielwerk.find_game("dice")()
    line = json.dumps(decision(game.start(), [], None))
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n{line}\n"))
    monkeypatch.setattr("sys.argv", ["mybot.py"])
    spielwerk.run_bot(choose)
    said = capsys.readouterr()
    assert said.out == "SAVE\nSAVE\n"
    assert said.err == "thinking about 0\n" * 2
