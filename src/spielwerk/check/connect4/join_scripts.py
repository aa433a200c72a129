"""What happens in cases of `join.toml` that are more than steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.connect4.join import script
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.wire.connect4.messages import Status, Version, message, write_message

if TYPE_CHECKING:
    from spielwerk.check.connect4.join import JoinTrial

HAMMERED: Final = 50  # requests in a second and a half, after which a program does not wait


@script
async def _plays(
    trial: JoinTrial, turns: int = 2, version: str = "", *, program: bool = True, **manner: Any
) -> None:
    """Play a little, which shows that the program has understood so far.

    What else is given is how the trial speaks: `name`, `player`, `drips`, `cut` or `pause`.
    """
    trial.speaks(**manner)
    await trial.start_game(program=program, version=version)
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
async def _answer_to_list(trial: JoinTrial, answer: str) -> None:
    """The list is not what the program hopes for."""
    trial.needs_list()
    trial.index_says(request_game_list=answer)
    await trial.set_up()
    trial.run()
    if not await trial.index.until(lambda: bool(trial.index.requests), trial.patience):
        trial.look_for_newline("list")
        trial.fail("list-not-asked", timed=True)
    await trial.survives(1.5)
    count = len(trial.index.requests)
    if count > HAMMERED:
        trial.blame("hammers", count=count, advice=True)


# joining, and moves


@script
async def _join_v2_unasked(trial: JoinTrial) -> None:
    request = await trial.wanted_by()
    if request.values[2] is Version.V2:
        trial.skip("asks-v2")
    trial.welcome("V1")
    trial.machine.segment()
    trial.machine.version = Version.V2
    await trial.say(b"join_game_success;V2\n")
    await trial.first(program=True)
    await trial.turn()
    await trial.leave()


@script
async def _move_one_segment(trial: JoinTrial) -> None:
    """Our confirmation and our stone come together."""
    await trial.start_game(program=True)
    for _ in range(3):
        trial.put(await trial.move())
        await trial.stone()
    await trial.move()
    await trial.leave()


@script
async def _game(trial: JoinTrial, aim: str, version: str = "", *, program: bool) -> None:
    await trial.start_game(program=program, version=version)
    await trial.play_out(aim)


@script
async def _sized(trial: JoinTrial, size: list[int], aim: str, *, program: bool) -> None:
    await trial.offer(ConnectFour(*size))
    trial.welcome()
    await trial.first(program=program)
    await trial.play_out(aim)


# what the initiator should not do


@script
async def _impossible_stone(trial: JoinTrial, *, floating: bool) -> None:
    await trial.take("our-turn")
    board, landing = trial.state.board, trial.state.landing
    taken = next(field for field, stone in enumerate(board) if stone != ".")
    above = landing[-1] + trial.game.width
    field = above if floating and above < trial.game.size else taken
    await trial.say(write_message(message("updated_game_board", field, 1), variant=trial.variant))
    await trial.survives()
