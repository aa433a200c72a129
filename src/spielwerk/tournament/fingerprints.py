"""What the entrants' programs are, in a few letters each: a competition is played with those alone.

The fingerprint covers the files that a command names and all of an entrant's folder, not what such
a program uses of the system.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from spielwerk.store.contest_records import Kind
from spielwerk.tournament.commands import split

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spielwerk.tournament.contest import Contest, Entrant


def fingerprints(contest: Contest) -> dict[str, str]:
    """The fingerprint of every entrant that is a program, by its name."""
    base = contest.base or Path()
    programs = (entrant for entrant in contest.entrants if entrant.kind is Kind.COMMAND)
    return {entrant.name: _fingerprint(entrant, base) for entrant in programs}


def changed(kept: dict[str, str], contest: Contest) -> list[str]:
    """The entrants whose programs are not any more what they were; sorted, so always the same."""
    now = fingerprints(contest)
    return sorted(name for name, fingerprint in kept.items() if now.get(name) != fingerprint)


def _fingerprint(entrant: Entrant, base: Path) -> str:
    whole = hashlib.sha256()
    for path in _files(entrant, base):
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        whole.update(f"{path.name} {content}\n".encode(errors="surrogateescape"))
    return whole.hexdigest()


def _files(entrant: Entrant, base: Path) -> Iterator[Path]:
    """The files, in an order that does not depend on where the folder is."""
    place = Path(entrant.folder) if entrant.folder else base
    for word in split(entrant.text):
        path = place / word.replace("{folder}", str(base)).replace("{name}", entrant.name)
        if "{" not in str(path) and path.is_file():
            yield path
    if entrant.folder:
        for parent, folders, files in os.walk(entrant.folder):
            folders.sort()
            yield from (path for name in sorted(files) if (path := Path(parent, name)).is_file())
