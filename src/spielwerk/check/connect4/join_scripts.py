"""What happens in each case of `join.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.connect4.join import script
from spielwerk.check.connect4.play import AIMS
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.wire.connect4.messages import Status, Version, message, write_message

if TYPE_CHECKING:
    from spielwerk.check.connect4.join import JoinTrial

HAMMERED: Final = 50  # requests in a second and a half, after which a program does not wait
SLOW: Final = 4.0  # seconds for our own move


@script
async def _plays(
    trial: JoinTrial, turns: int = 2, version: str = "", *, program: bool = True, **manner: Any
) -> None:
    """Play a little, which shows that the program has understood so far.

    What else is given is how the trial speaks: `name`, `player`, `cut` or `pause`.
    """
    trial.speaks(manner)
    await trial.start_game(program=program, best=Version(version) if version else None)
    for _ in range(turns):
        await trial.turn()
    await trial.leave()


# the list


@script
async def _sealed_games(trial: JoinTrial, count: int) -> None:
    trial.needs_list()
    port = await trial.decoy()
    names = [f"running game {number}" for number in range(count)]
    trial.others = [trial.entry(name, port, Status.SEALED) for name in names]
    await _plays(trial)


@script
async def _list_depth_0(trial: JoinTrial) -> None:
    trial.needs_list()
    trial.game = ConnectFour(trial.game.width, trial.game.height, 0)
    await _plays(trial)


@script
async def _list_pieces(trial: JoinTrial) -> None:
    trial.needs_list()
    trial.index.drips = True
    await _plays(trial)


@script
async def _answer_to_list(trial: JoinTrial, answer: str) -> None:
    """The list is not what the program hopes for."""
    trial.needs_list()
    trial.index.answers["request_game_list"] = answer.encode()
    await trial.set_up()
    trial.run()
    if not await trial.index.until(lambda: bool(trial.index.requests), trial.patience):
        trial.look_for_newline("list")
        trial.fail("list-not-asked", timed=True)
    await trial.survives(1.5)
    count = len(trial.index.requests)
    if count > HAMMERED:
        trial.blame("hammers", count=count, advice=True)


@script
async def _list_unreachable(trial: JoinTrial) -> None:
    trial.needs_list()
    await trial.set_up()
    await trial.index.close()
    trial.run()
    await trial.survives(2.0)


@script
async def _spelling_other(trial: JoinTrial) -> None:
    trial.variant = not trial.variant
    await _plays(trial)


# joining, and who begins


@script
async def _join_v2_unasked(trial: JoinTrial) -> None:
    request = await trial.wanted_by()
    if request.values[2] is Version.V2:
        trial.skip("asks-v2")
    trial.machine.accept(best=Version.V1)
    trial.machine.segment()
    trial.machine.version = Version.V2
    await trial.say(b"join_game_success;V2\n")
    await trial.first(program=True)
    await trial.turn()
    await trial.leave()


@script
async def _join_refused(trial: JoinTrial) -> None:
    await trial.wanted_by()
    trial.machine.refuse("the game has begun already")
    await trial.flush()
    await trial.speaks_no_more()
    await trial.part()


@script
async def _join_late_answer(trial: JoinTrial) -> None:
    await trial.wanted_by()
    await trial.quiet(2.0)
    trial.machine.accept(best=trial.best)
    await trial.first(program=True)
    await trial.turn()
    await trial.leave()


@script
async def _begin_patience(trial: JoinTrial) -> None:
    await trial.joined()
    await trial.quiet(1.5)
    await trial.first(program=False)
    await trial.turn()
    await trial.leave()


@script
async def _begin_one_segment(trial: JoinTrial) -> None:
    await trial.joined(first="start_game")
    await trial.turn()
    await trial.leave()


# moves


@script
async def _move_waits(trial: JoinTrial) -> None:
    await trial.start_game(program=True)
    for _ in range(2):
        trial.put(await trial.move())
        await trial.flush()
        await trial.quiet(0.8)
        await trial.stone(trial.choice())
    await trial.leave()


@script
async def _move_one_segment(trial: JoinTrial) -> None:
    await trial.start_game(program=True)
    for _ in range(3):
        trial.put(await trial.move())
        await trial.stone(trial.choice())
    await trial.move()
    await trial.leave()


@script
async def _move_refused(trial: JoinTrial) -> None:
    await _moved(trial)
    trial.machine.reject("the check refuses every move")
    await trial.flush()
    await trial.speaks_no_more()
    await trial.part()


@script
async def _game(trial: JoinTrial, aim: str, version: str = "", *, program: bool) -> None:
    await trial.start_game(program=program, best=Version(version) if version else None)
    await trial.play_out(AIMS[aim])


@script
async def _sized(trial: JoinTrial, size: list[int], aim: str, *, program: bool) -> None:
    await trial.offer(ConnectFour(*size))
    trial.machine.accept(best=trial.best)
    await trial.first(program=program)
    await trial.play_out(AIMS[aim])


# where something can go wrong


@script
async def _its_turn(trial: JoinTrial) -> None:
    await trial.start_game(program=True)


@script
async def _moved(trial: JoinTrial) -> None:
    await trial.start_game(program=True)
    await trial.move()


@script
async def _our_turn(trial: JoinTrial) -> None:
    await trial.start_game(program=True)
    trial.put(await trial.move())
    await trial.flush()


@script
async def _abort(trial: JoinTrial, at: str) -> None:
    await trial.reach(at)
    await trial.say(b"abort_game;the initiator has to leave\n")
    if at != "its-turn":
        await trial.speaks_no_more()
    await trial.part()


@script
async def _gone_slow(trial: JoinTrial) -> None:
    await _our_turn(trial)
    await trial.quiet(SLOW)
    await trial.stone(trial.choice())
    await trial.move()
    await trial.leave()


@script
async def _says(trial: JoinTrial, line: str, at: str = "our-turn", times: int = 1) -> None:
    """The initiator says something wrong; the characters of the line are its bytes."""
    await trial.reach(at)
    await trial.say(line.encode("latin-1") * times)
    await trial.survives()


@script
async def _impossible_stone(trial: JoinTrial, *, floating: bool) -> None:
    await _our_turn(trial)
    board, landing = trial.state.board, trial.state.landing
    taken = next(field for field, stone in enumerate(board) if stone != ".")
    above = landing[-1] + trial.game.width
    field = above if floating and above < trial.game.size else taken
    await trial.say(write_message(message("updated_game_board", field, 1), variant=trial.variant))
    await trial.survives()


@script
async def _wrong_v1_short_board(trial: JoinTrial) -> None:
    await trial.start_game(program=False, best=Version.V1)
    trial.put(await trial.move())
    await trial.flush()
    await trial.say(b"synchronize_game_board;3;0;1;1;2\n")
    await trial.survives()
