"""Golden sessions: what the game server and two clients say, from the first line to the last.

One file holds one client's session: `S:` begins a segment from the server, further lines of the
same segment are indented, `C:` is a line from the client.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from spielwerk.games.playing import random_move
from spielwerk.store.records import GameRecord, MoveRecord
from spielwerk.tables.table import Table
from spielwerk.wire.mnm.server import Pace
from tests.simulation import CLIENTS, Bot, Peer, World

FOLDER = Path(__file__).parent / "sessions"


@dataclass(frozen=True)
class Session:
    """A game of two clients that goes the same way every time."""

    game: str
    options: tuple[str, ...] = ()
    dialect: int = 1
    pace: Pace = Pace.FIRST_THEN_REST
    seed: int = 1
    first: int | None = None  # the stone that chance drew

    def record(self) -> GameRecord:
        draws = () if self.first is None else (MoveRecord(0, -1, str(self.first), 0),)
        game_id = "mqKgzIfxb5Y" if self.dialect == 1 else "k3v9x0q2m7a1z"
        return GameRecord(
            game_id, self.game, self.options, "le_game2", CLIENTS, 3000, False, 0, draws
        )

    def chooser(self) -> Callable[[Table], str]:
        """Random moves; in Morris the captures come with the move every other time."""
        rng = Random(self.seed)

        def choose(table: Table) -> str:
            state = table.state
            moves = [random_move(state, rng)]
            player, state = state.turn, state.play(moves[0])
            while state.turn == player and rng.random() < 0.5:
                moves.append(random_move(state, rng))
                state = state.play_turn(moves[-1:])
            return ";".join(table.game.format_move(move) for move in moves)

        return choose


SESSIONS = {
    "quarto-1": Session("quarto", ("n=4", "begins=0"), first=3),
    "quarto-2": Session("quarto", ("n=4", "begins=1"), 2, first=0, seed=2),
    "quarto-3": Session("quarto", ("n=4", "begins=0"), 3, first=15, seed=3),
    "quarto-draw-1": Session("quarto", ("n=4", "begins=1"), first=4, seed=17),
    "quarto-draw-2": Session("quarto", ("n=4", "begins=1"), 2, first=4, seed=26),
    "quarto-5x5": Session("quarto", ("n=5", "begins=0"), pace=Pace.BLOCK, first=24, seed=5),
    "morris-1": Session("morris", seed=280),
    "morris-2": Session("morris", dialect=2, seed=331),
    "morris-draw-3": Session("morris", dialect=3, seed=2, pace=Pace.LINE),
}


class Teller(Bot):
    """A bot whose bytes are cut where a test wants it."""

    cut: Callable[[bytes, int], list[bytes]] = staticmethod(lambda data, _start: [data])
    told = 0

    def deliver(self, data: bytes) -> None:
        for piece in self.cut(data, self.told):
            self.peer.send(piece)
        self.told += len(data)


def played(
    session: Session, cut: Callable[[bytes, int], list[bytes]] | None = None
) -> tuple[World, list[Teller]]:
    """The game played by two bots, whose bytes may be cut."""
    world = World()
    world.arena.restore([session.record()])
    table = next(iter(world.arena))
    choose = session.chooser()
    bots = []
    for seat in (None, 1):
        peer = Peer(world, session.dialect, session.pace)
        bot = Teller(peer, table, choose, seat=seat)
        if cut:
            bot.cut = cut
        bots.append(bot)
    world.run(600)
    return world, bots


def text(bot: Bot) -> str:
    return "".join(f"{line}\n" for line in bot.talk)


def write() -> None:
    """Write all of them anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, session in SESSIONS.items():
        _, bots = played(session)
        for number, bot in enumerate(bots):
            (FOLDER / f"{name}-seat-{number}.txt").write_text(text(bot), encoding="utf-8")
