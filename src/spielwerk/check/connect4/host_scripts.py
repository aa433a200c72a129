"""What happens in each case of `host.toml`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.behaviour import behaviour_cases
from spielwerk.check.connect4 import play
from spielwerk.check.connect4.host import NOTICING, OPPONENT, UPDATE
from spielwerk.check.connect4.listing import BEATS, ScriptedIndex
from spielwerk.check.connect4.play import DRAW, LOSE, Aim
from spielwerk.check.connect4.steps import HOST_STEPS
from spielwerk.check.connect4.trial import AFTER, GAME, drip, halves, single_bytes, whole
from spielwerk.check.texts import cases_of
from spielwerk.games.connect4.rules import FREE
from spielwerk.wire.connect4.index import HEARTBEAT
from spielwerk.wire.connect4.messages import (
    PADDING,
    Version,
    message,
    write_message,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.check.case import Case
    from spielwerk.check.connect4.host import HostTrial
    from spielwerk.check.connect4.trial import ConnectFourTerms

HostScript = Callable[["HostTrial"], Awaitable[None]]

RECOMMENDED: Final = 12.0  # seconds for the first heartbeat, of which one is due every ten
REQUIRED: Final = 61.0
SILENCE: Final = 10.0  # seconds that the document gives an opponent
TOO_SOON: Final = 9.0
TOO_LATE: Final = 14.0
SOON: Final = 8.0  # seconds to be told of an end, before that could be our own lateness
DRAWN: Final = 12  # games after which we say something about who begins


def host_cases(terms: ConnectFourTerms) -> list[Case]:
    """The cases for programs that host, in the versions that are wanted."""
    unwanted = {version.lower() for version in Version} - {one.lower() for one in terms.versions}
    cases = cases_of(__package__ or "", _SCRIPTS, "host.toml")
    fit = [case for case in cases if not unwanted & {*case.name.replace("/", "-").split("-")}]
    return [*fit, *behaviour_cases("connect4-host", HOST_STEPS)]


# the registration


async def _registers(trial: HostTrial) -> None:
    await trial.offered()
    connection = await trial.connect()
    connection.close()


async def _register_answer(trial: HostTrial, answer: bytes) -> None:
    """The index server does not grant it."""
    trial.index.answers["register_game"] = answer
    await trial.run()
    if await trial.request("register_game", trial.patience) is None:
        await trial.registered()
    await trial.survives(1.5)


async def _register_pieces(trial: HostTrial) -> None:
    trial.index.deliver = drip
    await trial.begin()
    await trial.play(1)
    await _leave(trial)


async def _no_index(trial: HostTrial) -> None:
    await trial.index.open(trial.terms.index_port)
    await trial.index.close()
    trial.launch()
    await trial.survives(2.0)


async def _other_spelling(trial: HostTrial) -> None:
    trial.index = ScriptedIndex(trial, variant=not trial.variant)
    await trial.begin()
    await trial.play(1)
    await _leave(trial)


async def _heartbeat(trial: HostTrial) -> None:
    await trial.offered()
    index = trial.index
    seconds = REQUIRED if trial.terms.slow else RECOMMENDED
    if not await index.until(lambda: bool(index.beats), seconds):
        trial.fail("no-heartbeat", seconds=seconds, advice=not trial.terms.slow)
    beat = index.beats[0]
    if beat.data.rstrip(PADDING).rstrip(b";") != HEARTBEAT.strip():
        trial.blame("wrong-heartbeat", expected=(HEARTBEAT,), entry=trial.last_said(BEATS))
    elif beat.port != trial.port:
        trial.blame("heartbeat-port", port=beat.port, registered=trial.port, advice=True)


# joining


async def _leave(trial: HostTrial) -> None:
    """Leave; what the program makes of that is looked at elsewhere."""
    trial.machine.abort("the check needs no more moves")
    await trial.flush()


async def _version(trial: HostTrial, version: Version) -> None:
    await trial.begin(version)
    await trial.play(3)
    await _leave(trial)


async def _join_pieces(trial: HostTrial, cut: Callable[[bytes], Iterable[bytes]]) -> None:
    trial.cut, trial.pause = cut, 0.01
    await trial.begin()
    await trial.play(2)
    trial.cut, trial.pause = whole, 0.0
    await _leave(trial)


async def _second(trial: HostTrial) -> None:
    """Another opponent comes while the game is running."""
    await trial.begin()
    await trial.play(1)
    answer = await _second_answer(trial)
    if answer == b"join_game_success":
        trial.fail("second-joined", entry=trial.last_said("second"))
    if not answer:
        trial.blame("second-unanswered", advice=True)
    await trial.play(1)
    await _leave(trial)


async def _second_answer(trial: HostTrial) -> bytes:
    """The word that it hears; a program that does not listen any more has refused it, too."""
    second = await trial.try_connect("second")
    if second is None:
        return b"refused"
    second.send(write_message(message("join_game", f"{OPPONENT} 2", trial.name, Version.V1)))
    said, deadline = b"", trial.now + AFTER
    while b"\n" not in said and not second.gone and await second.changed(deadline - trial.now):
        said += b"".join(data for _, data in second.take())
    answer = said.partition(b";")[0].strip() or second.gone.encode()
    second.close()
    return answer


async def _other_name(trial: HostTrial) -> None:
    await trial.offered()
    trial.connection = await trial.connect()
    await trial.say(write_message(message("join_game", OPPONENT, "no such game", Version.V1)))
    found = await trial.said({"join_game_failed"}, AFTER)
    if any(one.header == "join_game_success" for one in found):
        trial.blame("other-name-joined", advice=True)
    await trial.survives(0.3)


async def _first_goes(trial: HostTrial) -> None:
    """A connection that says nothing and closes must not keep others from joining."""
    await trial.offered()
    visitor = await trial.connect("visitor")
    visitor.close()
    await asyncio.sleep(0.3)
    await trial.enter()
    await trial.first()
    await trial.play(1)
    await _leave(trial)


# the index server is told


async def _seals(trial: HostTrial) -> None:
    await trial.begin()
    await trial.sealed()
    await trial.play(1)
    await _leave(trial)


async def _seal_answer(trial: HostTrial) -> None:
    trial.index.answers["seal_game"] = b"seal_game_failed;the check says no\n"
    await trial.offered()
    await trial.ask(trial.terms.versions[-1])
    await trial.survives()


async def _index_fails(trial: HostTrial) -> None:
    """The index server is gone when the game is to be sealed: we must be told."""
    await trial.offered()
    await trial.index.fail()
    await trial.ask(trial.terms.versions[-1])
    await trial.informed(SOON)


async def _unregister_answer(trial: HostTrial) -> None:
    trial.index.answers["unregister_game"] = b"unregister_game_failed;the check says no\n"
    await trial.begin()
    await trial.play_out(Aim())
    await trial.survives()


# who begins


async def _one_beginning(trial: HostTrial) -> None:
    """Nothing more is said until we move, if we begin."""
    await trial.begin()
    await trial.our_turn()
    await trial.quiet(1.0)
    await _leave(trial)


async def _drawn(trial: HostTrial) -> None:
    """All cases before have noted who began."""
    await trial.begin()
    await _leave(trial)
    begun = trial.terms.begun
    if len(begun) >= DRAWN and len({*begun}) == 1:
        kind = "always-begins" if begun[0] else "never-begins"
        trial.blame(kind, count=len(begun), advice=True)


# whole games


async def _game(trial: HostTrial, aim: Aim, version: Version | None = None) -> None:
    await trial.offered()
    if aim.win and not play.fits(trial.game, aim):
        trial.skip("no-such-line")
    await trial.enter(version)
    await trial.first()
    await trial.play_out(aim)
    await trial.unregistered()
    await trial.part()


# moves that are not possible


async def _illegal(trial: HostTrial, field: Callable[[HostTrial], int]) -> None:
    await trial.begin()
    await trial.play(1)
    await trial.our_turn()
    number = field(trial)
    await trial.say(write_message(message("move", number)))
    said = [one.header for one in await trial.said({"moved_failed", "abort_game"})]
    trial.look_for_crash()
    if "moved_failed" not in said and {*said} - {"abort_game"}:
        trial.fail("took-impossible", field=number, entry=trial.last_said(GAME))
    if "moved_failed" not in said:
        trial.blame("no-moved-failed", field=number)
    if "abort_game" not in said:
        trial.blame("no-abort-after-illegal", field=number)
    await trial.unregistered()


def _occupied(trial: HostTrial) -> int:
    board = trial.machine.state.board
    return next(field for field, stone in enumerate(board) if stone != FREE)


def _floating(trial: HostTrial) -> int:
    landing, game = trial.machine.state.landing, trial.game
    layer = game.width * game.height
    above = [field + game.width for field in landing]
    room = [spot for spot in above if spot % layer >= game.width]
    return room[0] if room else trial.skip("no-such-field")


def _outside(trial: HostTrial) -> int:
    return trial.game.size


async def _garbage(trial: HostTrial, line: bytes) -> None:
    """In our turn we say something that is no message, or not the right one."""
    await trial.begin()
    await trial.our_turn()
    await trial.say(line)
    await trial.survives()


async def _garbage_first(trial: HostTrial) -> None:
    await trial.offered()
    trial.connection = await trial.connect()
    await trial.say(b"GET / HTTP/1.0\n\n")
    await trial.survives()


# the opponent fails


async def _gone(trial: HostTrial, *, reset: bool, early: bool = False) -> None:
    if early:
        await trial.joined()
    else:
        await trial.begin()
        await trial.our_turn()
    if reset:
        trial.connection.reset()
    else:
        trial.connection.close()
    await trial.unregistered(NOTICING)
    trial.look_for_crash()


async def _aborts(trial: HostTrial) -> None:
    await trial.begin()
    await trial.our_turn()
    trial.machine.abort("the opponent has to leave")
    await trial.flush()
    await trial.unregistered(UPDATE)


async def _silent(trial: HostTrial) -> None:
    """Ten seconds without a move: the game is over."""
    await trial.begin()
    await trial.our_turn()
    since = trial.now
    await trial.informed(TOO_LATE)
    if trial.now - since < TOO_SOON:
        trial.blame("timeout-too-soon", seconds=trial.now - since, limit=SILENCE)
    await trial.unregistered()


_SCRIPTS: Final[dict[str, HostScript]] = {
    "register/parameters": _registers,
    "register/pieces": _register_pieces,
    "register/failed": partial(
        _register_answer, answer=b"register_failed;a game with this name is registered already\n"
    ),
    "register/nonsense": partial(_register_answer, answer=b"register_perhaps\n"),
    "register/closed": partial(_register_answer, answer=b""),
    "register/unreachable": _no_index,
    "heartbeat/in-time": _heartbeat,
    "join/v1": partial(_version, version=Version.V1),
    "join/v2": partial(_version, version=Version.V2),
    "join/bytes": partial(_join_pieces, cut=single_bytes),
    "join/halves": partial(_join_pieces, cut=halves),
    "join/second": _second,
    "join/other-name": _other_name,
    "join/after-another": _first_goes,
    "seal/sent": _seals,
    "seal/failed": _seal_answer,
    "seal/index-gone": _index_fails,
    "begin/one-word": _one_beginning,
    "win/vertical": partial(_game, aim=Aim(play.VERTICAL)),
    "win/horizontal": partial(_game, aim=Aim(play.HORIZONTAL)),
    "win/rising": partial(_game, aim=Aim(play.RISING)),
    "win/falling": partial(_game, aim=Aim(play.FALLING)),
    "win/deep": partial(_game, aim=Aim(play.DEEP)),
    "win/solid": partial(_game, aim=Aim(play.SOLID)),
    "game/v1-won": partial(_game, aim=Aim(), version=Version.V1),
    "game/v1-lost": partial(_game, aim=LOSE, version=Version.V1),
    "game/v1-draw": partial(_game, aim=DRAW, version=Version.V1),
    "game/v2-lost": partial(_game, aim=LOSE, version=Version.V2),
    "game/v2-draw": partial(_game, aim=DRAW, version=Version.V2),
    "end/unregister-failed": _unregister_answer,
    "illegal/occupied": partial(_illegal, field=_occupied),
    "illegal/floating": partial(_illegal, field=_floating),
    "illegal/outside": partial(_illegal, field=_outside),
    "wrong/no-number": partial(_garbage, line=b"move;three\n"),
    "wrong/negative": partial(_garbage, line=b"move;-1\n"),
    "wrong/huge-number": partial(_garbage, line=b"move;99999999999999999999\n"),
    "wrong/no-parameter": partial(_garbage, line=b"move\n"),
    "wrong/word": partial(_garbage, line=b"moove;3\n"),
    "wrong/no-text": partial(_garbage, line=b"\xff\xfe\x80;\xc3\x28\n"),
    "wrong/join-again": partial(_garbage, line=b"join_game;Spielwerk;checked game;V1\n"),
    "wrong/endless": partial(_garbage, line=b"a" * 300_000),
    "wrong/first": _garbage_first,
    "gone/closed-joined": partial(_gone, reset=False, early=True),
    "gone/closed": partial(_gone, reset=False),
    "gone/reset": partial(_gone, reset=True),
    "gone/aborts": _aborts,
    "gone/silent": _silent,
    "spelling/other": _other_spelling,
    "begin/drawn": _drawn,
}
