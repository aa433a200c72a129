"""The sessions of the game server, byte for byte, however the clients' bytes are cut."""

from __future__ import annotations

import pytest

from spielwerk.store.records import Reason
from tests.golden.sessions import FOLDER, SESSIONS, Session, played, text
from tests.simulation import Bot, Peer, World

CASES = [pytest.param(name, session, id=name) for name, session in SESSIONS.items()]
LONG = 400  # lines


def golden(name: str, seat: int) -> str:
    return (FOLDER / f"{name}-seat-{seat}.txt").read_text("utf-8")


# A long session would be played again for thousands of positions.
LONG_ONES_SLOW = [
    pytest.param(
        *(name, session),
        id=name,
        marks=[pytest.mark.slow] if golden(name, 0).count("\n") > LONG else [],
    )
    for name, session in SESSIONS.items()
]


def lines(session: str, who: str) -> list[str]:
    """One side's lines; segments do not matter here."""
    sided = [(line[0], line[3:]) for line in session.splitlines()]
    return [content for side, content in sided if (side == "C") is (who == "C")]


@pytest.mark.parametrize(("name", "session"), CASES)
def test_what_is_said_is_what_is_written(name: str, session: Session) -> None:
    _, bots = played(session)
    assert [text(bot) for bot in bots] == [golden(name, 0), golden(name, 1)]


@pytest.mark.parametrize(("name", "session"), CASES)
def test_byte_by_byte(name: str, session: Session) -> None:
    _, bots = played(session, lambda data, _: [bytes([byte]) for byte in data])
    assert [text(bot) for bot in bots] == [golden(name, 0), golden(name, 1)]


@pytest.mark.parametrize(("name", "session"), LONG_ONES_SLOW)
def test_split_at_every_position(name: str, session: Session) -> None:
    """Once for every position of the longer client's stream, in both streams at that position."""
    longest = max(len("".join(f"{c}\n" for c in lines(golden(name, seat), "C"))) for seat in (0, 1))
    for position in range(1, longest):

        def cut(data: bytes, start: int, position: int = position) -> list[bytes]:
            inside = position - start
            return [data[:inside], data[inside:]] if 0 < inside < len(data) else [data]

        _, bots = played(session, cut)
        assert [text(bot) for bot in bots] == [golden(name, 0), golden(name, 1)], position


def whoever_came_first(said: list[str]) -> list[str]:
    """The lines without the ready flag: the two come at the same moment."""
    return [line[:-1] if " Player " in line and line[2].isdigit() else line for line in said]


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("name", "session"), CASES)
def test_everything_at_once(name: str, session: Session, seat: int) -> None:
    """One client sends all it will ever say as soon as it is connected."""
    world = World()
    world.arena.restore([session.record()])
    table = next(iter(world.arena))
    said = [lines(golden(name, number), "C") for number in (0, 1)]
    moves = iter([line[5:] for line in said[1 - seat] if line.startswith("PLAY ")])
    peers = {}
    for number in (1 - seat, seat):
        peers[number] = peer = Peer(world, session.dialect, session.pace)
        if number == seat:
            peer.send(
                "".join(f"{line}\n" for line in said[number]).replace("PLAYER\n", "PLAYER 0\n")
            )
        else:
            Bot(peer, table, lambda _table: next(moves), seat=number)
        world.run(0.1)
    world.run(600)
    for number, peer in peers.items():
        assert whoever_came_first(peer.lines) == whoever_came_first(
            lines(golden(name, number), "S")
        )


@pytest.mark.parametrize(("name", "session"), CASES)
def test_what_was_said_is_what_is_kept(name: str, session: Session) -> None:
    world, bots = played(session)
    game = session.record().id
    kept = [[move.move for move in world.journal.moves(game) if move.seat == s] for s in (0, 1)]
    for seat, bot in enumerate(bots):
        played_by_bot = [line.removeprefix("PLAY ") for line in bot.sent if line[:5] == "PLAY "]
        assert ";".join(played_by_bot).split(";") == kept[seat]
        assert bot.peer.lines.count("+ MOVEOK") == len(played_by_bot)
        assert bot.peer.lines[-1] == "+ QUIT"
        assert bot.peer.finished
    (result,) = world.journal.results(game)
    assert result.reason is (Reason.DRAW if "draw" in name else Reason.WIN)
    assert len(world.journal.wires(game)) == 2
