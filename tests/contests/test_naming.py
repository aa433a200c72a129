from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielwerk.contests.contest import contest_ids
from spielwerk.contests.entrants import check_name, wire_name
from spielwerk.store.records import Kind


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Würfel-Wettbewerb", "wuerfel-wettbewerb"),
        ("Große Übung, 2. Teil!", "grosse-uebung-2-teil"),
        ("Ærø Ångström", "aeroe-aangstroem"),
        ("Café  Zoë", "cafe-zoe"),
        ("u\u0308ben", "ueben"),
        ("--Cup--", "cup"),
        ("../../etc/passwd", "etc-passwd"),
        ("x" * 100, "x" * 60),
    ],
)
def test_a_contest_is_called_by_its_name_in_plain_letters(name: str, wanted: str) -> None:
    first, second = contest_ids(name)
    assert first == wanted
    assert re.fullmatch(f"{wanted}-[0-9a-f]{{8}}", second)


def test_names_without_plain_letters_are_told_apart_all_the_same() -> None:
    assert re.fullmatch(r"contest-[0-9a-f]{8}", contest_ids("大会")[0])
    assert contest_ids("大会")[0] != contest_ids("試合")[0]


@given(st.text(max_size=80))
def test_every_name_can_stand_in_an_address(name: str) -> None:
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one) for one in contest_ids(name))
    assert contest_ids(name) == contest_ids(name)


@given(
    st.text(st.characters(exclude_categories=("C", "Z")), min_size=1),
    st.sampled_from(["dice", "connect4", "morris"]),
    st.sampled_from(Kind),
)
def test_a_name_made_from_a_text_can_be_said(text: str, game: str, kind: Kind) -> None:
    name = wire_name(text, kind, game)
    if name:
        check_name(name, kind, game)
