from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

INNER = """
from spielwerk.engines.compiled import inlined
@inlined
def number():
    return {number}
"""

OUTER = """
from spielwerk.engines.compiled import kernel
from toy.inner import number
@kernel
def twice():
    return 2 * number()
"""


def twice(folder: Path) -> int:
    code = "from toy.outer import twice; print(twice())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"SPIELWERK_CACHE": str(folder / "cache"), "PATH": "", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def test_a_change_in_another_file_of_the_package_is_compiled_anew(tmp_path: Path) -> None:
    package = tmp_path / "toy"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "outer.py").write_text(OUTER)
    (package / "inner.py").write_text(INNER.format(number=21))
    assert twice(tmp_path) == 42
    assert twice(tmp_path) == 42
    (package / "inner.py").write_text(INNER.format(number=4))
    assert twice(tmp_path) == 8
    assert len([*(tmp_path / "cache" / "kernels").glob("toy-*")]) == 2
    for path in package.glob("*.py"):
        os.utime(path, (0, 0))  # as in another checkout
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nb*")}
    assert twice(tmp_path) == 8
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.nb*")} == kept
