"""Addresses as people read and type them."""

from __future__ import annotations

import pytest

from spielwerk.errors import NotationError
from spielwerk.net.addresses import ANY_PORT, EVERYWHERE, PORTS, Endpoint, reachable, written


@pytest.mark.parametrize(
    ("host", "text"),
    [("localhost", "localhost:80"), ("127.0.0.1", "127.0.0.1:80"), ("::1", "[::1]:80")],
)
def test_an_ipv6_address_stands_in_brackets(host: str, text: str) -> None:
    assert written(host, 80) == text


@pytest.mark.parametrize(
    ("bound", "found"),
    [*EVERYWHERE.items(), ("192.0.2.1", "192.0.2.1"), ("::1", "::1")],
)
def test_who_listens_everywhere_is_found_on_this_machine(bound: str, found: str) -> None:
    assert reachable(bound) == found


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("localhost", "localhost", 80),
        ("localhost:1", "localhost", 1),
        ("127.0.0.1:65535", "127.0.0.1", 65535),
        ("[::1]", "::1", 80),
        ("[::1]:90", "::1", 90),
    ],
)
def test_host_and_port_are_read(text: str, host: str, port: int) -> None:
    assert Endpoint.parse(text, 80) == (host, port)


@pytest.mark.parametrize(
    ("text", "ports", "problem"),
    [
        ("", PORTS, "expected HOST:PORT or [IPV6]:PORT"),
        ("a b:1", PORTS, "expected HOST:PORT or [IPV6]:PORT"),
        ("a\x07", PORTS, "expected HOST:PORT or [IPV6]:PORT"),
        ("[name]:1", PORTS, "'name' is no IPv6 address, and only those stand in brackets"),
        ("a:0", PORTS, "'0' is no port: they go from 1 to 65535"),
        ("a:65536", ANY_PORT, "'65536' is no port: they go from 0 to 65535"),
        ("a:01", PORTS, "'01' is no port: they go from 1 to 65535"),
        ("::1", PORTS, "expected HOST:PORT or [IPV6]:PORT"),
        ("a::1", PORTS, "':1' is no port: they go from 1 to 65535; an IPv6 address stands in"),
    ],
)
def test_other_texts_are_refused_with_the_problem(text: str, ports: range, problem: str) -> None:
    with pytest.raises(NotationError) as refused:
        Endpoint.parse(text, 80, ports)
    assert refused.value.problem.startswith(problem)


def test_zero_is_a_port_where_the_system_may_choose() -> None:
    assert Endpoint.parse("a:0", 80, ANY_PORT) == ("a", 0)
