"""The symmetries, and that keys see through them."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

from spielwerk.games.quarto.engine.solver import HAND, LANES, TAKEN, position_of
from spielwerk.games.quarto.engine.symmetry import canonical_key, plain_key
from spielwerk.games.quarto.rules import Quarto, lines

from .positions import BOARD, STONES, decisions, moved, quiet, recoloured


def key(position: npt.NDArray[np.uint64]) -> int:
    return int(canonical_key(position[LANES], position[TAKEN], position[HAND]))


def test_the_32_automorphisms() -> None:
    assert len(set(BOARD)) == 32
    kept = {frozenset(line) for line in lines(4)}
    for images in BOARD:
        assert sorted(images) == list(range(16))
        assert {frozenset(images[square] for square in line) for line in kept} == kept


def test_the_automorphisms_contain_the_square_and_are_a_group() -> None:
    quarter = tuple((square % 4) * 4 + 3 - square // 4 for square in range(16))
    mirror = tuple(square // 4 * 4 + 3 - square % 4 for square in range(16))
    inside_out = tuple((1, 0, 3, 2)[s // 4] * 4 + (1, 0, 3, 2)[s % 4] for s in range(16))
    group = set(BOARD)
    assert {quarter, mirror, inside_out} <= group
    assert all(tuple(one[s] for s in other) in group for one in BOARD for other in BOARD)


def test_keys_are_the_same_for_all_images() -> None:
    rng = Random(1)
    for stones in (1, 3, 5, 8, 11):
        state = quiet(4, stones, seed=stones, number=1)[0]
        canonical = key(position_of(state))
        for order, mask in STONES:
            image = recoloured(state, order, mask)
            words = position_of(image)
            plain = plain_key(words[LANES], words[TAKEN], words[HAND])
            original = position_of(state)
            assert plain == plain_key(original[LANES], original[TAKEN], original[HAND])
            assert key(position_of(moved(image, rng.choice(BOARD)))) == canonical


def test_keys_tell_classes_apart() -> None:
    """With the stone in hand, there are 8 different positions of one stone and 148 of two."""
    one = {
        key(position_of(Quarto(first=0).parse_state(_text({square: stone}))))
        for square in range(16)
        for stone in range(1, 16)
    }
    two = {
        key(position_of(Quarto(first=0).parse_state(_text({0: a, square: b}))))
        for square in range(1, 16)
        for a in range(1, 16)
        for b in range(1, 16)
        if a != b
    } | {
        key(position_of(Quarto(first=0).parse_state(_text({1: a, square: b}))))
        for square in range(2, 16)
        for a in range(1, 16)
        for b in range(1, 16)
        if a != b
    }
    assert (len(one), len(two)) == (8, 148)


def _text(stones: dict[int, int]) -> str:
    words = [str(stones.get(square, "*")) for square in range(16)]
    rows = [" ".join(words[start : start + 4]) for start in (12, 8, 4, 0)]
    return f"{' / '.join(rows)} next 0"


def test_a_key_is_the_whole_position() -> None:
    """Positions with equal keys are images of each other, for only then are they the same game."""
    seen: dict[int, tuple[int, ...]] = {}
    for state in decisions(4, seed=5, games=150):
        words = position_of(state)
        lanes = [int(words[LANES]) >> 16 * lane & 0xFFFF for lane in range(4)]
        normal = [
            lane ^ int(words[TAKEN]) if int(words[HAND]) >> number & 1 else lane
            for number, lane in enumerate(lanes)
        ]
        plain = int(plain_key(words[LANES], words[TAKEN], words[HAND]))
        assert seen.setdefault(plain, tuple(sorted(normal))) == tuple(sorted(normal))
        assert np.bitwise_or.reduce(np.array(normal)) == int(words[TAKEN])
