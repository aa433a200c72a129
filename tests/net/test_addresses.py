"""Addresses as people read and type them."""

from __future__ import annotations

import pytest

from spielwerk.net.addresses import EVERYWHERE, reachable, written


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
