"""Whose games are lost: everybody's, or those of one program."""

from __future__ import annotations

import pytest

from spielwerk.contests.contest import Entrant
from spielwerk.contests.running.trouble import HINT, HOPELESS, LATER, SUSPICIOUS, Trouble
from spielwerk.store.contest_records import Kind

EVERYBODY = [Entrant("engine", Kind.ENGINE), *(Entrant(name, Kind.COMMAND) for name in "abc")]


def lost(trouble: Trouble, times: int, *seats: int) -> Trouble:
    for _ in range(times):
        trouble.lost(seats)
    return trouble


@pytest.mark.parametrize("jobs", [1, 5])
def test_a_machine_on_which_everything_is_lost_is_hopeless(jobs: int) -> None:
    trouble = Trouble(EVERYBODY)
    for turn in range(HOPELESS + jobs - 1):
        trouble.lost((turn % 4, (turn + 1) % 4))
    assert not trouble.is_hopeless(jobs)
    assert lost(trouble, 1, 0, 1).is_hopeless(jobs)
    assert trouble.hint == ""


def test_a_game_that_is_played_gives_hope() -> None:
    trouble = lost(Trouble(EVERYBODY), HOPELESS, 0, 1)
    trouble.played((2, 3))
    assert not lost(trouble, 1, 2, 3).is_hopeless(1)


def test_whose_games_are_lost_while_others_are_played_is_blamed_and_they_do_not_count() -> None:
    trouble = lost(Trouble(EVERYBODY), SUSPICIOUS, 1, 2)
    assert trouble.avoided == {1, 2}
    assert trouble.blamed == set()
    trouble.played((2, 3))
    assert trouble.avoided == trouble.blamed == {1}
    assert not lost(trouble, 2 * HOPELESS, 1, 2).is_hopeless(1)
    assert trouble.names(trouble.blamed) == ["a"]
    trouble.played((1, 2))
    assert trouble.blamed == set()


def test_after_some_games_of_others_it_is_tried_again() -> None:
    trouble = lost(Trouble(EVERYBODY), SUSPICIOUS, 0, 1)
    for _ in range(LATER):
        assert trouble.avoided == {1}
        trouble.played((0, 2))
    assert trouble.avoided == set()
    assert lost(trouble, 1, 0, 1).avoided == {1}


def test_who_was_in_all_games_is_named_with_what_helps() -> None:
    trouble = lost(Trouble(EVERYBODY), HOPELESS, 0, 1)
    assert trouble.hint == f"; in all of these games: 'a'; {HINT}"
    assert lost(trouble, 1, 2, 3).hint == ""
    sandboxed = lost(Trouble(EVERYBODY, sandbox=True), HOPELESS, 0, 1)
    assert sandboxed.hint == "; in all of these games: 'a'"
