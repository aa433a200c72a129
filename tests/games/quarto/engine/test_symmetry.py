"""The symmetries, and that keys see through them."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt

from spielwerk.games.quarto.engine.solver import HAND, LANES, TAKEN, position_of
from spielwerk.games.quarto.engine.symmetry import canonical_key, plain_key
from spielwerk.games.quarto.rules import lines

from .positions import BOARD, STONES, decisions, moved, quiet, recoloured


def key(position: npt.NDArray[np.uint64]) -> int:
    return int(canonical_key(position[LANES], position[TAKEN], position[HAND]))


def test_the_32_automorphisms() -> None:
    assert len(set(BOARD)) == 32
    kept = {frozenset(line) for line in lines(4)}
    for images in BOARD:
        assert sorted(images) == list(range(16))
        assert {frozenset(images[square] for square in line) for line in kept} == kept


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
