"""Reviews of the games of contests: which are still to be made, and what was found by them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from spielwerk.store import schema
from spielwerk.store.contests import PAIRINGS
from spielwerk.store.records import PairingState

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Select

    from spielwerk.store.opening import Readable

_REVIEWS = schema.reviews.c


def unreviewed(
    store: Readable, contest: str, most: int, besides: Collection[str] = ()
) -> dict[str, int]:
    """The Game-IDs of finished games without a review, and how many decisions opened each."""
    none = ~select(_REVIEWS.game).where(_REVIEWS.game == PAIRINGS.game).exists()
    query = select(PAIRINGS.game, PAIRINGS.opening).where(*_done(contest), none)
    query = query.where(PAIRINGS.game.not_in(besides)).order_by(PAIRINGS.number).limit(most)
    with store.reading() as connection:
        return {game: len(opening) for game, opening in connection.execute(query)}


def count(store: Readable, contest: str) -> int:
    """How many games have a review."""
    query = _joined(func.count(_REVIEWS.game.distinct()), contest)
    with store.reading() as connection:
        return int(connection.scalar(query) or 0)


def regrets(store: Readable, contest: str) -> dict[int, list[Any]]:
    """What the decisions of each seat cost by phase, by the games' numbers."""
    query = _joined(PAIRINGS.number, contest, _REVIEWS.regret).order_by(_REVIEWS.effort)
    with store.reading() as connection:
        return dict(connection.execute(query).all())  # the one with the most effort counts


def _joined(first: Any, contest: str, *more: Any) -> Select[Any]:
    query = select(first, *more).join(schema.reviews, _REVIEWS.game == PAIRINGS.game)
    return query.where(*_done(contest))


def _done(contest: str) -> list[Any]:
    done = PAIRINGS.state == PairingState.DONE
    return [PAIRINGS.contest == contest, done, PAIRINGS.game.is_not(None)]
