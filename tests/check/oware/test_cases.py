"""The cases themselves: complete, the same for the same seed, and about what they say."""

from __future__ import annotations

import asyncio

import pytest

from spielwerk.check.case import in_language, select
from spielwerk.check.oware.cases import all_cases
from spielwerk.check.oware.requests import Ruling, Sending
from spielwerk.check.oware.trial import Exchange, OwareTrial, Peer
from spielwerk.wire.oware import REQUEST_LINES

EXAMPLES = [f"A.{number}" for number in range(3, 11)] + [f"B.{number}" for number in range(1, 8)]


class Listener(OwareTrial):
    """Takes down what a case would ask."""

    def __init__(self) -> None:
        super().__init__(Peer("nowhere", 1))
        self.asked: list[bytes] = []

    async def exchange(self, sending: Sending, *_: object) -> Exchange:
        self.asked.append(sending.request)
        return Exchange(b"", "closed")


def requests(pattern: str, seed: int = 0) -> list[bytes]:
    async def run() -> list[bytes]:
        asked = []
        for case in select(all_cases(seed), [pattern]):
            if not case.alone:
                listener = Listener()
                await case.run(listener)
                asked += listener.asked
        return asked

    return asyncio.run(run())


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_appendices_is_a_case(example: str) -> None:
    cases = all_cases()
    words = " ".join(f"{case.name} {case.source}" for case in cases).replace(",", " ")
    assert any(
        word.partition("/")[2].startswith(example) or word == example for word in words.split()
    )


def test_the_seed_varies_the_random_cases_and_only_them() -> None:
    assert requests("random/*", 1) == requests("random/*", 1)
    assert requests("random/*", 1) != requests("random/*", 2)
    assert requests("initial-board", 1) == requests("initial-board", 2)


@pytest.mark.parametrize("seed", range(3))
def test_no_case_takes_a_weak_server_long(seed: int) -> None:
    """Where a move must be found, the depth is small or the board has nearly no choice."""
    for request in requests("*", seed) if seed == 0 else requests("random/*", seed):
        state = Ruling.of(request).state
        if state is not None:
            depth = request.split(b"\n")[1]
            assert depth in (b"1", b"2", b"3") or sum(state.board[2:]) == 2


def test_silence_is_only_tried_when_it_is_asked_for() -> None:
    assert "network/silence" not in {case.name for case in all_cases()}
    assert "network/silence" in {case.name for case in all_cases(silence=31.0)}


def test_what_the_document_leaves_open_can_be_left_out() -> None:
    left = {case.name for case in all_cases(document_only=True)}
    assert "read-failure/B.1" in left
    assert "strategy/cr" not in left
    assert 100 < len(left) < len(all_cases())


@pytest.mark.parametrize(
    ("group", "status"),
    [
        ("read-failure", b"ERROR read-failure"),
        ("strategy", b"ERROR strategy"),
        ("initial-board/sum-*", b"ERROR initial-board"),
        ("search-depth/ten", b"ERROR search-depth"),
        ("*/move-after-the-end", b"ERROR move-history"),
        ("starvation/forbidden", b"ERROR move-history 0"),
        ("grand-slam/nothing-collected", b"ERROR move-history 1"),
        ("network/further-lines", b""),
    ],
)
def test_cases_ask_for_what_they_are_about(group: str, status: bytes) -> None:
    heard = requests(group)
    assert heard
    for request in heard:
        assert Ruling.of(request).status.startswith(status)


@pytest.mark.parametrize("group", ["*/A.8", "*/A.9", "cycle/A.10", "majority/at-the-start"])
def test_ends_are_ends(group: str) -> None:
    assert {Ruling.of(request).details for request in requests(group)} == {b"finish"}


@pytest.mark.parametrize("group", ["*/own-move", "*/goes-on", "cycle/not-before"])
def test_games_that_go_on_go_on(group: str) -> None:
    for request in requests(group):
        ruling = Ruling.of(request)
        assert ruling.state is not None or ruling.status.startswith(b"ERROR move-history")


@pytest.mark.parametrize("group", ["majority/own-move", "no-move/own-move", "cycle/own-move"])
def test_own_moves_that_end_the_game_are_forced(group: str) -> None:
    forced = 0
    for request in requests(group):
        state = Ruling.of(request).state
        assert state is not None
        forced += all(state.play(move).outcome for move in state.legal_moves())
    assert forced


def test_the_constants_of_the_appendix_are_copied_rightly() -> None:
    expected = {
        "sowing/A.3": [b"0 0 4 4 4 4 0 5 5 5 5 4 4 4", b"0 0 5 5 5 5 0 5 5 5 5 4 4 0"],
        "sowing/A.4": [b"0 0 2 3 0 3 5 5 5 5 7 1 7 5"],
        "collecting/A.6-first": [b"21 16 0 0 0 0 3 0 3 2 1 0 0 2"],
        "collecting/A.6-second": [b"21 16 0 0 0 0 0 6 0 0 0 1 2 2"],
        "grand-slam/A.7": [b"17 18 1 0 0 0 0 0 2 3 2 3 2 0"],
        "majority/A.8": [b"26 22 0 0 0 0 0 0 0 0 0 0 0 0"],
        "no-move/A.9": [b"22 26 0 0 0 0 0 0 0 0 0 0 0 0"],
        "cycle/A.10": [b"24 24 0 0 0 0 0 0 0 0 0 0 0 0"],
    }
    for name, boards in expected.items():
        assert [Ruling.of(request).board for request in requests(name)] == boards


def test_each_line_is_left_out_after_every_line_that_is_wrong() -> None:
    names = [f"precedence/read-failure-before-{name}" for name in REQUEST_LINES]
    assert [len(requests(name)) for name in names] == [4, 3, 2, 1]


def test_cases_that_would_disturb_others_are_run_alone() -> None:
    alone = {case.name.removeprefix("network/") for case in all_cases(silence=1.0) if case.alone}
    together = {"many-clients", "at-once", "silent-clients", "half-requests", "lost-clients"}
    assert alone == {*together, "silence", "time/depths"}


def test_every_rule_has_its_german() -> None:
    cases = all_cases(silence=1.0, strength=True)
    assert all(in_language(case.rule, "de") != case.rule for case in cases)
