"""What happens in each case of `cases.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.check.texts import cases_of

if TYPE_CHECKING:
    from spielwerk.check.case import Case
    from spielwerk.check.mnm.trial import MnmTrial


def cases(game: str) -> list[Case]:  # noqa: ARG001
    """All cases for clients of a game."""
    return cases_of(__package__ or "", {"prolog/any-seat": _joins, "game/first-move": _moves})


async def _joins(trial: MnmTrial) -> None:
    await trial.join()
    await trial.wait()
    await trial.end(trial.game.start(), None)


async def _moves(trial: MnmTrial) -> None:
    await trial.join()
    state = trial.game.start()
    move = (await trial.ask(state)).move
    trial.note(f"played {move}")
    trial.machine.move_ok(trial.now)
    await trial.flush()
    await trial.end(state, 0)
