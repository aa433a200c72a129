"""An honest client passes everything, in every game and dialect."""

from __future__ import annotations

import pytest

from spielwerk.wire.mnm.words import DIALECTS, game_kinds
from tests.check.mnm.honest import HonestClient, verdicts, wrong


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("game", game_kinds())
def test_an_honest_client_passes(game: str, dialect: int) -> None:
    judged = verdicts(HonestClient, game=game, dialect=dialect)
    assert wrong(judged) == []
