"""Small values that are kept by name: secrets that are made once, and notes about contests."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select

from spielwerk.store.schema import keys

if TYPE_CHECKING:
    from collections.abc import Iterable

    from spielwerk.store.opening import Readable, Store

LENGTH: Final = 32  # bytes


def secret(store: Store, name: str) -> bytes:
    """The secret of this name; made and kept when it is asked for the first time."""
    with store.writing() as connection:
        value = connection.scalar(select(keys.c.value).where(keys.c.name == name))
        if value is None:
            value = secrets.token_hex(LENGTH)
            connection.execute(insert(keys).values(name=name, value=value))
    return bytes.fromhex(value)


def get(store: Readable, name: str) -> str | None:
    """The value of this name, if there is one."""
    with store.reading() as connection:
        return connection.scalar(select(keys.c.value).where(keys.c.name == name))


def put(store: Store, name: str, value: str) -> None:
    """Keep the value under this name, in place of what was there."""
    with store.writing() as connection:
        connection.execute(delete(keys).where(keys.c.name == name))
        connection.execute(insert(keys).values(name=name, value=value))


def drop(store: Store, name: str) -> None:
    """Forget the value of this name."""
    with store.writing() as connection:
        connection.execute(delete(keys).where(keys.c.name == name))


def replaced(store: Readable, contest: str) -> tuple[str, ...]:
    """The entrants whose programs were replaced while this contest was played, by name.

    Its results say less about them.
    """
    return tuple(json.loads(get(store, f"replaced:{contest}") or "[]"))


def note_replaced(store: Store, contest: str, names: Iterable[str]) -> None:
    """Keep that the programs of these entrants, too, were replaced."""
    known = replaced(store, contest)
    new = [name for name in names if name not in known]
    if new:
        put(store, f"replaced:{contest}", json.dumps([*known, *new]))
