"""Cases about messages: names, waiting, free text, and lines in pieces."""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import TYPE_CHECKING, Final

from spielwerk.check.dice.race import LARGE, SMALL
from spielwerk.check.dice.scoring import LAST, NEXT
from spielwerk.check.dice.talk import DueAnswer, shown
from spielwerk.games.dice.rules import Throw
from spielwerk.wire.dice import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from spielwerk.check.dice.scoring import Script
    from spielwerk.check.dice.trial import DiceTrial

MOMENT: Final = 0.5  # seconds in which a bot would say what it should not
WHILE: Final = 3.0  # more than the time for an answer


# names and waiting


async def _name(trial: DiceTrial, name: str) -> None:
    await trial.connect(name)
    await trial.greet()
    wanted = "{name}" in " ".join(trial.settings.command) or not trial.settings.command
    if wanted and trial.name != name:
        due = DueAnswer((f"AUTH {name}",))
        got = shown(trial.name.encode())
        trial.fail_at(trial.answered, "other-name", due, got=got, name=name)
    await trial.finish()


async def _early(trial: DiceTrial) -> None:
    """The server is slow to say HELO."""
    await trial.connect()
    await asyncio.sleep(1.0)
    if trial.pull():
        trial.blame("before-helo", advice=True)
    await trial.greet()
    await trial.finish()


async def _waits(trial: DiceTrial) -> None:
    await trial.join()
    await trial.quiet(WHILE)
    await trial.own_turn()
    await trial.finish()


async def _waits_for_others(trial: DiceTrial) -> None:
    await trial.join(begins=NEXT)
    for throws in ((SMALL, LARGE), (LARGE, Throw(4, 3))):
        for throw in throws:
            await trial.throw(throw)
            await trial.quiet(MOMENT)
        trial.race.save()
    await trial.own_turn()
    await trial.quiet(MOMENT)
    await trial.finish()


async def _waits_for_throw(trial: DiceTrial) -> None:
    await trial.join()
    if await trial.ask():
        await trial.quiet(WHILE)
        await trial.throw(SMALL)
        await trial.own_turn()
    await trial.finish()


async def _waits_for_end(trial: DiceTrial) -> None:
    """The other bots take their time for BYE; a bot may have closed by then."""
    await trial.join(begins=NEXT)
    await trial.lose()
    await trial.part()
    await asyncio.sleep(WHILE / 2)
    trial.machine.bye()
    await trial.flush()
    trial.connection.close()
    await trial.over("game-over")


async def _answers(trial: DiceTrial) -> None:
    """Some decisions, early and late in a game."""
    await trial.join()
    for _ in range(4):
        await trial.own_turn()
        await trial.others((LARGE, LARGE), (Throw(6, 3),))
    await trial.finish()


# free text

_WORDS: Final = {
    "HELO": "TURN 5 BYE ERR WIN DEF THRW 2 6 6 AUTH ROLL SAVE",
    "TURN": "or BYE? ERR WIN DEF HELO THRW 1 2 3 SAVE ROLL",
    "WIN": "DEF would be ERR, TURN 0 BYE 0 0 0",
    "DEF": "WIN would be ERR, TURN 0 BYE 0 0 0",
}
_FULL: Final = "x" * 20 + " y" * 50
TEXTS: Final[dict[str, dict[str, str]]] = {
    "text/words": _WORDS,
    "text/numbers": {"HELO": "1 2 3", "TURN": "99 150 0", "WIN": "0 0 0", "DEF": "7 7 7"},
    "text/quotes": {
        "HELO": '"Hello", it\'s \\ the server; (v9.9) <&> $HOME `id` #',
        "TURN": '"It\'s your turn"',
        "DEF": '"It\'s over"',
    },
    "text/percent": {"HELO": "%s%s%n%d 100%", "TURN": "%n%s%n%s", "DEF": "%s%s%s%s%n"},
    "text/longest": {  # 100 characters, the newline among them
        "HELO": _FULL[: words.LONGEST - len("HELO \n")],
        "TURN": _FULL[: words.LONGEST - len("TURN 000 \n")],
        "DEF": _FULL[: words.LONGEST - len("DEF \n")],
    },
    "text/none": dict.fromkeys(_WORDS, ""),
}


async def _text(trial: DiceTrial, texts: dict[str, str]) -> None:
    trial.texts = texts
    await trial.join(begins=LAST)
    await trial.other_turn(SMALL)
    await trial.own_turn()
    await trial.finish()


async def _text_of_win(trial: DiceTrial) -> None:
    trial.texts = _WORDS
    await trial.join()
    await trial.win()
    await trial.finish()


async def _text_of_error(trial: DiceTrial) -> None:
    await trial.join(begins=NEXT)
    await trial.throw(SMALL)
    trial.connection.send(b"ERR TURN 0 or WIN or DEF or BYE, it does not go on\n")
    trial.connection.close()
    await trial.over("error")


async def _names(trial: DiceTrial, names: tuple[str, str]) -> None:
    """How others are called does not matter."""
    await trial.connect(begins=NEXT)
    await trial.greet()
    trial.rivals = (names[0] or trial.name, names[1] or trial.name)
    await trial.others((LARGE, SMALL), (SMALL,))
    await trial.own_turn()
    await trial.others((SMALL, Throw(2, 4)), (LARGE,))
    await trial.own_turn()
    await trial.finish()


# lines in pieces


def each_byte(data: bytes) -> Iterator[bytes]:
    """Byte by byte."""
    return (bytes((byte,)) for byte in data)


def after_digits(data: bytes) -> list[bytes]:
    """Cut behind every digit that does not end the line, also inside a number."""
    return re.split(rb"(?<=[0-9])(?!\n)", data)


def in_words(data: bytes) -> list[bytes]:
    """Cut inside the first word, and once more near the end."""
    return [data[:2], data[2:-3], data[-3:]]


def over_ends(data: bytes) -> list[bytes]:
    """Cut behind the first bytes of every line, so that pieces have an end and a beginning."""
    return re.split(rb"(?<=\n...)", data)


async def _cut(
    trial: DiceTrial,
    cut: Callable[[bytes], Iterable[bytes]],
    pause: float = 0.01,
    *,
    together: bool = False,
) -> None:
    trial.cut, trial.pause, trial.together = cut, pause, together
    await trial.join(begins=NEXT)
    await trial.others((LARGE, SMALL), (Throw(4, 5),))
    await trial.own_turn()
    await trial.others((SMALL, Throw(2, 4)), (Throw(6, 1),))
    await trial.own_turn()
    await trial.other_turn(LARGE)
    await trial.finish()


async def _many_lines(trial: DiceTrial) -> None:
    """More throws in one segment than fit into any buffer for a line."""
    trial.together = True
    trial.rivals = ("W" * 80, "b" * 80)
    await trial.join(begins=NEXT)
    small = (SMALL,) * 24
    await trial.others(small, small)
    await trial.own_turn()
    await trial.others(small, small)
    await trial.own_turn()
    await trial.finish()


def _cut_whole(data: bytes) -> tuple[bytes]:
    return (data,)


SCRIPTS: Final[dict[str, Script]] = {
    "auth/name": partial(_name, name="dice1"),
    "auth/digits": partial(_name, name="0815"),
    "auth/letters": partial(_name, name="aZ"),
    "auth/long-name": partial(_name, name="Wuerfelbot123" * 5),
    "auth/after-helo": _early,
    "wait/for-game": _waits,
    "wait/for-others": _waits_for_others,
    "wait/for-throw": _waits_for_throw,
    "wait/for-end": _waits_for_end,
    "time/answers": _answers,
    **{name: partial(_text, texts=texts) for name, texts in TEXTS.items()},
    "text/words-of-win": _text_of_win,
    "text/words-of-error": _text_of_error,
    "text/names-of-words": partial(_names, names=("TURN", "BYE")),
    "text/names-of-digits": partial(_names, names=("2", "66")),
    "text/same-name": partial(_names, names=("", "")),
    "text/long-names": partial(_names, names=("W" * 80, "b" * 80)),
    "lines/bytes": partial(_cut, cut=each_byte, pause=0.001),
    "lines/numbers": partial(_cut, cut=after_digits),
    "lines/words": partial(_cut, cut=in_words),
    "lines/together": partial(_cut, cut=_cut_whole, together=True),
    "lines/over-ends": partial(_cut, cut=over_ends, together=True),
    "lines/many": _many_lines,
}
