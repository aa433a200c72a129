"""Three bots as programs, and the real server."""

from __future__ import annotations

from pathlib import Path

from tests.clients.dice.program import bot
from tests.clients.peer import finish
from tests.servers.live import live, settings_for

STRATEGIES = ("equilibrium", "hold=25", "random")


def test_three_bots_agree_on_the_score(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    patient = settings.replaced(dice=settings.dice.replaced(answer=60.0, instances=3))
    with live(patient) as server:
        port = server.server.addresses["dice"][0][1]
        bots = [bot(port, "--strategy", strategy) for strategy in STRATEGIES]
        results = [finish(process) for process in bots]
    assert [(code, errors) for code, _, errors in results] == 3 * [(0, "")]
    scores = [[int(word) for word in out.split() if word.isdigit()] for _, out, _ in results]
    assert sorted(out.split()[0] for _, out, _ in results) == ["lost", "lost", "won"]
    assert len({tuple(sorted(score)) for score in scores}) == 1
    assert {score[0] for score in scores} == set(scores[0])
    assert max(scores[0]) >= 150
