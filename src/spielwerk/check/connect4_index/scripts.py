"""What happens in each case of `cases.toml`: the list, and what changes it."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING, Final

from spielwerk.check.connect4_index import crowd, outages, streams
from spielwerk.check.connect4_index.trial import Registration
from spielwerk.check.texts import cases_of
from spielwerk.wire.connect4.messages import Status, message

if TYPE_CHECKING:
    from spielwerk.check.case import Case
    from spielwerk.check.connect4_index.guest import Visitor
    from spielwerk.check.connect4_index.trial import IndexTrial
    from spielwerk.check.texts import Script

SLOW: Final = ("heartbeat", "time-out")  # groups whose cases take a minute or more
SOON: Final = 2.0  # seconds for an answer that need not come

GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
NEARLY: Final = re.compile(r"[({]?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}[)}]?", re.IGNORECASE)

ADVICE: Final = (
    *("return", "trailing-blank", "empty-line"),
    *("semicolon", "last-semicolon", "spelling"),
)
"""Oddities that a lenient client overlooks; what else is odd is a fault."""


def cases() -> list[Case]:
    """All cases for an index server."""
    return cases_of(
        __package__ or "", {**SCRIPTS, **streams.SCRIPTS, **crowd.SCRIPTS, **outages.SCRIPTS}
    )


# the list


async def _answers(trial: IndexTrial) -> None:
    """Every kind of answer once; here their bytes are looked at."""
    guest = trial.initiator
    await trial.games(guest)
    offer = trial.offer()
    guid = await trial.register(offer)
    await guest.ask(offer.request(), "register_failed")
    await trial.games(guest)
    await trial.seal(guid)
    await trial.unregister(guid)
    for verb in ("seal_game", "unregister_game"):
        await guest.ask(message(verb, str(uuid.uuid4())), f"{verb}_failed")
    for oddity, entry in trial.oddities.items():
        end = len(trial.transcript[entry].data) - 1
        trial.blame(oddity, advice=oddity in ADVICE, entry=entry, position=end)


async def _listed(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.lacks(offer)
    await trial.register(offer)
    await trial.shows(offer, values=True)


async def _another_client(trial: IndexTrial) -> None:
    """The initiator is still connected when another client asks."""
    offer = trial.offer()
    await trial.register(offer)
    await trial.shows(offer, guest=trial.guest("another client"))


async def _several(trial: IndexTrial) -> None:
    offers = [
        trial.offer("first", player="Anna", width=7, height=6, depth=1),
        trial.offer("second", player="Bert", width=4, height=5, depth=6),
        trial.offer("third", player="Anna", width=10, height=8, depth=2),
    ]
    for offer in offers:
        await trial.register(offer)
    await trial.shows(*offers, values=True)


async def _asked_again(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.register(offer)
    for _ in range(3):
        await trial.shows(offer)


# registering


async def _guid(trial: IndexTrial) -> None:
    guid = await trial.register(trial.offer())
    if not GUID.fullmatch(guid):
        trial.blame("guid", guid=guid, advice=bool(NEARLY.fullmatch(guid)))


async def _unlike(trial: IndexTrial) -> None:
    guids = [await trial.register(trial.offer()) for _ in range(3)]
    if len({*guids}) < len(guids):
        trial.fail("same-guid", guid=guids[0])


async def _taken(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.register(offer)
    await _is_refused(trial, trial.initiator, offer)
    await trial.shows(offer)


async def _taken_by_another(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.register(offer)
    other = await trial.new_mailbox()
    same = trial.offer(mailbox=other, player="Another", name=offer.name, width=7)
    await _is_refused(trial, trial.initiator, same)
    await trial.shows(offer)


async def _taken_while_sealed(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.seal(await trial.register(offer))
    await _is_refused(trial, trial.initiator, offer)


async def _is_refused(trial: IndexTrial, guest: Visitor, offer: Registration) -> None:
    """The name is taken: only register_failed is right."""
    heard = await guest.ask(offer.request(), "register_failed", "register_success")
    if heard.message.header == "register_success":
        trial.owned(heard.message.values[0])
        trial.fail("registered-twice", name=offer.name, entry=heard.entry, position=heard.start)


async def _free_again(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.unregister(await trial.register(offer))
    await trial.register(offer)
    await trial.shows(offer)


NAMES: Final = {
    "apostrophe": ("martin", "martin's game"),
    "quotation-marks": ('"Anna"', '"Bestes" Spiel, (neu) \\ 100 %'),
    "utf-8": ("Jürgen Groß", "Größe Łódź 北京 🎲"),
    "blanks": ("Anna  Maria von und zu", "ein  Spiel mit vielen Worten"),
}


def _named(player: str, name: str) -> Script:
    async def script(trial: IndexTrial) -> None:
        offer = trial.offer(name, player=player)
        await trial.register(offer)
        await trial.shows(offer, values=True)

    return script


async def _digits(trial: IndexTrial) -> None:
    """Names of digits are no numbers: a zero at the front stays."""
    mark = trial.server.new_mark()
    offer = trial.offer(player="007", name=f"00{int(mark.partition('-')[0], 16)}{mark[7:]}")
    await trial.register(offer)
    await trial.shows(offer, values=True)


async def _large(trial: IndexTrial) -> None:
    """No document limits the board; a server may, but should not."""
    offer = trial.offer(width=20, height=15, depth=12)
    heard = await trial.initiator.ask(offer.request(), "register_success", "register_failed")
    if heard.message.header == "register_failed":
        trial.blame("large", advice=True, entry=heard.entry, position=heard.start)
        return
    trial.owned(heard.message.values[0])
    await trial.shows(offer, values=True)


def _sized(width: int, height: int, depth: int) -> Script:
    async def script(trial: IndexTrial) -> None:
        offer = trial.offer(width=width, height=height, depth=depth)
        await trial.register(offer)
        await trial.shows(offer, values=True)

    return script


def _unfit(cut: int, *, more: bytes = b"") -> Script:
    """A registration with too few parameters, or too many."""

    async def script(trial: IndexTrial) -> None:
        offer = trial.offer()
        words = offer.line().rstrip(b"\n").split(b";")
        await trial.initiator.send(b";".join(words[: len(words) - cut]) + more + b"\n")
        lenient = "extra-parameter" if more else "missing-parameter"
        await _turned_down(trial, "register_failed", lenient, advice=bool(more))
        if trial.faults:
            return
        await trial.lacks(offer)

    return script


async def _turned_down(trial: IndexTrial, failure: str, accepted: str, *, advice: bool) -> None:
    """A wrong request has been sent: it must not succeed, and should be refused in its own word."""
    guest = trial.initiator
    line = await guest.line(min(SOON, trial.server.timeout))
    word, _, rest = (line or b"").decode("utf-8", "replace").rstrip("\r").partition(";")
    trial.own_success(line or b"")
    if "success" in word:
        trial.blame(accepted, answer=f"{word};{rest}", advice=advice)
    elif word not in (failure, failure.replace("_failed", "_game_failed")):
        answer = "closed" if guest.connection.gone else word or "silence"
        trial.blame(f"no-refusal-{answer}" if answer in ("closed", "silence") else "no-refusal",
                    answer=word, failure=failure, advice=True)  # fmt: skip


NONSENSE: Final[tuple[tuple[str, str], ...]] = (
    ("width", "sieben"),
    ("width", " 7"),
    ("height", "-6"),
    ("height", "0"),
    ("depth", ""),
    ("port", "0"),
    ("port", "70000"),
)


async def _nonsense(trial: IndexTrial) -> None:
    """The document does not ask the index server to look at the values: that is advice."""
    accepted = []
    for parameter, value in NONSENSE:
        offer = trial.offer()
        words = offer.request().values
        place = list(Registration.__dataclass_fields__).index(parameter)
        texts = [value if number == place else str(one) for number, one in enumerate(words)]
        await trial.initiator.send(";".join(["register_game", *texts]).encode() + b"\n")
        line = await trial.initiator.line(min(SOON, trial.server.timeout))
        if line is not None and b"success" in line:
            trial.own_success(line)
            accepted.append(f"{parameter} '{value}'")
    if accepted:
        trial.blame("nonsense", values=", ".join(accepted), advice=True)


# unregistering and sealing


async def _unregisters(trial: IndexTrial) -> None:
    gone, stays = trial.offer("gone"), trial.offer("stays")
    guid = await trial.register(gone)
    await trial.register(stays)
    await trial.unregister(guid)
    await trial.lacks(gone)
    await trial.shows(stays)


def _unknown(verb: str) -> Script:
    """A request for a game that is not there must fail, and change nothing."""

    async def script(trial: IndexTrial) -> None:
        offer = trial.offer()
        await trial.register(offer)
        request = message(verb, str(uuid.uuid4()))
        await trial.initiator.ask(request, f"{verb}_failed")
        await trial.shows(offer)

    return script


def _after_its_end(verb: str) -> Script:
    async def script(trial: IndexTrial) -> None:
        guid = await trial.register(trial.offer())
        await trial.unregister(guid)
        await trial.initiator.ask(message(verb, guid), f"{verb}_failed")

    return script


def _without_guid(verb: str, more: str = "") -> Script:
    """A request without a GUID must not succeed, and change nothing."""

    async def script(trial: IndexTrial) -> None:
        offer = trial.offer()
        await trial.register(offer)
        await trial.initiator.send(f"{verb}{more}\n".encode())
        accepted = "no-guid" if more else "missing-parameter"
        await _turned_down(trial, f"{verb}_failed", accepted, advice=False)
        await trial.shows(offer)

    return script


def _in_braces(guid: str) -> str:
    return guid if guid.startswith("{") else f"{{{guid}}}"


async def _unregisters_in_braces(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.unregister(_in_braces(await trial.register(offer)))
    await trial.lacks(offer)


async def _seals_in_braces(trial: IndexTrial) -> None:
    offer = trial.offer()
    await trial.seal(_in_braces(await trial.register(offer)))
    await trial.shows(offer, status=Status.SEALED)


async def _seals(trial: IndexTrial) -> None:
    sealed, still_open = trial.offer("sealed"), trial.offer("open")
    guid = await trial.register(sealed)
    await trial.register(still_open)
    await trial.seal(guid)
    await trial.shows(sealed, status=Status.SEALED)
    await trial.shows(still_open)


async def _seals_twice(trial: IndexTrial) -> None:
    """The document does not say what the second answer is; the game stays as it is."""
    offer = trial.offer()
    guid = await trial.register(offer)
    await trial.seal(guid)
    again = message("seal_game", guid)
    await trial.initiator.ask(again, "seal_game_success", "seal_game_failed")
    await trial.shows(offer, status=Status.SEALED)


async def _unregisters_sealed(trial: IndexTrial) -> None:
    offer = trial.offer()
    guid = await trial.register(offer)
    await trial.seal(guid)
    await trial.unregister(guid)
    await trial.lacks(offer)


SCRIPTS: Final[dict[str, Script]] = {
    "answers/form": _answers,
    "list/game": _listed,
    "list/another-client": _another_client,
    "list/several": _several,
    "list/again": _asked_again,
    "register/guid": _guid,
    "register/guids-differ": _unlike,
    "register/name-taken": _taken,
    "register/name-taken-by-another": _taken_by_another,
    "register/name-taken-while-sealed": _taken_while_sealed,
    "register/name-free-again": _free_again,
    **{f"register/{what}": _named(*names) for what, names in NAMES.items()},
    "register/digits": _digits,
    "register/depth-0": _sized(7, 6, 0),
    "register/depth-1": _sized(7, 6, 1),
    "register/depth-4": _sized(7, 6, 4),
    "register/large": _large,
    "register/too-few": _unfit(1),
    "register/no-parameters": _unfit(7),
    "register/too-many": _unfit(0, more=b";80"),
    "register/nonsense": _nonsense,
    "unregister/game": _unregisters,
    "unregister/unknown": _unknown("unregister_game"),
    "unregister/no-guid": _without_guid("unregister_game", ";hallo"),
    "unregister/no-parameter": _without_guid("unregister_game"),
    "unregister/twice": _after_its_end("unregister_game"),
    "unregister/sealed": _unregisters_sealed,
    "unregister/braces": _unregisters_in_braces,
    "seal/game": _seals,
    "seal/unknown": _unknown("seal_game"),
    "seal/no-guid": _without_guid("seal_game", ";hallo"),
    "seal/no-parameter": _without_guid("seal_game"),
    "seal/twice": _seals_twice,
    "seal/after-the-end": _after_its_end("seal_game"),
    "seal/braces": _seals_in_braces,
}
