"""The games of a contest that are begun: those that are played, and those that wait for a place."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from typing import Any

    from spielwerk.contests.assignment import Played


class Places:
    """Where games are played; those that are begun ahead of time wait until a place is free."""

    def __init__(self) -> None:
        self._games: dict[int, asyncio.Task[Played] | None] = {}  # None: it has no place yet
        self._news = asyncio.Event()

    def __len__(self) -> int:
        """How many games are begun."""
        return len(self._games)

    def __iter__(self) -> Iterator[int]:
        """The numbers of the games that are begun."""
        return iter(self._games)

    @property
    def playing(self) -> int:
        """How many games are being played."""
        return sum(game is not None for game in self._games.values())

    @property
    def ahead(self) -> int:
        """How many games are begun that have no place yet."""
        return len(self._games) - self.playing

    def begin(self, number: int) -> None:
        """A game is begun."""
        self._games[number] = None

    def leave(self, number: int) -> bool:
        """The game is over, or given up; False if that is known."""
        known = number in self._games
        self._games.pop(number, None)
        return known

    async def admitted(self, most: Callable[[], int]) -> bool:
        """Wait until fewer games are played than may be at most; False as soon as none may."""
        while limit := most():
            if self.playing < limit:
                return True
            self._news.clear()
            await self._news.wait()
        return False

    def stir(self) -> None:
        """Something has changed: perhaps one who waits is admitted."""
        self._news.set()

    async def play(self, number: int, work: Coroutine[Any, Any, Played]) -> asyncio.Task[Played]:
        """The game, played or broken off."""
        game = asyncio.create_task(work)
        self._games[number] = game
        try:
            await asyncio.wait([game])
        finally:
            game.cancel()
        return game

    def break_off(self) -> None:
        """Let no game be played to its end."""
        for game in self._games.values():
            if game:
                game.cancel()
