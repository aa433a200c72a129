"""The command line: what getopt(3) allows, and everything that is wrong use."""

from __future__ import annotations

import pytest

from spielwerk.clients.dice.bot import HELP, SYNOPSIS, BotSettings, read_arguments
from spielwerk.errors import UsageError
from tests.clients.dice.program import run

PLAIN = BotSettings("dice1", "localhost")


def test_the_synopsis_is_the_documents() -> None:
    assert SYNOPSIS == "dicebot -n <bot-name> [-p <server-port>] <server-hostname>"
    assert SYNOPSIS in HELP


@pytest.mark.parametrize(
    "arguments",
    [
        "-n dice1 localhost",
        "localhost -n dice1",
        "-ndice1 localhost",
        "-n dice1 -p 9001 localhost",
        "-p9001 -ndice1 localhost",
        "-p 9001 localhost -n dice1",
        "-n dice1 -- localhost",
        "--strategy equilibrium -n dice1 localhost --target=150",
    ],
)
def test_options_in_any_order_and_form(arguments: str) -> None:
    assert read_arguments(arguments.split()) == PLAIN


def test_everything_can_be_set() -> None:
    arguments = "-n B0t -p 65535 --strategy hold=20 --target 200 10.0.0.1"
    expected = BotSettings("B0t", "10.0.0.1", 65535, "hold=20", 200)
    assert read_arguments(arguments.split()) == expected


@pytest.mark.parametrize("arguments", ["-h", "--help", "-n dice1 localhost --help"])
def test_help_is_no_game(arguments: str) -> None:
    assert read_arguments(arguments.split()) is None


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "name of the bot is missing"),
        (["localhost"], "name of the bot is missing"),
        (["-n"], "option -n requires argument"),
        (["-n", "dice1"], "hostname is missing"),
        (["-n", "dice1", ""], "hostname is missing"),
        (["-n", "dice1", "--"], "hostname is missing"),
        (["-n", "dice1", "a", "b"], "'b' is too much"),
        (["-x", "-n", "dice1", "a"], "option -x not recognized"),
        (["--\x1b[2J", "-n", "dice1", "a"], r"option --\\x1b"),
        (["-n", "a", "-n", "b", "c"], "more than once"),
        (["-n", "dice1", "-p", "1", "-p", "2", "a"], "more than once"),
        (["-n", "dice1", "--strategy", "best", "a"], "'best' is not a strategy"),
        (["-n", "dice1", "--strategy", "hold=0", "a"], "is not a strategy"),
        (["-n", "dice1", "--strategy", "hold=\u0663", "a"], "is not a strategy"),
        (["-n", "dice1", "-p", "0", "a"], "number from 1 to 65535"),
        (["-n", "dice1", "--target", "2", "a"], "number from 3 to 10000"),
        (["-n", "dice1", "--target", "many", "a"], "number from 3 to 10000"),
    ],
)
def test_wrong_use(arguments: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem) as caught:
        read_arguments(arguments)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["", "my bot", "b-t", "bär", "b\n", "\x1b[2J", "x" * 81, "\u0663"])
def test_no_name_of_a_bot(name: str) -> None:
    with pytest.raises(UsageError, match="is not a name for a bot") as caught:
        read_arguments(["-n", name, "localhost"])
    assert str(caught.value).isprintable()


def test_wrong_use_prints_the_synopsis_and_exits_with_1() -> None:
    code, out, errors = run("-n", "dice1")
    assert (code, out) == (1, "")
    problem, synopsis = errors.splitlines()
    assert problem.startswith("dicebot: ")
    assert synopsis == f"SYNOPSIS: {SYNOPSIS}"
