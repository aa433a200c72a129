"""A server that runs already, and is checked where it is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from spielwerk.check.case import run
from spielwerk.check.connection import TrialConnection
from spielwerk.errors import UsageError, quote

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spielwerk.check.case import Case, CaseVerdict
    from spielwerk.check.trial import Trial

ENOUGH: Final = 2  # times that a server may use up all patience


@dataclass(slots=True)
class CheckedServer:
    """Where the server is, and how long to wait for it."""

    impatient: ClassVar = 0.1  # the share of patience that is left when it is used up

    host: str
    port: int
    patience: float = 10.0  # seconds for an answer
    late: int = 0  # times that it was waited for in vain

    @property
    def timeout(self) -> float:
        """How long to wait for an answer; less when the server has been silent often."""
        return self.patience * (self.impatient if self.late >= ENOUGH else 1)

    async def connect(self, trial: Trial, channel: str) -> TrialConnection:
        """A new connection, or OSError."""
        async with asyncio.timeout(self.timeout):
            made = await asyncio.get_running_loop().create_connection(
                lambda: TrialConnection(trial, channel), self.host, self.port
            )
        return made[1]

    async def introduce(self) -> None:
        """See that it is there, or UsageError."""
        try:
            async with asyncio.timeout(self.patience):
                _, writer = await asyncio.open_connection(self.host, self.port)
            writer.close()
        except (OSError, UnicodeError) as error:
            raise UsageError(
                f"cannot connect to {quote(self.host)}, port {self.port}: "
                f"{error or 'no answer'}; is the server running there?"
            ) from None

    def trial(self) -> Trial:
        """What carries out a case with it."""
        raise NotImplementedError


async def check(
    cases: Sequence[Case],
    server: CheckedServer,
    parallel: int,
    done: Callable[[CaseVerdict], None] = lambda _: None,
) -> list[CaseVerdict]:
    """Carry out the cases on a server, or UsageError if there is none."""
    await server.introduce()
    return await run(cases, server.trial, parallel, done)
