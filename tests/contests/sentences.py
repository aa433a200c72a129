"""Every sentence that the rules, the protocols and the runners can say about the end of a game.

They are collected from the code itself, so that none can be added and stay English on the pages.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import spielwerk
from spielwerk.messages import said

SOURCE: Final = Path(spielwerk.__file__).parent

RULES: Final = tuple(
    f"games/{game}/rules.py" for game in ("connect4", "dice", "morris", "oware", "quarto")
)

ELSEWHERE: Final = {
    "seats/open.py",  # told when a contest begins, or to guests and nowhere else
    "playing/facilities.py",
    "programs/sandbox.py",  # tried before anything is played
}
MODULES: Final = (
    *("wire/mnm/words.py", "wire/dice/words.py", "wire/oware.py"),
    *("wire/connect4/host.py", "wire/connect4/join.py"),
    *("wire/connect4/messages.py", "servers/sessions.py", "servers/mnm.py", "servers/dice.py"),
    *("clients/connect4/session.py", "clients/connect4/join.py", "clients/oware.py"),
    *("tables/engines.py", "tables/occupants.py", "contests/commands.py"),
    *("contests/agenda.py", "contests/pool.py", "contests/worker.py"),
    *(
        str(file.relative_to(SOURCE))
        for folder in ("playing", "programs")
        for file in sorted((SOURCE / "contests" / folder).rglob("*.py"))
        if not str(file).endswith(tuple(ELSEWHERE))
    ),
)
"""Where these sentences are made."""

NEVER_AN_END: Final = {
    # what the protocols say to those who did nothing wrong, or to the culprit alone
    "Client version accepted - please send Game-ID to join",
    "Already happy with your AI?",
    "MNM Gameserver v{} accepting connections",
    "Your turn!",
    "train mode",
    "contest mode",
    "HELO This is the SYSPROG dice game server (v{} [{}]). Welcome player!",
    "WIN You win, because you have reached {} points or more first.",
    "DEF You lose, because another player has reached {} points or more first.",
    "rounds have passed without a winner, the game is broken off.",
    "Your answer is too late: {} was due within {} s.",
    "{} is no name: 1 to 80 letters or digits.",
    "Your line is longer than {} characters.",
    "You sent more than {} characters that nobody asked for.",
    "Wrong points in BYE: you said {}, right is '{}'.",
    "The game is broken off, not your fault: {} {}.",
    "You have come already.",
    "Nobody of that name takes part in this contest.",
    "Too many bots of that name wait already.",
    "Too many clients wait with this ID already",
    "too many of that name wait already",
    "there is no game {} here",
    "{} does not take part in this contest",
    "invalid move: {}",
    "not played: {} {} disqualified",
    # what clients say of a position that they cannot read
    "{}: there are players 0 and 1",
    "player {} has nothing to decide in {}",
    "{} has no module mnm, though its kit has a kind for it",
    "{} is not {}",
    "{} needs {} lines and {}, not {}",
    # parts of other sentences, which are in `COMPOSED` as a whole
    "as it would be",
    "no game",
    "{} MB allowed",
    "used {} MB of memory, more than the {}",
    "not the {} that it would be",
    "the server says the game is over with {}, {}",
    "{}: {} changed, and must be one",
    "no field has",
    "number of games",
    "number of fields",
    "field or state",
    "is {}, not a number without blanks",
    "{} is no {}: {}",
    "{} closed the connection {}",
    "before the end of {}",
    "without an answer",
    "only {} bytes of an answer came within {}",
    "{} is too slow: {}, not to the end of {}",
    "{}, and no player was to move",
    "the program",
    "the {} aborted the game: {}",
    "the connection to the {} was {}",
    "`spielwerk connect4 list` shows those that are",
    "the index server {} has no game {}; {}",
    # expressions that are searched for
    r"the (?:opponent|host) aborted the game: (.*)",
    r"^the (opponent|host):? | to the (opponent|host)\b",
    r"the host: [a-z_]+_game_board: (field \d+: .+)",
    # said when a contest is described or a table set up, before anything is played
    "a name must not be empty",
    "remote players are not allowed here",
    "only {} has an index server and so {{}}",
    "a competition knows its programs, but this one cannot be read: {}",
    "{} is not PORT[:DIALECT[:PACE]], with a dialect of {} and a pace of {}",
    "The game server for {}.",
    "expected remote:HOST:PORT or remote:[IPV6]:PORT, then strategy=0,depth=5",
    "remote player",
    "{} is given twice",
    "{} goes from {} to {}{}, not {}",
    "{} is none of its settings; they are {}, each =NUMBER",
    # of the protocols and for logs
    "ERROR read-failure",
    "ERROR strategy",
    "ERROR search-depth",
    "ERROR initial-board",
    "ERROR move-history",
    "transcript lost",
    "a brace in {} has no counterpart; write {{ or }} for a brace",
    "the first word is the program; only {folder} and {name} can stand in it",
    "; write ./{} for the one here",
    "; install it, or write its path",
    "there is no such folder in {}",
    "it is a link that leads round in a circle",
    "it is larger than {} and copied for every game; take out some files",
    "no worker can be started: {}",
}

COMPOSED: Final = (
    "move: field is 'x', not a number without blanks",
    "exit 1",
    "killed by SIGSEGV",
    "killed by signal 42",
    "stopped",
    "stopped: had more than 20 processes",
    "running",
    "not started",
    "exit 1 before the end of the game",
    "killed by SIGSEGV before the end of the game",
    "the program exited at startup: stopped: used 170 MB of memory, more than the 150 MB allowed",
    "the game took longer than 1.5 s, and no player was to move",
    "'C3,12': The stone being placed cannot be handed on",
    "'x': 'x' is no Quarto move: expected a square and a stone, like B4,3",
    "field 42: Fields are numbered 0 to 41",
    "cannot run './x': it is not executable; try: chmod +x ./x",
    "cannot run 'x': no closing quotation; quotes work as in a shell",
    "the program closed the connection without answering",
    "the program closed the connection before the end of line 2, <author>",
    "the program did not answer within 1.5 s",
    "the program did not accept the request within 1.5 s",
    "the program is too slow: only 12 bytes of an answer came within 1.5 s, "
    "not to the end of line 2, <author>",
    "the program: the status is 'x', neither OK nor an ERROR",
    "cannot connect to the program: Connection refused",
    "no connection to the program within 1.5 s",
    "connection to the program lost: Connection reset by peer",
    "10.0.0.1:80 closed the connection before the end of line 2, <author>",
    "10.0.0.1:80 is too slow: only 12 bytes of an answer came within 1.5 s, "
    "not to the end of line 2, <author>",
    "10.0.0.1:80: the server says the game is over with '0', as it would end; but A can move",
    "the program: the server says the game is over with '0', but it would end with '1'; "
    "but B can move",
    "cannot connect to 10.0.0.1:80: Connection refused",
    "updated_game_board: no field has changed, and must be one",
    "synchronize_game_board: fields 1, 2 have changed, and must be one",
    "synchronize_game_board: 4 fields, and must be 42",
    "join_game: version is 'V3', neither V1 nor V2",
    "end_game: 1, and must be 2: four in a line",
    "the opponent: unexpected 'move;7': expected nothing before the opponent's turn",
    "aborted the game: no explanation",
    "the opponent aborted the game: no explanation",
    "the host aborted the game: no explanation",
    "the connection to the host was lost",
    "the connection to the opponent was ConnectionAbortedError",
    "did not take its seat within 10 s: nothing listens on 127.0.0.1:8080",
    "sent a wrong message: expected ROLL or SAVE, got 'PASS'",
    "answered too late: ROLL or SAVE was due within 0.5 s",
    "sent no BYE after the end of the game: exit 1",
    "sent no BYE after the end of the game: answered too late: BYE was due within 0.5 s",
    "the connection was reset",
    "the board after our move did not come within 10 s",
    "anna: did not take its seat within 10 s; bert: exit 1 before the end of the game",
    "its worker process died 3 times: the worker process exited (killed by SIGKILL); "
    "it printed nothing",
    "its worker process died 3 times: the worker process did not answer; "
    "the worker process exited (exit 1); it printed: Traceback",
)
"""Sentences within sentences, as they are put together."""

_SENTENCE: Final = re.compile(r"[^\W\d_]{2,}[:;,]? [^\W\d_]{2,}")
_ENGLISH: Final = re.compile(
    r"\b(the|is|are|were|has|have|had|did|does|not|no|nobody|of|to|than|more|with|within|without|"
    r"before|after|and|or|nor|but|its?|there|that|which|by|on|at|for|from|be|been|being|expected|"
    r"stopped|running|started|killed|must|cannot|exit)\b"
)


def rules_of(module: str) -> list[str]:
    """How games end by these rules, and which of them a move can break."""
    tree = _tree(module)
    constants = [node for node in tree.body if isinstance(node, ast.AnnAssign)]
    judging = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and (node.name.startswith("_broken") or ".illegal(" in ast.unparse(node))
    ]
    return [text for node in (*constants, *judging) for text in _sentences(node)]


def sentences_of(module: str) -> list[str]:
    """The texts of a module that read like a sentence, `{}` for what is filled in."""
    return [*_sentences(_tree(module))]


def left_english(sentence: str) -> list[str]:
    """The English words in the German of a sentence, besides those that it quotes."""
    german = said(sentence.replace("{}", "7"), "de")
    if german == sentence.replace("{}", "7"):
        return [german]
    return [str(word) for word in _ENGLISH.findall(re.sub(r"'[^']*'|\"[^\"]*\"", "", german))]


def _tree(module: str) -> ast.Module:
    return ast.parse((SOURCE / module).read_text(encoding="utf-8"))


def _sentences(node: ast.AST) -> Iterator[str]:
    return (text for text in _texts(node) if _SENTENCE.search(text))


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        yield "".join(_part(value) for value in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif not _is_for_us(node):
        for child in ast.iter_child_nodes(node):
            yield from _texts(child)


def _part(value: ast.expr) -> str:
    return str(value.value) if isinstance(value, ast.Constant) else "{}"


def _is_for_us(node: ast.AST) -> bool:
    """Docstrings, lines of the log, and what is said to who looks at the screen."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith(
        ("log.", "self._screen.", "setting")
    )
