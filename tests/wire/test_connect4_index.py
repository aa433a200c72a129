"""The index server's list, its requests and its heartbeats, with a clock of our own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
)

from spielwerk.wire.connect4.index import (
    NO_SUCH_GAME,
    NOT_KEPT,
    Change,
    Entry,
    Index,
    IndexLimits,
    Reply,
    read_guid,
)
from spielwerk.wire.connect4.initiators import InitiatorKey
from spielwerk.wire.connect4.messages import GAME_LIST, Status, message, write_message
from tests.wire.indexing import DOCUMENT, OWNER, UNKNOWN, Server, guid, guids

# requests and their answers


def test_the_documents_example() -> None:
    server = Server()
    assert server.ask(DOCUMENT) == f"register_success;{guid(1)}"
    game = "martin;martin's game;7;6;4;198.78.202.118;80"
    assert server.ask("request_game_list") == f"answer_game_list;1;Open;{game}"
    assert server.ask(f"seal_game;{guid(1)}") == "seal_game_success"
    assert server.ask("request_game_list") == f"answer_game_list;1;Sealed;{game}"
    assert server.ask(f"unregister_game;{guid(1)}") == "unregister_game_success"
    assert server.ask("request_game_list") == "answer_game_list;0"


def test_a_name_is_unique_while_it_is_registered() -> None:
    server = Server()
    key = server.register("mine")
    answer = server.reply("register_game;bob;mine;4;4;4;10.0.0.2;81", "10.0.0.2")
    assert answer.line == b"register_failed;a game with the name 'mine' is registered already\n"
    assert answer.refused
    assert not answer.last
    server.ask(f"unregister_game;{key}")
    assert server.register("mine") != key


def test_accents_make_no_second_name() -> None:
    server = Server()
    server.register("Zo\u00eb")
    answer = server.ask("register_game;a;Zoe\u0308;7;6;0;host;80")
    assert answer.startswith("register_failed;a game with the name 'Zoe\u0308'")
    server.register("zo\u00eb")  # another name is another name


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("register_game;;b;7;6;4;host;80", "the player is empty"),
        ("register_game;a; ;7;6;4;host;80", "the game name is empty"),
        ("register_game;a;b\tc;7;6;4;host;80", "the game name has the control character U+0009"),
        ("register_game;a\u202ec;b;7;6;4;host;80", "the player has the control character U+202E"),
        (f"register_game;a;{'b' * 101};7;6;4;host;80", "has 101 characters, 100 are allowed"),
        ("register_game;a;b;0;6;4;host;80", "the width is 0, it goes from 1 to 255"),
        ("register_game;a;b;7;6;256;host;80", "the depth is 256, it goes from 0 to 255"),
        ("register_game;a;b;7;6;4;;80", "the address is empty"),
        ("register_game;a;b;7;6;4;my host;80", "address 'my host' has a blank"),
        (f"register_game;a;b;7;6;4;{'h' * 256};80", "the address has 256 characters"),
        ("register_game;a;b;7;6;4;host;0", "the port is 0, it goes from 1 to 65535"),
        ("register_game;a;b;7;6;4;host", "register_game takes 7 parameters, 6 came"),
    ],
)
def test_a_registration_that_does_not_fit_is_refused_with_the_reason(
    line: str, problem: str
) -> None:
    server = Server()
    answer = server.reply(line)
    assert answer.line.decode().startswith("register_failed;")
    assert problem in answer.line.decode()
    assert problem in answer.refused
    assert not answer.last
    assert server.names() == []


@pytest.mark.parametrize("request_", ["seal_game", "unregister_game"])
@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        (f";{UNKNOWN}", NO_SUCH_GAME),
        (";", "'' is no GUID"),
        (";1", "'1' is no GUID: 8-4-4-4-12 hexadecimal digits"),
        (f";{UNKNOWN.replace('-', '')}", "is no GUID"),
        (f";{UNKNOWN};{UNKNOWN}", "takes 1 parameter, 2 came"),
    ],
)
def test_who_has_not_the_guid_can_change_nothing(
    request_: str, parameters: str, problem: str
) -> None:
    server = Server()
    server.register("mine")
    answer = server.reply(f"{request_}{parameters}")
    assert answer.line.decode().startswith(f"{request_}_failed;")
    assert problem in answer.line.decode()
    assert answer.refused
    assert not answer.last
    assert [entry.status for entry in server.index.entries] == [Status.OPEN]


@pytest.mark.parametrize("write", [str.upper, str.lower, "{{{}}}".format])
def test_guids_are_read_in_any_case_and_with_braces(write: Callable[[str], str]) -> None:
    server = Server()
    server.register("mine")
    key = guid(1).replace("0000-4000", "abcd-4000")
    assert read_guid(write(key)) == key
    assert server.ask(f"seal_game;{write(guid(1))}") == "seal_game_success"
    assert server.ask(f"unregister_game;{write(guid(1))}") == "unregister_game_success"


def test_the_variant_spells_two_answers_otherwise() -> None:
    server = Server(variant=True)
    assert server.ask(DOCUMENT) == f"register_game_success;{guid(1)}"
    assert server.ask(DOCUMENT).startswith("register_game_failed;")
    assert server.ask(f"seal_game;{guid(1)}") == "seal_game_success"
    assert server.ask(f"unregister_game;{guid(1)}") == "unregister_game_success"
    assert server.ask(f"unregister_game;{guid(1)}").startswith("unregister_game_failed;")
    assert server.ask("request_game_list") == "answer_game_list;0"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("hello", "error;'hello' is no message"),
        ("GET / HTTP/1.1", "error;'GET / HTTP/1.1' is no message"),
        ("request_game_list;all", "error;request_game_list takes 0 parameters, 1 came"),
        ("heartbeat", "error;a heartbeat is a datagram (UDP) to the same port"),
        ("start_game", "error;start_game is nothing that an index server is asked"),
        ("answer_game_list;0", "error;answer_game_list is nothing that an index server is asked"),
    ],
)
def test_what_has_no_failure_of_its_own_is_an_error_but_not_the_end(line: str, answer: str) -> None:
    reply = Server().reply(line)
    assert reply.line.decode() == f"{answer}\n"
    assert not reply.last
    assert not reply.answers_request


def test_what_is_no_text_is_the_end() -> None:
    reply = Server().reply(b"h\xff\xfello")
    assert reply.line == rb"error;'h\xff\xfello' is no UTF-8" + b"\n"  # escaped once
    assert reply.last


@pytest.mark.parametrize(
    ("line", "failure"),
    [("join_game;a;b;V2", "join_game_failed;"), ("move;3", "moved_failed;")],
)
def test_who_takes_us_for_a_host_is_told_in_the_hosts_words(line: str, failure: str) -> None:
    assert Server().ask(line).startswith(failure)


@pytest.mark.parametrize("line", ["", "\r", " ", "\0\0"])
def test_empty_lines_are_overlooked(line: str) -> None:
    assert Server().handle(line) is None


# limits


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"entries_each": 2}, f"{OWNER} has 2 games in the list, which is the most"),
        ({"entries": 2}, "the list is full: there are 2 games in it"),
    ],
)
def test_a_host_has_only_so_many_games_and_the_list_so_much_room(
    limits: dict[str, Any], problem: str
) -> None:
    server = Server(**limits)
    keys = [server.register(name) for name in "ab"]
    assert server.ask("register_game;a;c;7;6;0;host;80") == f"register_failed;{problem}"
    if "entries_each" in limits:
        server.register("other", owner="10.0.0.2")
    server.ask(f"unregister_game;{keys[0]}")
    server.register("d")


# what is not kept has not happened


def test_nobody_sees_a_game_before_it_is_kept_but_its_name_is_taken() -> None:
    server = Server()
    change = server.change(DOCUMENT)
    assert server.names() == []
    assert server.ask(DOCUMENT).startswith("register_failed;a game with the name")
    assert server.ask(f"seal_game;{guid(1)}") == f"seal_game_failed;{NO_SUCH_GAME}"
    assert server.index.settle(change, server.now).line.startswith(b"register_success;")
    assert server.names() == ["martin's game"]


def test_a_registration_that_is_not_kept_leaves_nothing() -> None:
    server = Server()
    reply = server.index.give_up(server.change(DOCUMENT))
    assert reply.line == f"register_failed;{NOT_KEPT}\n".encode()
    assert server.names() == []
    assert server.wait(100) == []
    assert server.ask(DOCUMENT) == f"register_success;{guid(2)}"


@pytest.mark.parametrize("request_", ["seal_game", "unregister_game"])
def test_a_change_that_is_not_kept_leaves_the_game(request_: str) -> None:
    server = Server()
    key = server.register("mine")
    before = server.index.entries
    change = server.change(f"{request_};{key}")
    assert server.index.entries == before
    if request_ == "unregister_game":  # a game that is about to leave cannot be asked for
        assert server.ask(f"seal_game;{key}") == f"seal_game_failed;{NO_SUCH_GAME}"
    assert server.index.give_up(change).line == f"{request_}_failed;{NOT_KEPT}\n".encode()
    assert server.index.entries == before
    assert server.ask(f"{request_};{key}") == f"{request_}_success"


@pytest.mark.parametrize(
    ("request_", "answer"),
    [("seal_game", b"seal_game_failed;"), ("unregister_game", b"unregister_game_success\n")],
)
def test_a_game_that_falls_away_while_it_is_changed(request_: str, answer: bytes) -> None:
    server = Server()
    change = server.change(f"{request_};{server.register('mine')}")
    server.wait(61)
    server.register("mine")  # another one, which stays
    assert server.index.settle(change, server.now).line.startswith(answer)
    assert server.names() == ["mine"]


# after a restart


def entry(number: int, name: str = "", **facts: Any) -> Entry:
    return Entry(
        guid(number), "anna", name or f"game {number}", 7, 6, 4, "10.0.0.1", 80, OWNER, **facts
    )


def test_a_list_that_was_kept_is_taken_up() -> None:
    server = Server()
    entries = [entry(101), entry(102, status=Status.SEALED)]
    server.index.restore(entries, server.now)
    assert server.index.entries == entries
    assert server.ask("register_game;a;game 101;7;6;0;host;80").startswith("register_failed;")
    assert server.ask(f"unregister_game;{guid(102)}") == "unregister_game_success"
    server.wait(59)
    assert server.names() == ["game 101"]
    server.wait(1)
    assert server.names() == []


def test_after_a_restart_heartbeats_count_and_are_sent() -> None:
    server = Server()
    entries = [replace(entry(number), port=number) for number in range(1, 21)]
    server.index.restore(entries, server.now)
    assert len(server.wait(4.5)) == 10  # not all at once
    assert len(server.wait(5)) == 10
    assert server.heartbeat("10.0.0.1", 7) is None
    server.wait(59)
    assert server.names() == ["game 7"]


def test_of_two_kept_games_with_one_name_the_later_one_counts() -> None:
    server = Server()
    server.index.restore([entry(101, "mine"), entry(102), entry(103, "mine")], server.now)
    assert {one.guid for one in server.index.entries} == {guid(102), guid(103)}
    server.ask(f"unregister_game;{guid(103)}")
    server.register("mine")


# everything in any order

NAMES = st.sampled_from(["a", "b", "c", "d"])
HOSTS = st.sampled_from(["10.0.0.1", "10.0.0.2"])
PORTS = st.sampled_from([80, 81])


class AnyOrder(RuleBasedStateMachine):
    """The index against a model: a dictionary by name, and when each initiator was last heard."""

    keys: Bundle[str] = Bundle("keys")
    changes: Bundle[Any] = Bundle("changes")

    def __init__(self) -> None:
        super().__init__()
        self.new_guid = guids()
        self.server = Server(entries=5, entries_each=4)
        self.server.index._new_guid = self.new_guid
        self.model: dict[str, Entry] = {}  # by GUID
        self.pending: dict[str, Entry] = {}
        self.leaving: set[str] = set()
        self.heard: dict[InitiatorKey, float] = {}
        self.era = 0  # changes of before a restart are nobody's any more

    def sign(self, key: str) -> None:
        self.heard[self.model[key].initiator] = self.server.now

    @rule(target=changes, name=NAMES, owner=HOSTS, address=HOSTS, port=PORTS)
    def register(self, name: str, owner: str, address: str, port: int) -> Any:
        taken = [*self.model.values(), *self.pending.values()]
        room = len(taken) < 5 and sum(one.owner == owner for one in taken) < 4
        line = f"register_game;p;{name};7;6;4;{address};{port}"
        outcome = self.server.handle(line, owner)
        if name in {one.name for one in taken} or not room:
            assert isinstance(outcome, Reply)
            assert outcome.line.startswith(b"register_failed;")
            return multiple()
        assert isinstance(outcome, Change)
        expected = Entry(outcome.entry.guid, "p", name, 7, 6, 4, address, port, owner)
        assert outcome.entry == expected
        self.pending[expected.guid] = expected
        return self.era, outcome

    @rule(target=changes, key=keys | st.just(UNKNOWN), seal=st.booleans())
    def change(self, key: str, seal: bool) -> Any:
        request = "seal_game" if seal else "unregister_game"
        outcome = self.server.handle(f"{request};{key}")
        if key not in self.model or key in self.leaving:
            assert isinstance(outcome, Reply)
            assert outcome.line.startswith(f"{request}_failed;".encode())
            return multiple()
        self.sign(key)
        if seal and self.model[key].status is Status.SEALED:
            assert isinstance(outcome, Reply)
            assert outcome.line == b"seal_game_success\n"
            return multiple()
        assert isinstance(outcome, Change)
        if not seal:
            self.leaving.add(key)
        return self.era, outcome

    @rule(target=keys, made=consumes(changes))
    def settle(self, made: tuple[int, Change]) -> Any:
        """In the order of their requests or not: the index does not depend on it."""
        era, change = made
        if era != self.era:
            return multiple()
        key, reply = change.entry.guid, self.server.index.settle(change, self.server.now)
        if change.request == "register_game":
            assert reply.line == f"register_success;{key}\n".encode()
            self.model[key] = self.pending.pop(key)
            self.sign(key)
            return key
        if change.request == "seal_game" and key in self.model:
            assert reply.line == b"seal_game_success\n"
            self.model[key] = replace(self.model[key], status=Status.SEALED)
        elif change.request == "seal_game":
            assert reply.line.startswith(b"seal_game_failed;")
        elif change.request == "unregister_game":
            assert reply.line == b"unregister_game_success\n"
            self.model.pop(key, None)
            self.leaving.discard(key)
        return multiple()

    @rule(made=consumes(changes))
    def give_up(self, made: tuple[int, Change]) -> None:
        era, change = made
        if era != self.era:
            return
        reply = self.server.index.give_up(change)
        assert reply.line.endswith(f"_failed;{NOT_KEPT}\n".encode())
        self.pending.pop(change.entry.guid, None)
        if change.request == "unregister_game":
            self.leaving.discard(change.entry.guid)

    @rule(host=HOSTS | st.just("10.6.6.6"), port=PORTS | st.just(79))
    def heartbeat(self, host: str, port: int) -> None:
        owners = {one.initiator for one in self.model.values()}
        known = [one for one in owners if port == one.port and host in (one.address, one.owner)]
        self.heard |= dict.fromkeys(known, self.server.now)
        problem = self.server.heartbeat(host, port)
        assert problem == (None if known else "unknown initiator")

    @rule(host=HOSTS, port=PORTS, data=st.binary(max_size=20))
    def noise(self, host: str, port: int, data: bytes) -> None:
        assert self.server.heartbeat(host, port, b"x" + data) == "no heartbeat"

    @rule(line=st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")))
    def nonsense(self, line: bytes) -> None:
        assert not isinstance(self.server.handle(line), Change)

    @rule(seconds=st.sampled_from([0.5, 5.0, 20.0, 59.5, 60.0]))
    def wait(self, seconds: float) -> None:
        self.server.wait(seconds)
        for key, one in [*self.model.items()]:
            if self.server.now - self.heard[one.initiator] >= 60:
                del self.model[key]
                self.leaving.discard(key)

    @rule(pending=st.data())
    def restart(self, pending: st.DataObject) -> None:
        """What was being written may have been written; nobody was told either way."""
        written = [one for one in self.pending.values() if pending.draw(st.booleans())]
        now, self.server = self.server.now, Server(entries=5, entries_each=4)
        self.server.now = now + 1000
        self.server.index = Index(
            self.new_guid, self.server.now, IndexLimits(entries=5, entries_each=4)
        )
        self.model |= {one.guid: one for one in written}
        self.server.index.restore([*self.model.values()], self.server.now)
        self.pending, self.leaving = {}, set()
        self.heard = {one.initiator: self.server.now for one in self.model.values()}
        self.era += 1

    @invariant()
    def the_list_is_the_models(self) -> None:
        assert sorted(self.server.names()) == sorted(one.name for one in self.model.values())
        assert {one.guid: one for one in self.server.index.entries} == self.model

    @invariant()
    def nothing_is_left_behind(self) -> None:
        initiators = {one.initiator for one in self.model.values()}
        assert self.server.index.initiators == len(initiators)
        sources = self.server.index._initiators._by_source
        assert {one.identity for known in sources.values() for one in known} == initiators
        assert len(self.server.index._names) == len(self.model) + len(self.pending)
        assert self.server.index._owners.total() == len(self.model) + len(self.pending)

    @invariant()
    def the_list_is_written_as_messages_are(self) -> None:
        games = tuple(one.listed() for one in self.server.index.entries)
        answer = self.server.reply("request_game_list").line
        assert answer == write_message(message(GAME_LIST, games))


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=30)
