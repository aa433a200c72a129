"""Every text of the interface in every language, and the choice of a language.

The texts stand in `texts/LANGUAGE/AREA.json`, those of a game in its `page/words.LANGUAGE.json`; a
text is named `AREA.NAME` or `GAME.NAME`, and both languages have the same names. The scripts of the
pages read the same files. The sentences that servers and rules say, `said.CODE`, are the messages
of the whole program (`messages.py`); some words on contests, `contest.NAME`, are those of the
reports (`contests/words.py`).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from spielwerk import messages
from spielwerk.contests import words as reports
from spielwerk.games import kits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable
    from typing import Any

    from starlette.requests import Request

LANGUAGES: Final = ("de", "en")
OTHERWISE: Final = "en"
COOKIE: Final = "language"


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """All texts of a language by name."""
    said = {f"said.{code}": text for code, text in messages.by_code(language).items()}
    shared = {f"contest.{name}": text for name, text in reports.shared(language).items()}
    own = {
        f"{area}.{name}": text
        for area, file in _files(language)
        for name, text in json.loads(file.read_text(encoding="utf-8")).items()
    }
    return {**said, **shared, **own}


def _files(language: str) -> Iterator[tuple[str, Traversable]]:
    """The files of a language, each with the area that its names begin with."""
    for file in files("spielwerk.web").joinpath("texts", language).iterdir():
        if file.name.endswith(".json"):
            yield file.name.removesuffix(".json"), file
    for kit in kits().values():
        words = kit.page.joinpath(f"words.{language}.json")
        if words.is_file():
            yield kit.name, words


def catalogue_file(language: str) -> bytes:
    """The texts as the pages' scripts read them."""
    return json.dumps(catalogue(language), ensure_ascii=False, sort_keys=True).encode()


def refusal(sentence: str) -> dict[str, Any]:
    """The body of an answer that says no: the sentence for programs, and its code for pages."""
    return {"error": sentence, "said": messages.coded(sentence)}


def language_of(request: Request) -> str:
    """What the person has chosen, else the first language of the browser that we speak."""
    chosen = request.query_params.get("lang") or request.cookies.get(COOKIE, "")
    if chosen in LANGUAGES:
        return chosen
    return next(
        (tag for tag in _preferred(request.headers.get("accept-language", "")) if tag in LANGUAGES),
        OTHERWISE,
    )


def _preferred(header: str) -> list[str]:
    """The languages of an Accept-Language header, the most wanted first."""
    weighted = []
    for part in header.split(","):
        tag, _, quality = part.strip().partition(";q=")
        try:
            weighted.append((float(quality or 1), tag.partition("-")[0].lower()))
        except ValueError:
            continue
    return [tag for _, tag in sorted(weighted, key=lambda pair: -pair[0])]
