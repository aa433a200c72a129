"""What happens in cases about the list, what changes it, and connections, besides their steps."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any, Final

from spielwerk.check.connect4_index.trial import APART, LIST, Registration, script
from spielwerk.wire.connect4.messages import GAME_LIST, Status, write_message

if TYPE_CHECKING:
    from spielwerk.check.connect4_index.guest import IndexAnswer
    from spielwerk.check.connect4_index.trial import IndexTrial

SOON: Final = 2.0  # seconds for an answer that need not come
OPEN_FOR: Final = 1.5  # seconds after which a connection is still open

GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
NEARLY: Final = re.compile(r"[({]?[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}[)}]?", re.IGNORECASE)

ADVICE: Final = (
    *("return", "trailing-blank", "empty-line"),
    *("semicolon", "last-semicolon", "spelling"),
)
"""Oddities that a lenient client overlooks; what else is odd is a fault."""


# the list


@script
async def _answers_form(trial: IndexTrial) -> None:
    """Every kind of answer once; here their bytes are looked at."""
    await trial.games()
    offer = trial.offer()
    await trial.register()
    await trial.initiator.ask(offer.request(), "register_failed")
    await trial.games()
    await trial.seal()
    await trial.unregister()
    for verb in ("seal_game", "unregister_game"):
        await trial.fails(verb, unknown=True)
    for oddity, entry in trial.oddities.items():
        end = len(trial.transcript[entry].data) - 1
        trial.blame(oddity, advice=oddity in ADVICE, entry=entry, position=end)


@script
async def _listed(trial: IndexTrial, what: str = "game", times: int = 1, **values: Any) -> None:
    """A game is not in the list, is registered, and is in the list with its values."""
    trial.offer(what, **values)
    await trial.lacks(what)
    await trial.register(what)
    for _ in range(times):
        await trial.shows(what, values=True)


@script
async def _list_several(trial: IndexTrial) -> None:
    trial.offer("first", player="Anna", width=7, height=6, depth=1)
    trial.offer("second", player="Bert", width=4, height=5, depth=6)
    trial.offer("third", player="Anna", width=10, height=8, depth=2)
    for game in ("first", "second", "third"):
        await trial.register(game)
    await trial.shows("first", "second", "third", values=True)


# registering


@script
async def _register_guid(trial: IndexTrial) -> None:
    guid = await trial.register()
    if not GUID.fullmatch(guid):
        trial.blame("guid", guid=guid, advice=bool(NEARLY.fullmatch(guid)))


@script
async def _register_guids_differ(trial: IndexTrial) -> None:
    guids = [await trial.register(game) for game in ("first", "second", "third")]
    if len({*guids}) < len(guids):
        trial.fail("same-guid", guid=guids[0])


@script
async def _name_taken(trial: IndexTrial, *, by_another: bool = False, sealed: bool = False) -> None:
    """The name is taken: only register_failed is right."""
    offer = again = trial.offer()
    await trial.register()
    if sealed:
        await trial.seal()
    if by_another:
        other = await trial.new_mailbox()
        again = trial.offer("again", other, player="Another", name=offer.name, width=7)
    heard = await trial.initiator.ask(again.request(), "register_failed", "register_success")
    if heard.message.header == "register_success":
        trial.own(heard, "again")
        trial.fail("registered-twice", name=offer.name, entry=heard.entry, position=heard.start)
    await trial.shows(status=Status.SEALED if sealed else Status.OPEN)


@script
async def _register_digits(trial: IndexTrial) -> None:
    """Names of digits are no numbers: a zero at the front stays."""
    mark = trial.server.new_mark()
    name = f"00{int(mark.partition('-')[0], 16)}{mark[7:]}"
    await _listed(trial, player="007", name=name)


@script
async def _register_large(trial: IndexTrial) -> None:
    """No document limits the board; a server may, but should not."""
    offer = trial.offer(width=20, height=15, depth=12)
    heard = await trial.initiator.ask(offer.request(), "register_success", "register_failed")
    if heard.message.header == "register_failed":
        trial.blame("large", advice=True, entry=heard.entry, position=heard.start)
        return
    trial.own(heard)
    await trial.shows(values=True)


@script
async def _unfit(trial: IndexTrial, cut: int, more: str = "") -> None:
    """A registration with too few parameters, or too many."""
    offer = trial.offer()
    words = offer.line().rstrip(b"\n").split(b";")
    await trial.initiator.send(b";".join(words[: len(words) - cut]) + more.encode() + b"\n")
    lenient = "extra-parameter" if more else "missing-parameter"
    await _turned_down(trial, "register_failed", lenient, advice=bool(more))
    if not trial.faults:
        await trial.lacks()


async def _turned_down(trial: IndexTrial, failure: str, accepted: str, *, advice: bool) -> None:
    """A wrong request has been sent: it must not succeed, and should be refused in its own word."""
    guest = trial.initiator
    line = await guest.line(min(SOON, trial.server.timeout))
    word, _, rest = (line or b"").decode("utf-8", "replace").rstrip("\r").partition(";")
    trial.own_success(line or b"")
    if "success" in word:
        trial.blame(accepted, answer=f"{word};{rest}", advice=advice)
    elif word not in (failure, failure.replace("_failed", "_game_failed")):
        kind = "" if word else "-closed" if guest.connection.gone else "-silence"
        trial.blame(f"no-refusal{kind}", answer=word, failure=failure, advice=True)


@script
async def _register_nonsense(trial: IndexTrial, parameters: list[list[str]]) -> None:
    """The document does not ask the index server to look at the values: that is advice."""
    accepted = []
    for parameter, value in parameters:
        offer = trial.offer()
        place = list(Registration.__dataclass_fields__).index(parameter)
        texts = [*map(str, offer.request().values)]
        texts[place] = value
        await trial.initiator.send(";".join(["register_game", *texts]).encode() + b"\n")
        line = await trial.initiator.line(min(SOON, trial.server.timeout))
        if line is not None and b"success" in line:
            trial.own_success(line)
            accepted.append(f"{parameter} '{value}'")
    if accepted:
        trial.blame("nonsense", values=", ".join(accepted), advice=True)


# unregistering and sealing


@script
async def _without_guid(trial: IndexTrial, verb: str, more: str = "") -> None:
    """A request without a GUID must not succeed, and change nothing."""
    await trial.register()
    await trial.initiator.send(f"{verb}{more}\n".encode())
    accepted = "no-guid" if more else "missing-parameter"
    await _turned_down(trial, f"{verb}_failed", accepted, advice=False)
    await trial.shows()


@script
async def _seal_twice(trial: IndexTrial) -> None:
    """The document does not say what the second answer is; the game stays as it is."""
    await trial.register()
    await trial.seal()
    await trial.ask("seal_game", "seal_game_success", "seal_game_failed")
    await trial.shows(status=Status.SEALED)


# connections


@script
async def _connection_kept_open(trial: IndexTrial) -> None:
    """Several requests on one connection, with a pause; it must not end."""
    await trial.register()
    first = trial.initiator.connection
    await asyncio.sleep(OPEN_FOR)
    for request in (trial.seal, trial.unregister):
        if first.gone:
            trial.fail("not-kept-open", how=first.gone)
        await request()


@script
async def _connection_joined(trial: IndexTrial) -> None:
    """Three requests in one segment; each has its answer, in their order."""
    guest, offer = trial.initiator, trial.offer()
    await guest.send(write_message(LIST) + offer.line() + write_message(LIST))
    await guest.expect(GAME_LIST)
    for number, wanted in ((2, "register_success"), (3, GAME_LIST)):
        line = await guest.line(trial.server.timeout)
        if line is None:
            hint = "" if guest.connection.gone else "rest-of-segment"
            trial.fail("fewer-answers", number=number, hint=hint, timed=not guest.connection.gone)
        trial.own_success(line)
        guest.fits(guest.read(line), wanted)
    await trial.shows()


@script
async def _connection_split(trial: IndexTrial) -> None:
    """In two pieces: in the header, behind a semicolon, in a letter, in a number, at the end."""
    line = trial.offer("Größe").line()
    places = (4, 14, line.index("ö".encode()) + 1, line.rindex(b";") + 2, len(line) - 1)
    for place in places:
        trial.own(await _in_pieces(trial, [line[:place], line[place:]]), "Größe")
        await trial.shows("Größe")
        await trial.unregister("Größe")


@script
async def _connection_byte_by_byte(trial: IndexTrial) -> None:
    line = trial.offer().line()
    trial.own(await _in_pieces(trial, [bytes([byte]) for byte in line], APART / 10))
    await trial.shows()


async def _in_pieces(trial: IndexTrial, pieces: list[bytes], pause: float = APART) -> IndexAnswer:
    """Register with a line in pieces; an answer to the first one alone gives the cause away."""
    guest = trial.initiator
    guest.leave()
    await guest.connect()
    await guest.send(pieces[0])
    await guest.connection.changed(APART)
    if guest.connection.waiting:
        trial.fail("answered-early", hint="early", piece=pieces[0].decode("utf-8", "replace"))
    if guest.connection.gone:
        trial.fail("closed", client=guest.name)
    await guest.send(*pieces[1:], pause=pause)
    return await guest.expect("register_success")
