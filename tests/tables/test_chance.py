"""Dice and Game-IDs: fair, used once, and not to be guessed."""

import re
from collections import Counter

import pytest

from spielwerk.tables.parts import SUPPLY, FairDice, new_id, short, shown


def test_all_faces_are_about_equally_frequent() -> None:
    dice = FairDice()
    counts = Counter(dice.randint(1, 6) for _ in range(12_000))
    assert sorted(counts) == [1, 2, 3, 4, 5, 6]
    chi_square = sum((count - 2000) ** 2 / 2000 for count in counts.values())
    assert chi_square < 40  # more than that happens once in five million


def test_bytes_are_used_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def system(count: int) -> bytes:
        asked.append(count)
        return bytes(number % 251 for number in range(count))

    monkeypatch.setattr("os.urandom", system)
    dice = FairDice()
    assert [dice.getrandbits(8) for _ in range(3)] == [0, 1, 2]
    assert dice.getrandbits(4) == 3 >> 4
    assert dice.getrandbits(12) == (4 << 8 | 5) >> 4
    assert asked == [SUPPLY]


def test_more_than_the_supply_can_be_asked_for() -> None:
    assert FairDice().getrandbits(16 * SUPPLY).bit_length() > 15 * SUPPLY
    assert FairDice().getrandbits(0) == 0
    with pytest.raises(ValueError, match="negative"):
        FairDice().getrandbits(-1)


def test_ids_cannot_be_guessed_and_are_what_later_scripts_look_for() -> None:
    ids = {new_id() for _ in range(1000)}
    assert len({short(game_id) for game_id in ids}) == 1000
    assert all(re.fullmatch(r"[a-z0-9]{13}", game_id) for game_id in ids)
    assert len({character for game_id in ids for character in game_id}) == 36


def test_a_log_does_not_give_the_key_away() -> None:
    assert shown("mqKgzIfxb5Y") == "mqKg..."
