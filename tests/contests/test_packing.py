"""Descriptions in the store, as TOML, and compared."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.contests.contest import (
    Contest,
    Entrant,
    Format,
    Order,
    Phase,
    Resources,
    pack,
    unpack,
)
from spielwerk.contests.description import read
from spielwerk.contests.drafts import as_toml, differences
from spielwerk.contests.keys import LIMITS, SECTIONS, paths
from spielwerk.store.records import FORFEITS, Kind
from tests.contests.test_description import executable, write

LINES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)

ENTRANTS = st.builds(
    Entrant,
    LINES,
    st.sampled_from(Kind),
    LINES,
    st.sampled_from(["", "/srv/bots/anna"]),
    st.lists(st.sampled_from(["depth=5", "role=host"]), max_size=2).map(tuple),
    st.booleans(),
    st.sampled_from(["", "abf28667"]),
)
CONTESTS = st.builds(
    Contest,
    name=LINES,
    game=st.sampled_from(["dice", "oware"]),
    entrants=st.lists(ENTRANTS, max_size=4).map(tuple),
    options=st.lists(LINES, max_size=2).map(tuple),
    format=st.sampled_from(Format),
    phase=st.sampled_from(Phase),
    order=st.sampled_from(Order),
    rounds=st.integers(0, 10**6),
    seed=st.integers(0, 2**63 - 1),
    move_time=st.integers(10, 10**7),
    total=st.floats(1, 10**6),
    disqualify=st.lists(st.sampled_from(FORFEITS), max_size=3).map(tuple),
    bonus=st.lists(st.integers(0, 100), max_size=4).map(tuple),
    newcomers=st.booleans(),
    resources=st.builds(Resources, memory=st.integers(10**6, 10**12), cpu=st.floats(1, 10**6)),
    base=st.sampled_from([None, Path("/srv/bots")]),
)


def described() -> Contest:
    entrants = (
        Entrant("anna", Kind.COMMAND, "./bot", "/srv/bots/anna", digest="7"),
        Entrant("best", Kind.ENGINE, "level=10", reference=True),
        Entrant("hagen", Kind.REMOTE, "a:1", options=("depth=5",)),
        Entrant("tom", Kind.OPEN),
    )
    return Contest("Cup", "oware", entrants, rounds=2, base=Path("/srv/bots"))


def entrant(contest: Contest, number: int, **changes: Any) -> Contest:
    """The contest with one entrant changed."""
    entrants = list(contest.entrants)
    entrants[number] = replace(entrants[number], **changes)
    return replace(contest, entrants=tuple(entrants))


# packing


@given(CONTESTS)
def test_what_is_packed_comes_out_again_through_json(contest: Contest) -> None:
    packed = pack(contest)
    again = json.loads(json.dumps(packed))
    assert again == packed
    assert unpack(again) == contest


def test_what_another_version_packed_can_be_unpacked() -> None:
    packed = pack(described())
    del packed["newcomers"], packed["resources"]["files"], packed["entrants"][0]["reference"]
    del packed["bonus"]
    packed["colour"] = packed["resources"]["colour"] = packed["entrants"][0]["colour"] = "red"
    assert unpack(packed) == described()


# as TOML


def test_a_contest_is_written_as_it_can_be_read(tmp_path: Path) -> None:
    base = tmp_path.resolve()
    executable(base / "anna" / "bot")
    folder = str(base / "anna")
    contest = Contest(
        name='Der "große" \\ Cup',
        game="oware",
        entrants=(
            Entrant("anna", Kind.COMMAND, "./bot '{port}' \"x\"", folder, ("strategy=1",)),
            Entrant("best", Kind.ENGINE, "level=10", reference=True),
            Entrant("hagen", Kind.REMOTE, "a:1", options=("strategy=0", "depth=5")),
        ),
        format=Format.GAUNTLET,
        order=Order.POINTS,
        rounds=3,
        seed=7,
        opening=2,
        move_time=1250,
        total=12.5,
        disqualify=("crash", "no start"),
        bonus=(3, 1),
        resources=Resources(memory=3 * 1024**2, output=12345),
        base=base,
    )
    text = as_toml(contest)
    assert 'folder = "anna"' in text
    assert 'memory = "3 MiB"' in text
    assert 'output = "12345 B"' in text
    assert read(write(tmp_path, text)) == contest


def test_an_opening_that_cannot_be_played_is_not_written(tmp_path: Path) -> None:
    executable(tmp_path / "bot")
    programs = tuple(Entrant(name, Kind.COMMAND, "./bot {port}") for name in ("a", "b", "c"))
    for game in ("dice", "connect4"):
        text = as_toml(Contest("Cup", game, programs, opening=4))
        assert read(write(tmp_path, text)).opening == 0


# differences


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"rounds": 3}, "rounds was 2, is 3"),
        ({"name": "Pokal"}, 'name was "Cup", is "Pokal"'),
        ({"move_time": 2000}, "time.move was 3.0, is 2.0"),
        ({"format": Format.LADDER}, 'format was "round-robin", is "ladder"'),
        (
            {"disqualify": ("crash",)},
            'disqualify was ["protocol error"], is ["crash"]',
        ),
        (
            {"resources": Resources(memory=10**9)},
            'limits.memory was "2 GiB", is "1 GB"',
        ),
        ({"options": ("a=1",)}, 'options was [], is ["a=1"]'),
    ],
)
def test_a_changed_key_is_told_with_both_values(changes: dict[str, Any], sentence: str) -> None:
    assert differences(described(), replace(described(), **changes)) == [sentence]


@pytest.mark.parametrize(
    ("number", "changes", "sentence"),
    [
        (0, {"text": "./bot -x"}, 'entrant anna: command was "./bot", is "./bot -x"'),
        (0, {"folder": "/srv/bots/other"}, 'entrant anna: folder was "anna", is "other"'),
        (0, {"digest": "8"}, "entrant anna has another program: its files are not the same"),
        (1, {"reference": False}, "entrant best: reference was true, is not given"),
        (2, {"options": ()}, "entrant hagen: depth was 5, is not given"),
        (3, {"reference": True}, "entrant tom: reference was not given, is true"),
    ],
)
def test_a_changed_entrant_is_told(number: int, changes: dict[str, Any], sentence: str) -> None:
    assert differences(described(), entrant(described(), number, **changes)) == [sentence]


def test_an_entrant_of_another_kind_has_other_keys() -> None:
    other = entrant(described(), 3, kind=Kind.ENGINE, text="random")
    assert differences(described(), other) == [
        "entrant tom: open was true, is not given",
        'entrant tom: engine was not given, is "random"',
    ]


def test_entrants_come_and_go_and_change_places() -> None:
    old = described()
    assert differences(old, replace(old, entrants=old.entrants[1:])) == ["entrant anna was removed"]
    assert differences(replace(old, entrants=old.entrants[:3]), old) == ["entrant tom is new"]
    assert differences(old, replace(old, entrants=old.entrants[::-1])) == [
        "the entrants are in another order"
    ]
    assert differences(old, entrant(old, 0, name="bert")) == [
        "entrant anna was removed",
        "entrant bert is new",
    ]


def test_a_contest_that_moved_as_a_whole_is_the_same() -> None:
    moved = replace(entrant(described(), 0, folder="/home/x/anna"), base=Path("/home/x"))
    assert differences(described(), moved) == []


def test_every_field_of_a_contest_has_its_key() -> None:
    filled, limits = {field for *_, field in paths()}, {*SECTIONS[LIMITS]}
    assert filled - limits == {f.name for f in fields(Contest)} - {
        "entrants",
        "resources",
        "base",
    }
    assert {f.name for f in fields(Resources)} == limits
