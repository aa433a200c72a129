"""Shares: unfinished games are counted for those who have set them up, and room is made fairly.

An address may have every free place up to its share. Where none is left, a deserted game makes room
for a new one: of the address that has most of these, there of the browser that has most games, the
one that has been deserted longest. Games with a player or a spectator never do, nor does the only
deserted game of another address.
"""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import TYPE_CHECKING, Final

from spielwerk.errors import UsageError
from spielwerk.messages import english
from spielwerk.tables.parts import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable

    from spielwerk.tables.parts import Creator

ADDRESSES: Final = 16  # that have most games, whose games are looked at
ADVICE: Final = "end some, or try again later"


class TableShares:
    """The unfinished games by their creators; `deserted` says since when one is empty."""

    def __init__(self, deserted: Callable[[str], float | None]) -> None:
        self._deserted = deserted
        self._creators: dict[str, Creator] = {}  # by Game-ID
        self._games: dict[str, dict[str, None]] = {}  # by address
        self._engines_only: dict[str, str] = {}  # the addresses of games between engines

    def enter(self, game_id: str, creator: Creator, *, engines_only: bool = False) -> None:
        """Count a game, whether there is room or not."""
        self._creators[game_id] = creator
        if engines_only:
            self._engines_only[game_id] = creator.address
        self._games.setdefault(creator.address, {})[game_id] = None

    def leave(self, game_id: str) -> None:
        """The game has ended; that of one that was not counted is no news."""
        self._engines_only.pop(game_id, None)
        creator = self._creators.pop(game_id, None)
        if creator is not None:
            games = self._games[creator.address]
            del games[game_id]
            if not games:
                del self._games[creator.address]

    def limit_engines(self, creator: Creator, most: int) -> None:
        """UsageError if so many games between engines were set up from there; see `make_room`."""
        own = sum(address == creator.address for address in self._engines_only.values())
        if creator != UNKNOWN and own >= most:
            raise UsageError(english("too-many-engine-games", most=most))

    def make_room(self, creator: Creator, limit: int, each: int) -> str | None:
        """The game that must end before this creator sets up another, if one must.

        UsageError if there is none for it to have; the operator and the server are never refused.
        """
        own, known = len(self._games.get(creator.address, ())), creator != UNKNOWN
        addresses = [creator.address]
        if known and own >= each:
            problem = f"{own} unfinished games were set up from your address"
        elif len(self._creators) < limit:
            return None
        else:
            addresses += nlargest(ADDRESSES, self._games, key=lambda one: len(self._games[one]))
            problem = f"there are {limit} unfinished games"
        deserted = {one: self._deserted_games(one) for one in addresses if one}
        most = max(deserted, key=lambda one: len(deserted[one]), default="")
        if len(deserted.get(most, ())) > (most != creator.address):
            return min(deserted[most], key=lambda one: one[:2])[2]
        if known:
            raise UsageError(f"{problem}, the most allowed, and none is deserted; {ADVICE}")
        return None

    def _deserted_games(self, address: str) -> list[tuple[int, float, str]]:
        """The deserted games of an address; the least is the first that may end."""
        games = self._games.get(address, ())
        browsers = Counter(self._creators[game_id].browser for game_id in games)
        return [
            (-browsers[self._creators[game_id].browser], since, game_id)
            for game_id in games
            if (since := self._deserted(game_id)) is not None
        ]
