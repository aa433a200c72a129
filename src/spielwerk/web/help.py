"""The game server's words on the help page, in each of its dialects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.wire.mnm.words import Dialect

SHORT_ID: Final = "mqKgzIfxb5Y"
LONG_ID: Final = "k3v9x0q2m7a1z"


def example_id(dialect: Dialect) -> str:
    """A Game-ID as the dialect has them."""
    return SHORT_ID if dialect.id_length == len(SHORT_ID) else LONG_ID


def in_dialect(session: str, dialect: Dialect) -> str:
    """A session of the documents' dialect as it goes in another; segments begin with `S:`."""
    if dialect.names_winner:
        return session
    lines = session.replace("VERSION 1.", f"VERSION {dialect.major}.").splitlines()
    end = next(number for number, line in enumerate(lines) if "+ GAMEOVER" in line)
    greetings = [f"S: + {text}" for text in (dialect.banner, *dialect.greetings)]
    course = [line.replace(SHORT_ID, example_id(dialect)) for line in lines[1:end]]
    return "\n".join([*greetings, *course, *_end(lines[end:])])


def _end(lines: list[str]) -> Iterator[str]:
    winner = lines[0].split(" ")[3]
    position = [line[3:] for line in lines[1:-1] if line[3:] != "+ CAPTURE 0"]
    won = [f"+ PLAYER{player}WON {'Yes' if player == winner else 'No'}" for player in "01"]
    yield "S: + GAMEOVER"
    yield f"S: {position[0]}"
    yield from (f"   {line}" for line in [*position[1:], *won, "+ QUIT"])
