"""Every key of a description: the least and the most that it takes, and what is beyond."""

from __future__ import annotations

from typing import Any

import pytest

from spielwerk.contests.keys import ENTRANT_KEYS, DescriptionError, accepted, contest_values

DAY = 24 * 3600

RANGES = [
    (False, "rounds", 0, 10**6, 1),
    (False, "seed", 0, 2**63 - 1, 1),
    (False, "opening", 0, 60, 1),
    (False, "time.move", 0.01, DAY, 0.005),
    (False, "time.start", 0.1, 3600, 0.05),
    (False, "time.game", 0.1, 365 * DAY, 0.05),
    (False, "limits.memory", 10**6, 10**12, 1),
    (False, "limits.processes", 1, 10**5, 1),
    (False, "limits.cpu", 0.1, 365 * DAY, 0.05),
    (False, "limits.output", 1, 10**12, 1),
    (False, "limits.files", 1, 10**12, 1),
    (False, "limits.disk", 1, 10**12, 1),
    (True, "strategy", 0, 10**9 - 1, 1),
    (True, "depth", 1, 9, 1),
]


def given(table: dict[str, Any], *, entrant: bool = False) -> dict[str, Any]:
    return accepted("file", table, ENTRANT_KEYS) if entrant else contest_values("file", table)


def table(path: str, value: Any) -> dict[str, Any]:
    section, _, key = path.rpartition(".")
    return {section: {key: value}} if section else {key: value}


@pytest.mark.parametrize(("entrant", "path", "least", "most", "step"), RANGES)
def test_a_number_has_its_range(
    entrant: bool, path: str, least: float, most: float, step: float
) -> None:
    for good in (least, most):
        assert given(table(path, good), entrant=entrant)
    for bad in (least - step, most + step, "1", True):
        with pytest.raises(DescriptionError, match=rf"^file: {path} = .*: must be a "):
            given(table(path, bad), entrant=entrant)


@pytest.mark.parametrize("path", ["name", "options", "bonus", "newcomers", "mnm.dialect"])
def test_a_value_of_another_type_is_refused(path: str) -> None:
    with pytest.raises(DescriptionError, match=rf"^file: {path} = 1.5: must be"):
        given(table(path, 1.5))


def test_a_name_has_80_characters_and_an_option_40() -> None:
    good = {"name": "x" * 80, "options": ["x" * 40]}
    assert given(good)["options"] == ("x" * 40,)
    for bad in ({"name": "x" * 81}, {"options": ["x" * 41]}):
        with pytest.raises(DescriptionError, match="must be a text in one line, 1 to"):
            given(bad)


@pytest.mark.parametrize(("text", "size"), [("1.5 GiB", 3 * 2**29), ("2 MB", 2 * 10**6)])
def test_sizes_have_units(text: str, size: int) -> None:
    assert given({"limits": {"memory": text}}) == {"memory": size}


def test_what_comes_first_in_the_file_is_told_first() -> None:
    with pytest.raises(DescriptionError, match="seed"):
        given({"seed": -1, "rounds": -1, "wrong": 1})
    with pytest.raises(DescriptionError, match="wrong"):
        given({"wrong": 1, "seed": -1})
