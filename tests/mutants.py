"""Whether the tests notice: `python -m tests.mutants ROOM [--count N] [--seed N] [--tests PATH]`.

Each mutant is the source with one operator, constant or branch changed in the room; the room's
tests are run against it with `-x`. A mutant that no test notices is printed, for a person to judge:
it may change nothing that matters, or it may need a test.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
}


class Mutant(NamedTuple):
    """One place in a file, and what stands there instead."""

    file: Path
    line: int
    start: int  # in characters, from the file's beginning
    end: int
    new: str

    def applied(self, source: str) -> str:
        """The source with the change."""
        return source[: self.start] + self.new + source[self.end :]


def _changed(node: ast.AST) -> ast.AST | None:
    """The node with one thing wrong, or None where nothing fits."""
    match node:
        case ast.Compare(left, [op], right) if type(op) in OPERATORS:
            return ast.Compare(left, [OPERATORS[type(op)]()], right)  # type: ignore[list-item]
        case ast.BoolOp(op, values):
            return ast.BoolOp(OPERATORS[type(op)](), values)  # type: ignore[arg-type]
        case ast.BinOp(left, op, right) if type(op) in OPERATORS:
            return ast.BinOp(left, OPERATORS[type(op)](), right)  # type: ignore[arg-type]
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool() as value):
            return ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            return ast.Constant(value + 1)
        case ast.IfExp(test, body, orelse):
            return ast.IfExp(test, orelse, body)
    return None


def _nodes(tree: ast.AST) -> Iterator[ast.expr]:
    """What runs: no annotations, no type-checking blocks, no f-strings' insides."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.arg):
            continue
        if isinstance(child, ast.expr):
            yield child
        yield from _nodes(child)


def mutants(folder: Path) -> list[Mutant]:
    """All that can be changed in the modules of a folder, or in one module."""
    found = []
    for file in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        source = file.read_text(encoding="utf-8")
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line.encode()))
        data = source.encode()
        for node in _nodes(ast.parse(source)):
            new = _changed(node)
            if new is None or node.end_lineno is None or node.end_col_offset is None:
                continue
            first = len(data[: starts[node.lineno - 1] + node.col_offset].decode())
            last = len(data[: starts[node.end_lineno - 1] + node.end_col_offset].decode())
            text = ast.unparse(ast.fix_missing_locations(new))
            found.append(Mutant(file, node.lineno, first, last, f"({text})"))
    return found


def survives(mutant: Mutant, tests: list[str], seconds: float) -> bool:
    """Whether the tests pass against a copy of the source with the mutant in it."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        target = copy / mutant.file.relative_to(ROOT / "src")
        source = mutant.file.read_text(encoding="utf-8")
        target.write_text(mutant.applied(source), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
        command += ["-p", "no:rerunfailures", "-p", "no:randomly", *tests]
        environment = os.environ | {"PYTHONPATH": str(copy)}
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env=environment,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
        if done.returncode not in {0, 1, 2}:
            raise RuntimeError(done.stdout.decode() + done.stderr.decode())
        return done.returncode == 0


def main() -> None:
    """Try some mutants of a room, and say which live."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", help="a folder or module below src/spielwerk")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--tests", nargs="+", help="by default the folder of the same name")
    parser.add_argument("--timeout", type=float, default=900)
    asked = parser.parse_args()
    tests = asked.tests or [f"tests/{asked.room}"]
    every = mutants(ROOT / "src" / "spielwerk" / asked.room)
    chosen = random.Random(asked.seed).sample(every, min(asked.count, len(every)))
    alive = 0
    for mutant in chosen:
        lives = survives(mutant, tests, asked.timeout)
        alive += lives
        old = mutant.file.read_text(encoding="utf-8")[mutant.start : mutant.end]
        where = f"{mutant.file.relative_to(ROOT / 'src')}:{mutant.line}"
        print(f"{'LIVES' if lives else 'found'}  {where}  {old}  ->  {mutant.new}", flush=True)  # noqa: T201
    print(f"{asked.room}: {len(chosen) - alive} of {len(chosen)} found")  # noqa: T201


if __name__ == "__main__":
    main()
