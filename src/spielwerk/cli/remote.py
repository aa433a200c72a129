"""A running server's games: asked for through its API, and shown in the terminal.

What comes from a server may come from any program: nothing of it reaches the terminal unescaped.
"""

from __future__ import annotations

import http.client
import json
import re
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from rich.text import Text

from spielwerk.errors import UsageError, cause, printable, quote
from spielwerk.games import find_game
from spielwerk.terminal.boards import draw, fitted
from spielwerk.terminal.commands import CommandFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE: Final = 30.0  # seconds; the first use of an engine takes a while
LARGEST: Final = 64_000_000

_LINE: Final = re.compile(r"(?:[^\\]|\\[^n])*?\\n|.+")  # up to a visible newline
_NEWLINE: Final = "\\n"
_ARROWS: Final = {"received": "<", "sent": ">"}


class Remote:
    """A server by its address."""

    def __init__(self, server: str, token: str = "") -> None:
        self.url = (server if "://" in server else f"http://{server}").rstrip("/")
        if urlsplit(self.url).scheme not in ("http", "https"):
            raise UsageError(f"--server {quote(server)}: expected http://HOST:PORT")
        if not (token.isascii() and token.isprintable()):
            raise UsageError("--token: this is not an operator token, which has only plain letters")
        self._token = token

    def get(self, path: str) -> dict[str, Any]:
        """What is there."""
        return self._ask(Request(f"{self.url}{path}"))  # noqa: S310 - checked above

    def post(self, path: str, value: dict[str, Any]) -> dict[str, Any]:
        """What the server answers to this."""
        return self._ask(Request(f"{self.url}{path}", json.dumps(value).encode()))  # noqa: S310

    def _ask(self, request: Request) -> dict[str, Any]:
        opener = build_opener(ProxyHandler({}))
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        try:
            with opener.open(request, timeout=PATIENCE) as answer, understood(self):
                return _object(answer.read(LARGEST))
        except HTTPError as error:
            with error:
                self._refused(error)
        except (URLError, OSError, http.client.HTTPException, ValueError) as error:
            inner = error.reason if isinstance(error, URLError) else error
            reason = cause(inner) if isinstance(inner, BaseException) else inner
            raise CommandFailed(
                f"no server at {self.url}: {printable(reason)}; is `spielwerk serve` running there?"
            ) from None

    def _refused(self, error: HTTPError) -> NoReturn:
        try:
            sentence = printable(str(_object(error.read(LARGEST))["error"]))
        except (ValueError, KeyError, TypeError, OSError, RecursionError):
            sentence = (
                f"it answers {error.code} {printable(error.reason)}; is it a Spielwerk server?"
            )
        if error.code == 400:
            raise UsageError(sentence)
        raise CommandFailed(f"{self.url}: {sentence}")


@contextmanager
def understood(remote: Remote) -> Iterator[None]:
    """Whatever an answer has instead of what we expect is one line."""
    try:
        yield
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        problem = f"{remote.url} answers what is not understood; is it a Spielwerk server?"
        raise CommandFailed(problem) from None


def _object(body: bytes) -> dict[str, Any]:
    value = json.loads(body)
    if not isinstance(value, dict):
        raise TypeError("expected an object")
    return value


# games, as they are shown


def line(game: dict[str, Any]) -> str:
    """A game in a list."""
    names = " - ".join(seat["name"] for seat in game["seats"])
    result = game["result"]["reason"] if game["result"] else "unfinished"
    created, moves = _moment(game["created"]), int(game["moves"])
    return printable(
        f"{game['id']:13}  {created}  {game['game']:8}  {moves:3} moves  "
        f"{result:15}  {game['name']}: {names}"
    )


def pictured(game: dict[str, Any], encoding: str) -> Iterator[Text]:
    """A whole game."""
    options = " ".join(game["options"])
    yield _text(f"{game['name']}: {game['game']} {options}")
    more = [f"{name} {value}" for name, value in game["wire"].items()]
    more += ["tournament"] if game["tournament"] else []
    made = f"created {_moment(game['created'])}"
    yield _text(", ".join([made, *_limits(game), *more]))
    if start := game.get("start"):
        yield _text(f"started from {start}")
    for number, seat in enumerate(game["seats"]):
        yield _text(f"  seat {number}: {seat['name']} ({_occupancy(seat, live=game['live'])})")
    for move in game["moves"]:
        who = game["seats"][move["seat"]]["name"] if move["seat"] >= 0 else "chance"
        took = f"{move['took'] / 1000:8.3f} s" if move["seat"] >= 0 else ""
        helped = _helped(int(move.get("hints", 0)))
        yield _text(f"{int(move['number']) + 1:4}. {who}: {move['move']}  {took}{helped}".rstrip())
    yield _board(game, encoding)
    yield _text(_result(game))


def _helped(hints: int) -> str:
    return f"  ({hints} hint{'s' if hints > 1 else ''})" if hints else ""


def _limits(game: dict[str, Any]) -> Iterator[str]:
    """How long players may take, as `games new` is told it."""
    time, increment = int(game["clock"]["time"]), int(game["clock"]["increment"])
    if time:
        yield f"clock {time / 60_000:g}+{increment / 1000:g}"
    if game["timeout"] or not time:
        yield f"{int(game['timeout'])} ms a move"


def _occupancy(seat: dict[str, Any], *, live: bool) -> str:
    kind = f"engine {seat['engine']}" if "engine" in seat else seat["kind"]
    if not live or seat["kind"] == "engine":
        return str(kind)
    return f"{kind}, {'there' if seat.get('ready') else 'not there'}"


def _board(game: dict[str, Any], encoding: str) -> Text:
    if game["position"] is None:
        return Text("(a position that these rules cannot show)")
    state = find_game(game["game"]).from_text(game["options"]).parse_state(game["position"])
    return fitted(Text.assemble("\n", draw(state), "\n"), encoding)


def _result(game: dict[str, Any]) -> str:
    result = game["result"]
    if result is None:
        return "The game is not over."
    winner = result["winner"]
    who = "No one wins" if winner is None else f"{game['seats'][winner]['name']} wins"
    return f"{who}: {result['reason']} ({result['detail']})"


def connection(wire: dict[str, Any]) -> Iterator[Text]:
    """What was said on a connection: the time, who, and what, with everything visible.

    Pieces are as they were written or came; a piece of several lines has its time only once.
    """
    seat = "no seat" if wire["seat"] is None else f"seat {int(wire['seat'])}"
    state = ", still open" if wire["open"] else ""
    yield Text("")
    yield _text(f"{seat}, {wire['service']} from {wire['peer']}, {_moment(wire['opened'])}{state}")
    for piece in wire["traffic"]:
        if piece["direction"] == "left out":
            yield _text(f"{'':10} ... {piece['text']} bytes left out")
            continue
        arrow, at = _ARROWS[piece["direction"]], f"{piece['at'] / 1000:10.3f}"
        for number, text in enumerate(_LINE.findall(piece["text"])):
            yield _text(f"{at if number == 0 else '':10} {arrow} {text}")


def session(wires: list[dict[str, Any]]) -> Iterator[Text]:
    """What was said by and to all seats, in order, as a course's sheet writes it: `0> TURN`.

    Connections that never had a seat are left out.
    """
    pieces = [
        (wire["opened"] + piece["at"], int(wire["seat"]), piece)
        for wire in wires
        if wire["seat"] is not None
        for piece in wire["traffic"]
        if piece["direction"] in _ARROWS
    ]
    for _, seat, piece in sorted(pieces, key=lambda item: item[0]):
        for text in _LINE.findall(piece["text"]):
            yield _text(f"{seat}{_ARROWS[piece['direction']]} {text.removesuffix(_NEWLINE)}")


def _text(text: str) -> Text:
    return Text(printable(text))


def _moment(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
