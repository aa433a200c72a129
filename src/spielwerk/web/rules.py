"""The rules of a game, for people: Markdown in its folder, with boards for pictures.

A game's `page/` may have `rules.de.md` and `rules.en.md`. A picture is a fenced block, whose first
line may have options of the game:

    ```board width=4 height=4
    position: ..../..../..../12..
    move: 2
    caption: The stone falls onto field 2.
    ```

`position` is the game's own text, the start if it is missing; `move` is played there and marked;
`hint` is advised; `choices: yes` marks what may be played. The page shows it on the game's board.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markdown_it import MarkdownIt
from markupsafe import Markup

from spielwerk.errors import NotationError
from spielwerk.games import find_kit
from spielwerk.web import views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

PICTURE: Final = "board"
LINES: Final = ("position", "move", "hint", "choices", "caption")


@cache
def rules(game: str, language: str) -> Markup:
    """The rules as HTML; pictures are figures with what a board needs to show them."""
    text = find_kit(game).page.joinpath(f"rules.{language}.md").read_text(encoding="utf-8")
    markdown = MarkdownIt("commonmark", {"html": False})
    markdown.add_render_rule("fence", _fence)
    return Markup(markdown.render(text, {"game": game}))  # noqa: S704 - our own text, without HTML


def _fence(
    _renderer: RendererHTML,
    tokens: Sequence[Token],
    number: int,
    _options: OptionsDict,
    env: EnvType,
) -> str:
    """A picture; anything else in a fence is text."""
    kind, *options = tokens[number].info.split()
    content = tokens[number].content
    if kind != PICTURE:
        return Markup("<pre>{}</pre>\n").format(content)
    shown, caption = picture(env["game"], options, content)
    return Markup(
        '<figure class="picture" data-board="{}"><figcaption>{}</figcaption></figure>\n'
    ).format(json.dumps(shown), caption)


def picture(game: str, options: Sequence[str], content: str) -> tuple[dict[str, Any], str]:
    """What a board is shown, and the caption; NotationError for what the game cannot read."""
    lines = dict(line.split(": ", 1) for line in content.splitlines())
    if unknown := set(lines) - set(LINES):
        raise NotationError("picture", content, f"{unknown} are none of {', '.join(LINES)}")
    rule = find_kit(game).game.from_text(options)
    state = rule.parse_state(lines["position"]) if "position" in lines else rule.start()
    last = None
    if "move" in lines:
        last = views.tried_ply(1, state, rule.parse_move(lines["move"]))
    view = last.pop("view") if last else views.view(state)
    shown = {"game": game, "options": views.options(options), "view": view, "last": last}
    return shown | {name: lines.get(name) for name in ("hint", "choices")}, lines["caption"]
