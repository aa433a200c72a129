"""Whatever is written to a contest, in whatever order: it is as a simple model has it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import count

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spielwerk.store import contests, reading
from spielwerk.store.opening import Store
from spielwerk.store.problems import NotRunning, StoreConflict, StoreError
from spielwerk.store.records import (
    Begun,
    Created,
    Disqualified,
    Ending,
    GameRecord,
    Pairing,
    PairingState,
    Scheduled,
    Settled,
)
from tests.store.contest_samples import CRASHED, DONE, NAMES, contest, entrants, pairing
from tests.store.contest_samples import BothWriters as Writer
from tests.store.samples import WON, created

EXAMPLES = count()

WAITING = (PairingState.NEW, PairingState.REPEAT)

Written = Scheduled | Begun | Settled | Disqualified | Created
Verdict = type["StoreError"] | None


@dataclass
class Model:
    """What a store has to do with a contest, without a store."""

    pairings: dict[int, Pairing] = field(default_factory=dict)
    games: dict[str, GameRecord] = field(default_factory=dict)
    barred: set[int] = field(default_factory=set)

    def write(self, entries: list[Written]) -> list[Verdict]:
        lost: set[str] = set()  # after a game that was refused, nothing of it is written
        verdicts = []
        for entry in entries:
            if not isinstance(entry, Created):
                lost.clear()  # games that follow are written in another transaction
                verdicts.append(self._take(entry))
                continue
            verdicts.append(StoreConflict if entry.record.id in lost else self._take(entry))
            if verdicts[-1]:
                lost.add(entry.record.id)
        return verdicts

    def _take(self, entry: Written) -> Verdict:
        if isinstance(entry, Scheduled):
            return self._schedule(entry)
        if isinstance(entry, Begun):
            return self._begin(entry)
        if isinstance(entry, Settled):
            return self._settle(entry)
        if isinstance(entry, Disqualified):
            return self._disqualify(entry)
        return self._create(entry.record)

    def _schedule(self, entry: Scheduled) -> Verdict:
        if any(new.number in self.pairings for new in entry.pairings):
            same = [new.seed == self._seed(new.number) for new in entry.pairings]
            return None if all(same) else StoreConflict
        self.pairings |= {new.number: new for new in entry.pairings}
        return None

    def _seed(self, number: int) -> str | None:
        return self.pairings[number].seed if number in self.pairings else None

    def _begin(self, entry: Begun) -> Verdict:
        known = self.pairings.get(entry.number)
        if known and known.state is PairingState.RUNNING and entry.attempt == known.attempt:
            return None
        if not known or known.state not in WAITING or entry.attempt != known.attempt + 1:
            return NotRunning
        self.pairings[entry.number] = replace(
            known, state=PairingState.RUNNING, attempt=entry.attempt, game=None, ending=None
        )
        return None

    def _settle(self, entry: Settled) -> Verdict:
        new = entry.pairing
        known = self.pairings.get(new.number)
        if not known or known.attempt != new.attempt:
            return NotRunning
        after = replace(known, state=new.state, game=new.game, ending=new.ending)
        after = replace(after, repeated=known.repeated or new.repeated)
        if known.state is not PairingState.RUNNING:
            return None if after == known else NotRunning
        if entry.record and self._create(entry.record, again=False):
            return StoreConflict
        self.pairings[new.number] = after
        self._give_up([new.number])
        return None

    def _disqualify(self, entry: Disqualified) -> Verdict:
        if entry.entrant >= len(NAMES):
            return StoreConflict
        self.barred.add(entry.entrant)
        self._give_up(self.pairings)
        return None

    def _give_up(self, chosen: Iterable[int]) -> None:
        for number in chosen:
            known = self.pairings[number]
            if known.state in WAITING and self.barred.intersection(known.seats):
                self.pairings[number] = replace(
                    known, state=PairingState.FAILED, game=None, ending=None
                )

    def _create(self, record: GameRecord, *, again: bool = True) -> Verdict:
        if record.id in self.games:
            return None if again and self.games[record.id] == record else StoreConflict
        self.games[record.id] = record
        return None


def a_settled(
    number: int,
    attempt: int,
    state: PairingState,
    ending: Ending | None,
    record: GameRecord | None,
    repeated: bool,
) -> Settled:
    now = replace(pairing(number).cleared(state, ending), attempt=attempt, repeated=repeated)
    return Settled(now, record)


NUMBERS = st.integers(0, 3)
ATTEMPTS = st.integers(1, 3)
SETTLED = st.sampled_from(
    [
        PairingState.DONE,
        PairingState.DONE,
        PairingState.REPEAT,
        PairingState.FAILED,
        PairingState.NEW,
    ]
)
OUTCOMES: st.SearchStrategy[Ending | None] = st.sampled_from([DONE, CRASHED, None])
RECORDS = st.builds(
    lambda name, when: replace(created(name, when).record, result=WON),
    st.sampled_from(["a", "b", "c", "d", "e"]),
    st.integers(1, 2),
)
SEEDED = st.builds(
    lambda number, seed: replace(pairing(number), seed=seed), NUMBERS, st.sampled_from("xxxy")
)
SCHEDULED = st.lists(SEEDED, min_size=1, max_size=3, unique_by=lambda new: new.number).map(tuple)
ENTRIES = st.one_of(
    st.builds(Begun, st.just(""), NUMBERS, ATTEMPTS),
    st.builds(a_settled, NUMBERS, ATTEMPTS, SETTLED, OUTCOMES, st.none() | RECORDS, st.booleans()),
    st.builds(lambda pairings: Scheduled("", pairings=pairings), SCHEDULED),
    st.builds(Disqualified, st.just(""), st.integers(0, 4), st.just("Garbage."), NUMBERS),
    st.builds(Created, RECORDS),
)


def of_example(entry: Written, example: str) -> Written:
    """The entry for a contest of this example only; all examples share a store."""
    if isinstance(entry, Created):
        return Created(_renamed(entry.record, example))
    if isinstance(entry, Scheduled):
        pairings = tuple(replace(new, contest=example) for new in entry.pairings)
        return replace(entry, contest=example, pairings=pairings)
    if isinstance(entry, Settled):
        record = _renamed(entry.record, example) if entry.record else None
        game = record.id if record else None
        return replace(
            entry, pairing=replace(entry.pairing, contest=example, game=game), record=record
        )
    return replace(entry, contest=example)


def _renamed(record: GameRecord, example: str) -> GameRecord:
    return replace(record, id=f"{record.id}{example}")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(batches=st.lists(st.lists(ENTRIES, max_size=8), max_size=6))
def test_a_contest_is_as_the_model_has_it(store: Store, batches: list[list[Written]]) -> None:
    writer, model, example = Writer(store), Model(), f"c{next(EXAMPLES)}"
    assert writer.write([Scheduled(example, contest(example), entrants(example))]) == [None]
    for batch in batches:
        entries = [of_example(entry, example) for entry in batch]
        told = [outcome and type(outcome) for outcome in writer.write(entries)]
        assert told == model.write(entries)
    kept = contests.pairings(store, example)
    assert kept == [known for _, known in sorted(model.pairings.items())]
    assert {name: reading.game(store, name) for name in model.games} == model.games
    barred = [one.number for one in contests.entrants(store, example) if one.disqualified]
    assert barred == sorted(model.barred)
    linked = [known.game for known in kept if known.game]
    assert len(linked) == len(set(linked))
