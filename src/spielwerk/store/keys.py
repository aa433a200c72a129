"""Secrets that the server makes once and must know again after a restart."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final

from sqlalchemy import insert, select

from spielwerk.store.schema import keys

if TYPE_CHECKING:
    from spielwerk.store.owned import Store

LENGTH: Final = 32  # bytes


def secret(store: Store, name: str) -> bytes:
    """The secret of this name; made and kept when it is asked for the first time."""
    with store.writing() as connection:
        value = connection.scalar(select(keys.c.value).where(keys.c.name == name))
        if value is None:
            value = secrets.token_hex(LENGTH)
            connection.execute(insert(keys).values(name=name, value=value))
    return bytes.fromhex(value)
