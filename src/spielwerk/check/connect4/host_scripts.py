"""What happens in cases of `host.toml` that are more than steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.connect4.host import OPPONENT, script
from spielwerk.check.connect4.listing import BEATS
from spielwerk.check.connect4.play import fits
from spielwerk.check.connect4.trial import AFTER, GAME
from spielwerk.games.connect4.rules import FREE
from spielwerk.wire.connect4.index import HEARTBEAT
from spielwerk.wire.connect4.messages import PADDING, Version, message, write_message

if TYPE_CHECKING:
    from spielwerk.check.connect4.host import HostTrial

RECOMMENDED: Final = 12.0  # seconds for the first heartbeat, of which one is due every ten
REQUIRED: Final = 61.0
SILENCE: Final = 10.0  # seconds that the document gives an opponent
TOO_SOON: Final = 9.0
TOO_LATE: Final = 14.0
DRAWN: Final = 12  # games after which we say something about who begins


@script
async def _plays(trial: HostTrial, moves: int = 1, version: str = "", **manner: Any) -> None:
    """Play some moves; what else is given is how the trial speaks: `drips`, `cut` and `pause`."""
    trial.speaks(**manner)
    await trial.begin(version)
    await trial.play(moves)
    await trial.leave()


# the registration


@script
async def _register_answer(trial: HostTrial, answer: str) -> None:
    """The index server does not grant it."""
    trial.index_says(register_game=answer)
    await trial.run()
    if await trial.request("register_game", trial.patience) is None:
        await trial.registered()
    await trial.survives(1.5)


@script
async def _heartbeat_in_time(trial: HostTrial) -> None:
    await trial.offered()
    index = trial.index
    seconds = REQUIRED if trial.terms.slow else RECOMMENDED
    if not await index.until(lambda: bool(index.beats), seconds):
        trial.fail("no-heartbeat", seconds=seconds, advice=not trial.terms.slow)
    beat = index.beats[0]
    if beat.data.rstrip(PADDING).rstrip(b";") != HEARTBEAT.strip():
        place = trial.where(beat.data, channel=BEATS)
        trial.blame("wrong-heartbeat", expected=(HEARTBEAT,), entry=place["entry"])
    elif beat.port != trial.port:
        trial.blame("heartbeat-port", port=beat.port, registered=trial.port, advice=True)


# joining


@script
async def _join_second(trial: HostTrial) -> None:
    """Another opponent comes while the game is running."""
    await trial.begin()
    await trial.play(1)
    answer = await _second_answer(trial)
    if answer == b"join_game_success":
        trial.fail("second-joined", **trial.where(answer, channel="second"))
    if not answer:
        trial.blame("second-unanswered", advice=True)
    await trial.play(1)
    await trial.leave()


async def _second_answer(trial: HostTrial) -> bytes:
    """The word that it hears; a program that does not listen any more has refused it, too."""
    second = await trial.try_connect("second")
    if second is None:
        return b"refused"
    second.send(write_message(message("join_game", f"{OPPONENT} 2", trial.name, Version.V1)))
    deadline = trial.now + AFTER
    while b"\n" not in trial.said("second") and await second.changed(deadline - trial.now):
        if second.gone:
            break
        second.take()
    second.close()
    return trial.said("second").partition(b";")[0].strip() or second.gone.encode()


@script
async def _join_other_name(trial: HostTrial) -> None:
    await trial.take("connected")
    await trial.say(write_message(message("join_game", OPPONENT, "no such game", Version.V1)))
    found = await trial.messages({"join_game_failed"}, AFTER)
    if any(one.header == "join_game_success" for one in found):
        trial.blame("other-name-joined", advice=True)
    await trial.survives(0.3)


# who begins, and whole games


@script
async def _begin_drawn(trial: HostTrial) -> None:
    """All cases before have noted who began."""
    await trial.begin()
    await trial.leave()
    begun = trial.terms.begun
    if len(begun) >= DRAWN and len({*begun}) == 1:
        kind = "always-begins" if begun[0] else "never-begins"
        trial.blame(kind, count=len(begun), advice=True)


@script
async def _game(trial: HostTrial, aim: str, version: str = "") -> None:
    await trial.offered()
    if not fits(trial.game, aim):
        trial.skip("no-such-line")
    await trial.enter(version)
    await trial.first()
    await trial.play_out(aim)
    await trial.unregistered()
    await trial.part()


# moves that are not possible, and what is no move


@script
async def _illegal(trial: HostTrial, field: str) -> None:
    """A move onto a field that is `occupied`, `floating` or `outside`."""
    await trial.begin()
    await trial.play(1)
    await trial.our_turn()
    number = _field(trial, field)
    await trial.say(write_message(message("move", number)))
    said = [one.header for one in await trial.messages({"moved_failed", "abort_game"})]
    trial.look_for_crash()
    if "moved_failed" not in said and {*said} - {"abort_game"}:
        trial.fail("took-impossible", field=number, entry=trial.where(b"", channel=GAME)["entry"])
    if "moved_failed" not in said:
        trial.blame("no-moved-failed", field=number)
    if "abort_game" not in said:
        trial.blame("no-abort-after-illegal", field=number)
    await trial.unregistered()


def _field(trial: HostTrial, kind: str) -> int:
    state, game = trial.machine.state, trial.game
    if kind == "outside":
        return game.size
    if kind == "occupied":
        return next(field for field, stone in enumerate(state.board) if stone != FREE)
    above = [field + game.width for field in state.landing]
    room = [spot for spot in above if spot % (game.width * game.height) >= game.width]
    return room[0] if room else trial.skip("no-such-field")


# the opponent fails


@script
async def _gone_silent(trial: HostTrial) -> None:
    """Ten seconds without a move: the game is over."""
    await trial.take("our-turn")
    since = trial.now
    await trial.informed(TOO_LATE)
    if trial.now - since < TOO_SOON:
        trial.blame("timeout-too-soon", seconds=trial.now - since, limit=SILENCE)
    await trial.unregistered()
