"""What happens in each case of `join.toml`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.behaviour import behaviour_cases
from spielwerk.check.connect4.play import DRAW, FALLING, HORIZONTAL, LOSE, RISING, VERTICAL, Aim
from spielwerk.check.connect4.steps import JOIN_STEPS
from spielwerk.check.connect4.trial import drip, halves, single_bytes, whole
from spielwerk.check.texts import cases_of
from spielwerk.games.connect4.rules import ConnectFour
from spielwerk.wire.connect4.messages import Status, Version, message, write_message

if TYPE_CHECKING:
    from spielwerk.check.case import Case
    from spielwerk.check.connect4.join import JoinTrial
    from spielwerk.check.connect4.trial import ConnectFourTerms

JoinScript = Callable[["JoinTrial"], Awaitable[None]]

ODD_NAME: Final = 'Jürgen\'s "4" = größer, härter (2)'
ODD_PLAYER: Final = "Ñandú & Søn"
MANY: Final = 150  # games in a long list
HAMMERED: Final = 50  # requests in a second and a half, after which a program does not wait
SLOW: Final = 4.0  # seconds for our own move


def join_cases(terms: ConnectFourTerms) -> list[Case]:
    """The cases for programs that join, in the versions that are wanted."""
    unwanted = {version.lower() for version in Version} - {one.lower() for one in terms.versions}
    cases = cases_of(__package__ or "", _SCRIPTS, "join.toml")
    fit = [case for case in cases if not unwanted & {*case.name.replace("/", "-").split("-")}]
    return [*fit, *behaviour_cases("connect4-join", JOIN_STEPS)]


# the list


async def _few_moves(trial: JoinTrial) -> None:
    """Play a little, which shows that the program has understood so far."""
    await trial.begin(program=True)
    await trial.turn()
    await trial.turn()
    await _enough(trial)


async def _enough(trial: JoinTrial) -> None:
    """Leave; what the program makes of that is looked at elsewhere."""
    trial.machine.abort("the check needs no more moves")
    await trial.flush()


async def _sealed_games(trial: JoinTrial, count: int) -> None:
    trial.needs_list()
    port = await trial.decoy()
    names = [f"running game {number}" for number in range(count)]
    trial.others = [trial.entry(name, port, Status.SEALED) for name in names]
    await _few_moves(trial)


async def _odd_names(trial: JoinTrial) -> None:
    trial.name, trial.player = ODD_NAME, ODD_PLAYER
    await _few_moves(trial)


async def _depth_0(trial: JoinTrial) -> None:
    trial.needs_list()
    trial.game = ConnectFour(trial.game.width, trial.game.height, 0)
    await _few_moves(trial)


async def _list_in_pieces(trial: JoinTrial) -> None:
    trial.needs_list()
    trial.index.deliver = drip
    await _few_moves(trial)


async def _answer_to_list(trial: JoinTrial, answer: bytes) -> None:
    """The list is not what the program hopes for."""
    trial.needs_list()
    trial.index.answers["request_game_list"] = answer
    await trial.set_up()
    trial.run()
    if not await trial.index.until(lambda: bool(trial.index.requests), trial.patience):
        trial.look_for_newline("list")
        trial.fail("list-not-asked", timed=True)
    await trial.survives(1.5)
    count = len(trial.index.requests)
    if count > HAMMERED:
        trial.blame("hammers", count=count, advice=True)


async def _no_index(trial: JoinTrial) -> None:
    trial.needs_list()
    await trial.set_up()
    await trial.index.close()
    trial.run()
    await trial.survives(2.0)


# joining


async def _version(trial: JoinTrial, version: Version) -> None:
    await trial.begin(program=True, best=version)
    await trial.turn()
    await trial.turn()
    await _enough(trial)


async def _v2_unasked(trial: JoinTrial) -> None:
    request = await trial.wanted_by()
    if request.values[2] is Version.V2:
        trial.skip("asks-v2")
    trial.machine.accept(best=Version.V1)
    trial.machine.segment()
    trial.machine.version = Version.V2
    await trial.say(b"join_game_success;V2\n")
    await trial.first(program=True)
    await trial.turn()
    await _enough(trial)


async def _refused(trial: JoinTrial) -> None:
    await trial.wanted_by()
    trial.machine.refuse("the game has begun already")
    await trial.flush()
    await trial.speaks_no_more()
    await trial.part()


async def _slow_answer(trial: JoinTrial) -> None:
    await trial.wanted_by()
    await trial.quiet(2.0)
    trial.machine.accept(best=trial.best)
    await trial.first(program=True)
    await trial.turn()
    await _enough(trial)


# who begins


async def _host_begins(trial: JoinTrial) -> None:
    await trial.begin(program=False)
    await trial.turn()
    await _enough(trial)


async def _patience(trial: JoinTrial) -> None:
    await trial.joined()
    await trial.quiet(1.5)
    await trial.first(program=False)
    await trial.turn()
    await _enough(trial)


async def _one_segment_start(trial: JoinTrial) -> None:
    await trial.joined(first="start_game")
    await trial.turn()
    await _enough(trial)


# moves


async def _waits(trial: JoinTrial) -> None:
    await trial.begin(program=True)
    for _ in range(2):
        trial.put(await trial.move())
        await trial.flush()
        await trial.quiet(0.8)
        await trial.stone(trial.choice())
    await _enough(trial)


async def _one_segment(trial: JoinTrial) -> None:
    await trial.begin(program=True)
    for _ in range(3):
        trial.put(await trial.move())
        await trial.stone(trial.choice())
    await trial.move()
    await _enough(trial)


async def _pieces(trial: JoinTrial, cut: Callable[[bytes], Iterable[bytes]], pause: float) -> None:
    trial.cut, trial.pause = cut, pause
    await trial.begin(program=True)
    for _ in range(2):
        await trial.turn()
    await trial.move()
    trial.cut, trial.pause = whole, 0.0
    await _enough(trial)


# whole games


async def _game(
    trial: JoinTrial, aim: Aim, version: Version | None = None, *, program: bool
) -> None:
    await trial.begin(program=program, best=version)
    await trial.play_out(aim)


async def _sized(trial: JoinTrial, size: tuple[int, int, int], aim: Aim, *, program: bool) -> None:
    await trial.offer(ConnectFour(*size))
    trial.machine.accept(best=trial.best)
    await trial.first(program=program)
    await trial.play_out(aim)


# what goes wrong


async def _joined(trial: JoinTrial) -> None:
    await trial.joined()


async def _unanswered(trial: JoinTrial) -> None:
    await trial.wanted_by()


async def _asked(trial: JoinTrial) -> None:
    await trial.begin(program=True)


async def _moved(trial: JoinTrial) -> None:
    await trial.begin(program=True)
    await trial.move()


async def _waiting(trial: JoinTrial) -> None:
    await trial.begin(program=True)
    trial.put(await trial.move())
    await trial.flush()


async def _abort(trial: JoinTrial, reach: JoinScript) -> None:
    await reach(trial)
    await trial.say(b"abort_game;the initiator has to leave\n")
    if reach is not _asked:
        await trial.speaks_no_more()
    await trial.part()


async def _goes(trial: JoinTrial, reach: JoinScript, *, reset: bool) -> None:
    await reach(trial)
    if reset:
        trial.connection.reset()
    else:
        trial.connection.close()
    await trial.survives()


async def _move_refused(trial: JoinTrial) -> None:
    await _moved(trial)
    trial.machine.reject("the check refuses every move")
    await trial.flush()
    await trial.speaks_no_more()
    await trial.part()


async def _says(trial: JoinTrial, line: bytes, reach: JoinScript = _waiting) -> None:
    """The initiator says something wrong."""
    await reach(trial)
    await trial.say(line)
    await trial.survives()


async def _impossible_stone(trial: JoinTrial, *, floating: bool) -> None:
    await _waiting(trial)
    board, landing = trial.state.board, trial.state.landing
    taken = next(field for field, stone in enumerate(board) if stone != ".")
    above = landing[-1] + trial.game.width
    field = above if floating and above < trial.game.size else taken
    await trial.say(write_message(message("updated_game_board", field, 1), variant=trial.variant))
    await trial.survives()


async def _short_board(trial: JoinTrial) -> None:
    await trial.begin(program=False, best=Version.V1)
    trial.put(await trial.move())
    await trial.flush()
    await trial.say(b"synchronize_game_board;3;0;1;1;2\n")
    await trial.survives()


async def _slow_host(trial: JoinTrial) -> None:
    await _waiting(trial)
    await trial.quiet(SLOW)
    await trial.stone(trial.choice())
    await trial.move()
    await _enough(trial)


async def _other_spelling(trial: JoinTrial) -> None:
    trial.variant = not trial.variant
    await trial.begin(program=True, best=max(trial.terms.versions))
    await trial.turn()
    await trial.turn()
    await _enough(trial)


_SCRIPTS: Final[dict[str, JoinScript]] = {
    "list/one-game": _few_moves,
    "list/sealed": partial(_sealed_games, count=3),
    "list/long": partial(_sealed_games, count=MANY),
    "list/odd-names": _odd_names,
    "list/depth-0": _depth_0,
    "list/pieces": _list_in_pieces,
    "list/empty": partial(_answer_to_list, answer=b"answer_game_list;0\n"),
    "list/nonsense": partial(_answer_to_list, answer=b"answer_game_list;two;Open;anna\n"),
    "list/closed": partial(_answer_to_list, answer=b""),
    "list/unreachable": _no_index,
    "join/v1": partial(_version, version=Version.V1),
    "join/v2": partial(_version, version=Version.V2),
    "join/v2-unasked": _v2_unasked,
    "join/refused": _refused,
    "join/late-answer": _slow_answer,
    "join/nonsense": partial(_says, line=b"join_game_perhaps;V7\n", reach=_unanswered),
    "begin/initiator": _host_begins,
    "begin/patience": _patience,
    "begin/one-segment": _one_segment_start,
    "move/waits": _waits,
    "move/one-segment": _one_segment,
    "move/bytes": partial(_pieces, cut=single_bytes, pause=0.003),
    "move/halves": partial(_pieces, cut=halves, pause=0.06),
    "move/refused": _move_refused,
    "game/v1-lost": partial(_game, aim=Aim(HORIZONTAL), version=Version.V1, program=False),
    "game/v1-won": partial(_game, aim=LOSE, version=Version.V1, program=True),
    "game/v1-draw": partial(_game, aim=DRAW, version=Version.V1, program=True),
    "game/v2-lost": partial(_game, aim=Aim(VERTICAL), version=Version.V2, program=True),
    "game/v2-won": partial(_game, aim=LOSE, version=Version.V2, program=False),
    "game/v2-draw": partial(_game, aim=DRAW, version=Version.V2, program=False),
    "game/diagonal": partial(_game, aim=Aim(RISING + FALLING), program=False),
    "size/solid": partial(_sized, size=(4, 4, 4), aim=Aim(), program=True),
    "size/deep": partial(_sized, size=(5, 4, 3), aim=LOSE, program=False),
    "size/one-column": partial(_sized, size=(1, 8, 1), aim=DRAW, program=True),
    "size/small": partial(_sized, size=(3, 2, 1), aim=DRAW, program=False),
    "abort/unanswered": partial(_abort, reach=_unanswered),
    "abort/joined": partial(_abort, reach=_joined),
    "abort/its-turn": partial(_abort, reach=_asked),
    "abort/after-move": partial(_abort, reach=_moved),
    "abort/our-turn": partial(_abort, reach=_waiting),
    "gone/closed-unanswered": partial(_goes, reach=_unanswered, reset=False),
    "gone/closed-its-turn": partial(_goes, reach=_asked, reset=False),
    "gone/closed-our-turn": partial(_goes, reach=_waiting, reset=False),
    "gone/reset-joined": partial(_goes, reach=_joined, reset=True),
    "gone/reset-after-move": partial(_goes, reach=_moved, reset=True),
    "gone/slow": _slow_host,
    "wrong/word": partial(_says, line=b"updated_game_bored;3;1\n"),
    "wrong/no-text": partial(_says, line=b"\xff\xfe\x80;\xc3\x28\n"),
    "wrong/no-parameters": partial(_says, line=b"updated_game_board\n"),
    "wrong/no-number": partial(_says, line=b"updated_game_board;three;1\n"),
    "wrong/outside": partial(_says, line=b"updated_game_board;999999;1\n"),
    "wrong/huge-number": partial(_says, line=b"updated_game_board;99999999999999999999;1\n"),
    "wrong/state": partial(_says, line=b"updated_game_board;0;7\n"),
    "wrong/occupied": partial(_impossible_stone, floating=False),
    "wrong/floating": partial(_impossible_stone, floating=True),
    "wrong/v1-short-board": _short_board,
    "wrong/start-again": partial(_says, line=b"start_game\n"),
    "wrong/end-too-early": partial(_says, line=b"end_game;2\n"),
    "wrong/outcome": partial(_says, line=b"end_game;5\n"),
    "wrong/endless": partial(_says, line=b"a" * 300_000),
    "spelling/other": _other_spelling,
}
