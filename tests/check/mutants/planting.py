"""How a fault is planted: a class of servers, and what must find it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.check.move_server import MoveServer


@dataclass(frozen=True)
class Mutant:
    """A faulty server, the case that fits its fault, and words that must be in the problem."""

    server: type[MoveServer]
    case: str
    problem: str

    @property
    def name(self) -> str:
        return self.server.__name__


MUTANTS: list[Mutant] = []


def caught(case: str, problem: str = "") -> Callable[[type[MoveServer]], type[MoveServer]]:
    def register(server: type[MoveServer]) -> type[MoveServer]:
        MUTANTS.append(Mutant(server, case, problem))
        return server

    return register
