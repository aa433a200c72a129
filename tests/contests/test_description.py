"""Descriptions of contests: what is read, and every mistake in one line."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from unicodedata import normalize

import pytest

from spielwerk.contests.contest import (
    Contest,
    Entrant,
    Format,
    Order,
    Phase,
    Resources,
    usual_disqualify,
)
from spielwerk.contests.description import name_in, new, read, remarks
from spielwerk.contests.drafts import as_toml
from spielwerk.contests.keys import DescriptionError
from spielwerk.contests.schedule import count
from spielwerk.errors import SpielwerkError
from spielwerk.store.records import Kind

TWO = """
[[entrant]]
name = "one"
engine = "level=1"
[[entrant]]
name = "two"
engine = "random"
"""
THREE = f"""{TWO}
[[entrant]]
name = "three"
engine = "level=10"
"""
OWARE = 'name = "Cup"\ngame = "oware"\n'
DICE = 'name = "Cup"\ngame = "dice"\n'
MORRIS = 'name = "Cup"\ngame = "morris"\n'
CONNECT_FOUR = 'name = "Cup"\ngame = "connect4"\n'


def write(folder: Path, text: str) -> Path:
    path = folder / "cup.toml"
    path.write_text(text, "utf-8")
    return path


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def mistake(folder: Path, text: str) -> str:
    """The line that the description is refused with, behind the file's name."""
    path = write(folder, text)
    with pytest.raises(DescriptionError) as caught:
        read(path)
    line = str(caught.value)
    assert isinstance(caught.value, SpielwerkError)
    assert line.startswith(f"{path}: ")
    assert line.isprintable()
    return line.removeprefix(f"{path}: ")


# what is read


def test_a_short_description_is_completed_as_usual(tmp_path: Path) -> None:
    assert read(write(tmp_path, OWARE + TWO)) == Contest(
        "Cup",
        "oware",
        (Entrant("one", Kind.ENGINE, "level=1"), Entrant("two", Kind.ENGINE, "random")),
        base=tmp_path.resolve(),
    )


def test_every_key_is_read(tmp_path: Path) -> None:
    executable(tmp_path / "anna" / "client")
    text = """
    name = "Mühle-Turnier"
    game = "morris"
    options = []
    format = "gauntlet"
    phase = "competition"
    rounds = 7
    seed = 42
    opening = 6
    order = "points"
    disqualify = ["protocol error", "time-out"]
    newcomers = false
    [time]
    move = 0.25
    start = 5
    game = 60.5
    [limits]
    memory = "512 MB"
    processes = 3
    cpu = 1.5
    output = "64 kiB"
    files = 1000
    [mnm]
    dialect = 2
    pace = "block"
    [[entrant]]
    name = "anna"
    command = "./client -g {game} -p {player} {port} {{literally}}"
    folder = "anna"
    [[entrant]]
    name = "perfect"
    engine = "level=10"
    reference = true
    [[entrant]]
    name = "tom"
    open = true
    """
    contest = read(write(tmp_path, text))
    assert contest == Contest(
        name="Mühle-Turnier",
        game="morris",
        entrants=(
            Entrant(
                "anna",
                Kind.COMMAND,
                "./client -g {game} -p {player} {port} {{literally}}",
                str(tmp_path.resolve() / "anna"),
                digest=contest.entrants[0].digest,
            ),
            Entrant("perfect", Kind.ENGINE, "level=10", reference=True),
            Entrant("tom", Kind.OPEN),
        ),
        format=Format.GAUNTLET,
        phase=Phase.COMPETITION,
        order=Order.POINTS,
        rounds=7,
        seed=42,
        opening=6,
        move_time=250,
        start=5.0,
        total=60.5,
        dialect=2,
        pace="block",
        disqualify=("protocol error", "time-out"),
        resources=Resources(512_000_000, 3, 1.5, 65_536, 1000),
        base=tmp_path.resolve(),
    )


def test_what_is_usual_depends_on_the_game(tmp_path: Path) -> None:
    dice = read(write(tmp_path, DICE + THREE))
    assert (dice.order, dice.move_time, dice.opening) == (Order.POINTS, 2000, 0)
    assert dice.disqualify == ("protocol error", "time-out", "crash", "stall")
    assert list(remarks(dice)) == []
    competition = read(write(tmp_path, DICE + 'phase = "competition"\n' + THREE))
    assert (dice.bonus, competition.bonus) == ((), (20, 15, 10, 5))
    assert read(write(tmp_path, DICE + "bonus = [3, 1]\n" + THREE)).bonus == (3, 1)
    four = read(write(tmp_path, CONNECT_FOUR + TWO))
    assert (four.order, four.move_time, four.opening) == (Order.RATING, 10_000, 4)
    assert four.disqualify == ("protocol error",)
    program = f'[[entrant]]\nname = "a"\ncommand = "{sys.executable} {{port}}"\n'
    assert read(write(tmp_path, CONNECT_FOUR + TWO + program)).opening == 0
    assert read(write(tmp_path, MORRIS + TWO)).move_time == 3000


def test_a_ladder_goes_on_without_end_unless_rounds_are_given(tmp_path: Path) -> None:
    ladder = 'format = "ladder"\n'
    assert read(write(tmp_path, OWARE + ladder + TWO)).rounds == 0
    assert read(write(tmp_path, OWARE + ladder + "rounds = 5\n" + TWO)).rounds == 5


def test_the_folder_of_the_description_is_known_even_from_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, OWARE + TWO)
    monkeypatch.chdir(tmp_path)
    assert read(Path("cup.toml")).base == tmp_path.resolve()


# contests that are typed


def test_a_contest_can_be_typed(tmp_path: Path) -> None:
    executable(tmp_path / "bot")
    content = {"name": "Cup", "game": "dice", "rounds": 3, "time": {"move": 1}}
    contest = new(content, ["anna=./bot {port}", "engine:hold=20", "open:tom"], tmp_path)
    assert contest == Contest(
        "Cup",
        "dice",
        (
            Entrant("anna", Kind.COMMAND, "./bot {port}"),
            Entrant("hold=20", Kind.ENGINE, "hold=20"),
            Entrant("tom", Kind.OPEN),
        ),
        order=Order.POINTS,
        disqualify=usual_disqualify("dice"),
        rounds=3,
        opening=0,
        move_time=1000,
        base=tmp_path.resolve(),
    )
    assert read(write(tmp_path, as_toml(contest))) == contest


@pytest.mark.parametrize(
    ("content", "texts", "line"),
    [
        ({"name": "Cup"}, [], "contest: the key game is missing"),
        (
            {"name": "Cup", "game": "dize"},
            [],
            "contest: game = 'dize': must be one of quarto, morris, dice, oware, connect4;"
            " did you mean dice?",
        ),
        (
            {"name": "Cup", "game": "oware"},
            ["engine:random", "engine:random"],
            "contest: two entrants have the name 'random'; give one another name",
        ),
        (
            {"name": "Cup", "game": "oware"},
            ["engine:best"],
            "entrant 'engine:best': engine = 'best': expected random, level=1 to level=10, or a"
            " number for any of time, depth, nodes, threads, strategy",
        ),
    ],
)
def test_what_is_typed_is_checked_like_a_file(
    content: dict[str, object], texts: list[str], line: str, tmp_path: Path
) -> None:
    with pytest.raises(DescriptionError) as caught:
        new(content, texts, tmp_path)
    assert str(caught.value) == line


# files that are no descriptions


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=r"none.toml: there is no such file; .*contest new"):
        read(tmp_path / "none.toml")


def test_a_folder_and_a_device_are_no_descriptions(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(DescriptionError, match="not a regular file"):
            read(path)


def test_a_name_is_one_name_however_its_letters_are_put_together(tmp_path: Path) -> None:
    composed, apart = (normalize(form, "Prüfung für René") for form in ("NFC", "NFD"))
    assert composed != apart
    path = write(tmp_path, (OWARE + TWO).replace("Cup", apart).replace("one", apart))
    assert read(path).name == name_in(path) == read(path).entrants[0].name == composed
    assert (
        new(
            {"name": apart, "game": "quarto"},
            ["a=engine:random", f"{apart[-5:]}=engine:level=1"],
            tmp_path,
        )
        .entrants[1]
        .name
        == "René"
    )


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_bytes(b"name = \xff")
    with pytest.raises(DescriptionError, match="not UTF-8"):
        read(path)


def test_a_file_that_is_not_toml_is_told_with_its_line(tmp_path: Path) -> None:
    line = mistake(tmp_path, 'name = "Cup"\ngame oware\n')
    assert line.startswith("it is not TOML: ")
    assert line.endswith("(at line 2, column 6)")


# keys and values

MISTAKES = {
    "": "the key name is missing",
    'name = "Cup"': "the key game is missing",
    OWARE: "oware needs at least 2 entrants, and there are none",
    DICE + TWO: "dice needs at least 3 entrants, and there are 2",
    OWARE + "roundes = 2": "there is no key 'roundes'; did you mean rounds?",
    OWARE + "xyzzy = 2": "there is no key 'xyzzy'; there are name, game, options, format, phase,"
    " rounds, seed, opening, order, disqualify, bonus, newcomers, time, limits, mnm, connect4,"
    " entrant",
    OWARE + "[time]\nmoves = 2": "there is no key 'time.moves'; did you mean move?",
    OWARE + "[limits]\nxyzzy = 2": "there is no key 'limits.xyzzy'; there are memory, processes,"
    " cpu, output, files, disk",
    OWARE + "time = 3": "time = 3: it is a section; write [time] and its keys below",
    OWARE + "rounds = 0" + TWO: "rounds = 0: only a ladder has no end; choose 1 or more",
    OWARE + "rounds = -1": "rounds = -1: must be a whole number from 0 to 1000000",
    OWARE + "rounds = 2.5": "rounds = 2.5: must be a whole number from 0 to 1000000",
    OWARE + "rounds = 600000\n" + TWO: "2 entrants, rounds = 600000: that would be 1200000 games,"
    " more than 1000000; take fewer of either",
    OWARE + 'newcomers = "no"': "newcomers = 'no': must be true or false, without quotes",
    OWARE + "newcomers = true\n" + TWO: "newcomers = true: newcomers can only join a ladder of"
    " dice; take it out",
    DICE + "newcomers = true\n" + THREE: "newcomers = true: newcomers can only join a ladder of"
    " dice; take it out",
    OWARE + 'format = "roundrobin"': "format = 'roundrobin': must be one of round-robin, gauntlet,"
    " ladder; did you mean round-robin?",
    OWARE + "format = 3": "format = 3: must be one of round-robin, gauntlet, ladder",
    OWARE + 'format = "ladder"\nphase = "competition"\n' + TWO: 'format = "ladder": a ladder is'
    " for training; a competition is a round-robin",
    OWARE + 'disqualify = ["crashs"]': "disqualify = ['crashs']: 'crashs' in it must be one of"
    " time-out, illegal move, protocol error, crash, stall, no start; did you mean crash?",
    OWARE + 'disqualify = "crash"': "disqualify = 'crash': must be a list: [..., ...]",
    OWARE + "[time]\nmove = nan": "time.move = nan: must be a number of seconds from 0.01 to 86400",
    OWARE + '[limits]\nmemory = "much"': "limits.memory = 'much': must be a size like \"512 MB\","
    " from 1 MB to 1 TB",
    MORRIS + "[mnm]\ndialect = 4": "mnm.dialect = 4: must be one of 1, 2, 3",
    MORRIS + '[mnm]\npace = "lines"': "mnm.pace = 'lines': must be one of first-then-rest, block,"
    " line; did you mean line?",
    CONNECT_FOUR
    + "[connect4]\ndialect = 1": "there is no key 'connect4.dialect'; there are spelling, version",
    OWARE + '[connect4]\nversion = "V1"' + TWO: "[connect4]: it is for connect4; take it out",
    OWARE + "[mnm]\ndialect = 1" + TWO: "[mnm]: it is for quarto and morris; take it out",
    DICE + "opening = 4" + THREE: "opening = 4: the dice race begins with nothing; take it out",
    'game = "oware"\nname = ""': "name = '': must be a text in one line, 1 to 80 characters",
    'game = "oware"\nname = " a "': "name = ' a ': must have no blanks at its ends",
    'game = "oware"\nname = "a\\u202eb"': "name = 'a\\u202eb': must be a text in one line, 1 to 80"
    " characters, none of them invisible like U+202E",
    'name = "x"\ngame = "Quatro"': "game = 'Quatro': must be one of quarto, morris, dice, oware,"
    " connect4; did you mean quarto?",
    DICE + 'options = ["goal=3"]': "options: 'goal=3': dice has no such option; it has target,"
    " rounds, begins",
    DICE + 'options = ["target=1"]': "options: 'target=1': must be from 3 to 10000",
    DICE + 'options = ["target"]': "options: 'target' is no choice of an option: expected"
    " NAME=VALUE",
    DICE + 'options = ["begins=1"]': "options = 'begins=1': all begin equally often; leave it out",
    DICE + "options = [150]": "options = [150]: 150 in it must be a text in one line, 1 to 40"
    " characters",
    OWARE + "entrant = 3": "entrant: write [[entrant]] above every one of them",
    OWARE + "[entrant]\nname = 'x'": "entrant: write [[entrant]] above every one of them",
    OWARE + "entrant = [3]": "entrant 1: write [[entrant]] above its keys, a pair of brackets each",
    OWARE + TWO + TWO.replace("one", "ONE").replace("two", "three"): "the names 'one' and"
    " 'ONE' differ only in case; give one another name",
    OWARE
    + TWO.replace("one", "Ren\N{LATIN SMALL LETTER E WITH ACUTE}").replace(
        "two", "Rene\N{COMBINING ACUTE ACCENT}"
    ): "two entrants have the name 'Ren\N{LATIN SMALL LETTER E WITH ACUTE}'; give one another name",
    OWARE + 'format = "gauntlet"\n' + TWO: "a gauntlet needs 1 with reference = true, and one"
    " without; 0 of 2 have it",
    DICE + 'format = "gauntlet"\n' + THREE + "reference = true": "a gauntlet needs 2 with"
    " reference = true, and one without; 1 of 3 have it",
    OWARE + 'format = "gauntlet"\n' + TWO.replace("engine", "reference = true\nengine"): "a"
    " gauntlet needs 1 with reference = true, and one without; 2 of 2 have it",
    OWARE + TWO + "reference = true": "entrant 'two': reference = true: it belongs to format ="
    ' "gauntlet"',
}


@pytest.mark.parametrize(("text", "line"), MISTAKES.items(), ids=range(len(MISTAKES)))
def test_a_mistake_is_told_in_one_line(tmp_path: Path, text: str, line: str) -> None:
    assert mistake(tmp_path, text) == line


def test_too_many_entrants(tmp_path: Path) -> None:
    crowd = "".join(f'[[entrant]]\nname = "e{n}"\nengine = "random"\n' for n in range(1001))
    assert mistake(tmp_path, OWARE + crowd) == "1001 entrants, 1000 is the most"


# what does not fit together


def test_too_many_games(tmp_path: Path) -> None:
    class_ = "".join(f'[[entrant]]\nname = "e{n}"\nengine = "random"\n' for n in range(150))
    assert mistake(tmp_path, DICE + class_) == (
        "150 entrants, rounds = 1: that would be 3307800 games, more than 1000000; take fewer of"
        " either"
    )
    most = read(write(tmp_path, OWARE + "rounds = 500000\n" + TWO))
    assert count(most) == 1_000_000


def test_openings_that_connect_four_programs_cannot_be_told(tmp_path: Path) -> None:
    program = f'[[entrant]]\nname = "a"\ncommand = "{sys.executable} {{port}}"\n'
    text = CONNECT_FOUR + "opening = 4\n" + TWO
    assert read(write(tmp_path, text)).opening == 4
    assert mistake(tmp_path, text + program) == (
        "opening = 4: programs of Connect Four cannot be told a board, only engines can;"
        " take it out"
    )


# hosts and open seats

HOST = '[[entrant]]\nname = "bert"\ncommand = "./bot {index_port}"\nrole = "host"\n'
OPEN = '[[entrant]]\nname = "tom"\nopen = true\n'
GAUNTLET = CONNECT_FOUR + 'format = "gauntlet"\n'
REFERENCE = "reference = true\n"


@pytest.mark.parametrize(
    "text",
    [
        CONNECT_FOUR + HOST + OPEN,
        CONNECT_FOUR + 'format = "ladder"\n' + HOST + OPEN,
        GAUNTLET + HOST + REFERENCE + OPEN,
        GAUNTLET + HOST + OPEN + REFERENCE,
    ],
)
def test_one_who_hosts_cannot_meet_an_open_seat(text: str, tmp_path: Path) -> None:
    executable(tmp_path / "bot")
    assert mistake(tmp_path, text) == (
        "entrant 'bert': role = \"host\": a program that hosts cannot meet the open seat 'tom';"
        " let it join, or take one of them out"
    )


# what is worth a remark


def test_a_key_without_effect_is_remarked(tmp_path: Path) -> None:
    strict = 'disqualify = ["crash"]\n'
    assert list(remarks(read(write(tmp_path, OWARE + strict + TWO)))) == [
        "disqualify has no effect in training"
    ]
    competition = strict + 'phase = "competition"\n'
    assert list(remarks(read(write(tmp_path, OWARE + competition + TWO)))) == []
    assert list(remarks(read(write(tmp_path, OWARE + TWO)))) == []


def test_a_word_that_could_be_a_file_is_remarked(tmp_path: Path) -> None:
    for file in ("run", "bot.sh"):
        executable(tmp_path / file)
    text = OWARE + TWO + '[[entrant]]\nname = "a"\ncommand = "sh {} {{port}}"\n'
    assert list(remarks(read(write(tmp_path, text.format("run"))))) == [
        "entrant 'a': 'run' is not taken for the file here; if it is meant write ./run"
    ]
    for plain in ("./run", "bot.sh", "other"):
        assert list(remarks(read(write(tmp_path, text.format(plain))))) == []
    (tmp_path / "own").mkdir()
    own = text.format("run") + 'folder = "own"\n'
    assert list(remarks(read(write(tmp_path, own)))) == []


@pytest.mark.parametrize(
    ("game", "entrant", "missing"),
    [
        (MORRIS, 'command = "true -g {game} -p {player}"', "{port}"),
        (OWARE, 'command = "true --bind {host} {{port}}"', "{port}"),
        (CONNECT_FOUR, 'command = "true {index_host}"', "{index_port} or {port}"),
        (CONNECT_FOUR, 'command = "true {port}"\nrole = "host"', "{index_port}"),
        (MORRIS, 'command = "true -s {host}:{port}"', ""),
        (CONNECT_FOUR, "command = \"sh -c 'exec true {index_port}'\"", ""),
    ],
)
def test_a_program_that_is_not_told_its_port_is_remarked(
    game: str, entrant: str, missing: str, tmp_path: Path
) -> None:
    contest = read(write(tmp_path, f'{game}{TWO}[[entrant]]\nname = "a"\n{entrant}\n'))
    why = f"ports are new for every game, and without {missing} it is not told its own"
    assert list(remarks(contest)) == ([f"entrant 'a': {why}"] if missing else [])


# finding a contest again


def test_its_name_is_all_that_is_needed_to_find_a_contest(tmp_path: Path) -> None:
    gone = '[[entrant]]\nname = "a"\ncommand = "./gone"\nfolder = "nowhere"\n'
    path = write(tmp_path, OWARE + gone)
    assert name_in(path) == "Cup"
    with pytest.raises(DescriptionError):
        read(path)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("game = 'oware'", "the key name is missing"),
        ("name = 3", "name = 3: must be a text in one line, 1 to 80 characters"),
        ("name", "it is not TOML"),
    ],
)
def test_a_name_that_is_none_is_told_as_ever(text: str, line: str, tmp_path: Path) -> None:
    with pytest.raises(DescriptionError, match=line):
        name_in(write(tmp_path, text))
