"""A small honest client of the game server, in steps that a variant can do wrong or otherwise.

It plays every game of the server, in the trial's own process and loop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from spielwerk.check.case import CaseVerdict
from spielwerk.check.mnm import CHECK
from spielwerk.games import State
from spielwerk.games.playing import random_move
from spielwerk.wire.mnm.words import Reader, game_kinds, reader_for
from tests.check import planting
from tests.check.planting import LinePlayer, Lost


class Refused(Lost):
    """The server has said no."""


class HonestClient(LinePlayer):
    """One game, from the banner to QUIT."""

    reader: Reader

    def __init__(self, places: Mapping[str, str], kind: str) -> None:
        super().__init__(places)
        self.kind = kind  # of the game that it can play
        self.rng = Random(5)
        self.major = ""

    async def play(self) -> None:
        """The whole conversation."""
        await self.prolog()
        while await self.course(await self.heard()):
            pass

    async def heard(self) -> str:
        """What the server's next line says, if it is a positive one."""
        line = await self.line()
        if line.startswith("-"):
            raise Refused(line)
        return line.removeprefix("+ ")

    # the prolog

    async def prolog(self) -> None:
        """From the banner to ENDPLAYERS."""
        banner = re.fullmatch(r"MNM Gameserver v(\d+)\..*", await self.heard())
        self.major = banner[1] if banner else ""
        await self.say(f"VERSION {self.version()}")
        while not (await self.heard()).startswith("Client version accepted"):
            pass
        await self.say(f"ID {self.places['game']}")
        await self.look_at_kind((await self.heard()).removeprefix("PLAYING "))
        await self.heard()
        await self.say(self.wanted())
        await self.look_at_seat((await self.heard()).split(" ", 2))
        while await self.heard() != "ENDPLAYERS":
            pass

    def version(self) -> str:
        """Our version."""
        return f"{self.major}.42"

    async def look_at_kind(self, kind: str) -> None:
        """End if it is another game than ours."""
        if kind != self.kind:
            raise Refused(kind)

    def wanted(self) -> str:
        """The seat that we want."""
        return f"PLAYER {self.places['player']}"

    async def look_at_seat(self, you: Sequence[str]) -> None:
        """YOU, our number, our name."""
        reader = reader_for(self.kind, int(you[1]))
        assert reader is not None
        self.reader = reader

    # the game

    async def course(self, text: str) -> bool:
        """WAIT, MOVE or GAMEOVER; False if that was the end."""
        word, _, rest = text.partition(" ")
        if word == "WAIT":
            await self.ok_wait()
        elif word == "MOVE":
            await self.move(int(rest), await self.position())
        else:
            return await self.over()
        return True

    async def ok_wait(self) -> None:
        """Say that we are there."""
        await self.say("OKWAIT")

    async def position(self) -> State[Any]:
        """The lines of a position."""
        lines = [await self.heard()]
        while lines[-1] != self.reader.end:
            lines.append(await self.heard())
        return self.reader.asked(lines)

    async def move(self, milliseconds: int, state: State[Any]) -> None:  # noqa: ARG002
        """THINKING and PLAY."""
        await self.think()
        await self.heard()
        turn = self.chosen(state)
        await self.say(f"PLAY {turn}")
        self.reader.played(turn)
        await self.heard()

    async def think(self) -> None:
        """Say that we think."""
        await self.say("THINKING")

    def chosen(self, state: State[Any]) -> str:
        """Any legal move."""
        return state.game.format_move(random_move(state, self.rng))

    async def over(self) -> bool:
        """Read on to QUIT."""
        while await self.heard() != "QUIT":
            pass
        return False


def verdicts(
    client: type[HonestClient], only: Sequence[str] = (), game: str = "quarto", dialect: str = "1"
) -> dict[str, CaseVerdict]:
    """What the check says about a client, by the names of the cases."""
    kind = game_kinds()[game]
    return planting.verdicts(
        CHECK, lambda places, _: client(places, kind), only, game=game, dialect=dialect
    )
