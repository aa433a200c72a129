"""Entrants from tables and from the command line: engines, programs, servers, open seats."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from spielwerk.clients.oware import Address
from spielwerk.contests.commands import PLACEHOLDERS
from spielwerk.contests.contest import Entrant
from spielwerk.contests.entrants import Setting, entrant_from_table, entrant_from_text
from spielwerk.contests.keys import DescriptionError
from spielwerk.games import Game, kits
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.games.dice.rules import Dice
from spielwerk.games.morris.rules import Morris
from spielwerk.games.oware.rules import Oware
from spielwerk.games.quarto.rules import Quarto
from spielwerk.store.records import Kind
from tests.contests.test_description import executable


def table(game: Game[Any], base: Path, **keys: object) -> Entrant:
    return entrant_from_table("entrant 1", keys, Setting(game, base))


def mistake(game: Game[Any], base: Path, **keys: object) -> str:
    """What is wrong with the entrant anna, behind its name."""
    with pytest.raises(DescriptionError) as caught:
        table(game, base, **{"name": "anna", **keys})
    line = str(caught.value)
    assert line.isprintable()
    assert line.startswith("entrant 1 ('")
    return line.partition("): ")[2]


def test_an_engine_that_needs_a_solved_race_says_how_to_solve_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIELWERK_DATA", str(tmp_path))
    race = Dice(target=200)
    for engine in ("level=7", "time=1"):
        unsolved = "the race to 200 has not been solved yet; run: spielwerk solve dice --target 200"
        assert mistake(race, tmp_path, engine=engine) == f"engine = '{engine}': {unsolved}"
    for engine in ("hold=25", "random"):
        assert table(race, tmp_path, name="anna", engine=engine).text == engine


# one of four


def test_an_entrant_is_one_thing(tmp_path: Path) -> None:
    assert mistake(Oware(), tmp_path) == (
        "it needs one of engine, command, bot, remote or open, and has none of them"
    )
    assert mistake(Oware(), tmp_path, engine="random", remote="a:1") == (
        "it needs one of engine, command, bot, remote or open, and has engine and remote of them"
    )
    assert table(Morris(), tmp_path, name="x", engine="random", open=False).kind is Kind.ENGINE


def test_unknown_keys_are_told_with_the_nearest(tmp_path: Path) -> None:
    assert mistake(Oware(), tmp_path, comand="./x") == (
        "there is no key 'comand'; did you mean command?"
    )
    assert mistake(Oware(), tmp_path, xyzzy="./x").endswith(
        "there are name, engine, command, bot, remote, open, folder, strategy, depth, "
        "role, spelling, version, reference"
    )


BELONGS = {
    "oware: open = true": "open = true: an Oware program is a server: name its address with"
    " remote = ...",
    'dice: remote = "a:1"': "remote = 'a:1': only Oware has servers that are asked for moves, not"
    " dice",
    'oware: engine = "random"; folder = "x"': "folder = 'x': it belongs to a command",
    'morris: open = true; folder = "x"': "folder = 'x': it belongs to a command",
    'oware: engine = "random"; depth = 5': "depth = 5: write it into the engine: engine ="
    ' "depth=..."',
    "morris: open = true; strategy = 5": "strategy = 5: it belongs to Oware servers",
    'morris: command = "true"; role = "host"': "role = 'host': it belongs to Connect Four",
    'connect4: command = "true"; role = "hosts"': "role = 'hosts': must be one of join, host; did"
    " you mean host?",
    'connect4: engine = "random"; role = "host"': "role = 'host': it belongs to a command",
    'connect4: engine = "random"; version = "V1"': "version = 'V1': it belongs to a command or to"
    " an open seat",
    'connect4: open = true; version = "V3"': "version = 'V3': must be one of V1, V2",
    'morris: command = "true"; version = "V1"': "version = 'V1': it belongs to Connect Four",
}


@pytest.mark.parametrize(("keys", "line"), BELONGS.items())
def test_keys_belong_to_some_entrants_and_games(keys: str, line: str, tmp_path: Path) -> None:
    game, _, text = keys.partition(": ")
    given = tomllib.loads(text.replace("; ", "\n"))
    assert mistake(kits()[game].game(), tmp_path, **given) == line


# names


@pytest.mark.parametrize("name", ["an na", "anna-1", "änna", "a" * 81, "anna;"])
def test_the_dice_server_is_told_letters_and_digits(name: str, tmp_path: Path) -> None:
    for keys in ({"open": True}, {"command": "true"}):
        with pytest.raises(DescriptionError, match="name = "):
            table(Dice(), tmp_path, name=name, **keys)


def test_engines_and_other_games_are_freer(tmp_path: Path) -> None:
    assert table(Dice(), tmp_path, name="Bot 7 (ä)", engine="random").name == "Bot 7 (ä)"
    assert table(Morris(), tmp_path, name="Bot 7; ä", open=True).name == "Bot 7; ä"
    assert table(Dice(), tmp_path, name="Anna7", open=True).name == "Anna7"


def test_connect_four_parts_its_words_with_semicolons(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match="must not contain ;"):
        table(ConnectFour(), tmp_path, name="a;b", engine="random")


# engines


@pytest.mark.parametrize(
    ("game", "text"),
    [
        *((kind(), "random") for kind in (kit.game for kit in kits().values())),
        *((kind(), "level=10") for kind in (kit.game for kit in kits().values())),
        (Oware(), "strategy=1,depth=5"),
        (Dice(), "hold=25"),
        (Quarto(), "time=0.5,threads=2"),
        (ConnectFour(width=4, height=4, depth=4), "nodes=1000"),
    ],
)
def test_engines_are_described_as_everywhere(game: Game[Any], text: str, tmp_path: Path) -> None:
    assert table(game, tmp_path, name="x", engine=text) == Entrant("x", Kind.ENGINE, text)


@pytest.mark.parametrize("text", ["level=0", "level=11", "hold=5", "best", "time=0"])
def test_an_engine_that_does_not_exist(text: str, tmp_path: Path) -> None:
    assert mistake(Quarto(), tmp_path, engine=text).startswith(f"engine = {text!r}: ")


def test_levels_are_checked_without_loading_an_engine(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from spielwerk.games.quarto.rules import Quarto;"
        "from spielwerk.contests.entrants import Setting, entrant_from_text as read;"
        "read('engine:level=7', Setting(Quarto(), Path())); assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path)


# servers elsewhere


@pytest.mark.parametrize(
    ("text", "place", "options"),
    [
        ("oware.example.org:7889", "oware.example.org:7889", ()),
        ("localhost", "localhost", ()),
        ("[::1]:80", "[::1]:80", ()),
        ("a:1,strategy=3,depth=9", "a:1", ("strategy=3", "depth=9")),
    ],
)
def test_addresses_are_read_as_everywhere(
    text: str, place: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    entrant = table(Oware(), tmp_path, name="x", remote=text)
    assert (entrant.kind, entrant.text, entrant.options) == (Kind.REMOTE, place, options)
    Address.parse(f"remote:{','.join([entrant.text, *entrant.options])}")


def test_strategy_and_depth_stand_behind_the_address_or_on_their_own(tmp_path: Path) -> None:
    entrant = table(Oware(), tmp_path, name="x", remote="a:1", depth=3, strategy=0)
    assert entrant.options == ("strategy=0", "depth=3")
    assert mistake(Oware(), tmp_path, remote="a:1,depth=3", depth=3).endswith(
        "depth is given twice"
    )


@pytest.mark.parametrize(
    "text",
    ["a:", "a:0", "a:65536", "a:x", "::1", "[::g]:80", "http://a:80", "a b:80", ":80", "a@b"],
)
def test_an_address_that_cannot_be_read(text: str, tmp_path: Path) -> None:
    line = mistake(Oware(), tmp_path, remote=text)
    assert line == (
        f"remote = {text!r}: expected HOST:PORT or [IPV6]:PORT, with a port from 1 to 65535"
    )


# programs


def test_a_program_is_found_beside_the_description(tmp_path: Path) -> None:
    executable(tmp_path / "bots" / "anna")
    command = "./bots/{name} -g {game} {port}"
    assert table(Morris(), tmp_path, name="anna", command=command) == Entrant(
        "anna", Kind.COMMAND, command
    )
    for other in ("bots/anna", "{folder}/bots/anna", str(tmp_path / "bots/anna")):
        command = f"{other} {{port}}"
        assert table(Morris(), tmp_path, name="x", command=command).text == command


def test_a_program_that_is_not_there_or_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/bin/sh\n")
    assert mistake(Dice(), tmp_path, command="./none") == (
        f"command = './none': '{tmp_path}/none': there is no such file"
    )
    assert mistake(Dice(), tmp_path, command="./script") == (
        f"command = './script': '{tmp_path}/script': it is not executable;"
        f" try: chmod +x {tmp_path}/script"
    )
    assert mistake(Dice(), tmp_path, command="/").endswith("'/': it is a folder")


def test_a_folder_that_is_not_there_or_too_large(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in ("none", "file"):
        assert mistake(Dice(), tmp_path, command="true", folder=folder) == (
            f"folder = {folder!r}: there is no such folder in {tmp_path}"
        )
    large = tmp_path / "large" / "deep"
    large.mkdir(parents=True)
    with (large / "data").open("wb") as file:
        file.truncate(64_000_000)
    assert table(Dice(), tmp_path, name="x", command="true {port}", folder="large").folder
    (large / "more").write_text("x")
    assert mistake(Dice(), tmp_path, command="true", folder="large").endswith(
        "it is larger than 64 MB and copied for every game; take out some files"
    )


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("true {prot}", "there is no placeholder '{prot}'; did you mean port?"),
        (
            "true {xyzzy}",
            f"there is no placeholder '{{xyzzy}}'; there are {', '.join(PLACEHOLDERS)}",
        ),
        ("{port} x", "the first word is the program; only {folder} and {name} can stand in it"),
    ],
)
def test_a_command_that_cannot_be_understood(command: str, problem: str, tmp_path: Path) -> None:
    assert mistake(Morris(), tmp_path, command=command) == f"command = {command!r}: {problem}"


def test_only_connect_four_has_an_index_server(tmp_path: Path) -> None:
    command = "true {index_host} {index_port}"
    assert table(ConnectFour(), tmp_path, name="x", command=command).text == command
    assert mistake(Morris(), tmp_path, command=command).endswith(
        "only Connect Four has an index server and so {index_host}"
    )


def test_a_connect_four_program_can_be_the_host(tmp_path: Path) -> None:
    command = "true {index_host} {index_port}"
    host = table(ConnectFour(), tmp_path, name="x", command=command, role="host")
    assert host.options == ("role=host",)
    words = {"spelling": "variant", "version": "V1"}
    speaking = table(ConnectFour(), tmp_path, name="x", open=True, **words)
    assert speaking.options == ("spelling=variant", "version=V1")
    assert table(ConnectFour(), tmp_path, name="x", command=command, role="join").options == ()


# on the command line


@pytest.mark.parametrize(
    ("game", "text", "entrant"),
    [
        (Morris(), "engine:level=7", Entrant("level=7", Kind.ENGINE, "level=7")),
        (Morris(), "best=engine:level=7", Entrant("best", Kind.ENGINE, "level=7")),
        (Dice(), "engine:random", Entrant("random", Kind.ENGINE, "random")),
        (ConnectFour(), "engine:time=1", Entrant("time=1", Kind.ENGINE, "time=1")),
        (Oware(), "remote:a.b:80", Entrant("a.b:80", Kind.REMOTE, "a.b:80")),
        (
            Oware(),
            "hagen=remote:a.b:80,depth=3",
            Entrant("hagen", Kind.REMOTE, "a.b:80", options=("depth=3",)),
        ),
        (Dice(), "open:tom", Entrant("tom", Kind.OPEN)),
        (Dice(), "tom=open:", Entrant("tom", Kind.OPEN)),
        (Dice(), "tom=open:tom", Entrant("tom", Kind.OPEN)),
        (
            Morris(),
            "./client {game} {port}",
            Entrant("client", Kind.COMMAND, "./client {game} {port}"),
        ),
        (Morris(), "anna=./client -x={port}", Entrant("anna", Kind.COMMAND, "./client -x={port}")),
        (Morris(), "./client --x={port}", Entrant("client", Kind.COMMAND, "./client --x={port}")),
        (Dice(), "./dice-bot.py {port}", Entrant("dicebot", Kind.COMMAND, "./dice-bot.py {port}")),
    ],
)
def test_entrants_as_they_are_typed(
    game: Game[Any], text: str, entrant: Entrant, tmp_path: Path
) -> None:
    executable(tmp_path / "client")
    executable(tmp_path / "dice-bot.py")
    assert entrant_from_text(text, Setting(game, tmp_path)) == entrant


@pytest.mark.parametrize(
    ("game", "text", "problem"),
    [
        (Morris(), "level=7", "an engine is written 'engine:level=7'"),
        (Morris(), "random", "an engine is written 'engine:random'"),
        (Morris(), "anna=random", "an engine is written 'anna=engine:random'"),
        (Morris(), "anna=level=7", "an engine is written 'anna=engine:level=7'"),
        (Morris(), "engine:", "engine = '': must be a text in one line"),
        (Morris(), "engine:level=70", "engine = 'level=70': level goes from 1 to 10"),
        (Morris(), "remote:a:80", "only Oware has servers"),
        (Oware(), "open:tom", "an Oware program is a server"),
        (Dice(), "open:", "name = '': must be a text in one line"),
        (Dice(), "tom=open:tim", "is it 'tom' or 'tim'? Write one name"),
        (Dice(), "an-na=true", "letters a to z"),
        (Dice(), "./none", "none': there is no such file"),
        (Dice(), "'", "no closing quotation; quotes work as in a shell"),
        (Dice(), "", "there is no command"),
    ],
)
def test_what_is_typed_wrongly_is_told_in_one_line(
    game: Game[Any], text: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DescriptionError) as caught:
        entrant_from_text(text, Setting(game, tmp_path))
    assert str(caught.value).startswith(f"entrant {text!r}: ")
    assert problem in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_bot_is_a_command_that_speaks_its_protocol_for_it(tmp_path: Path) -> None:
    program = tmp_path / "mybot.py"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    written = table(Morris(), tmp_path, name="ada", bot="./mybot.py -v")
    typed = entrant_from_text("ada=bot:./mybot.py -v", Setting(Morris(), tmp_path))
    assert written == typed
    assert written.kind is Kind.COMMAND
    assert "spielwerk bot morris --server {host}:{port}" in written.text
    assert written.text.endswith("-- ./mybot.py -v")
    assert "there is no such file" in mistake(Morris(), tmp_path, bot="./other.py")


def test_a_bot_may_have_a_folder(tmp_path: Path) -> None:
    executable(tmp_path / "ada" / "mybot")
    entrant = table(Morris(), tmp_path, name="ada", bot="./mybot", folder="ada")
    assert entrant.text.endswith("-- ./mybot")
    assert entrant.folder == str(tmp_path / "ada")
    assert "no such folder" in mistake(Morris(), tmp_path, bot="./mybot", folder="eve")
