"""What docs/checking.md names is there."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

import pytest

from spielwerk.check.oware.cases import all_cases
from spielwerk.cli.app import checks
from tests.check.test_sources import DOCS

PAGE = (DOCS / "checking.md").read_text(encoding="utf-8")
CHECKS = sorted({*re.findall(r"spielwerk check ([a-z0-9-]+)", PAGE)})


def test_every_check_has_its_line_and_every_option_exists(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert {command.name for command in checks.registered_commands} == {*CHECKS}
    for name in CHECKS:
        checks([name, "--help"], standalone_mode=False)
    known = {*re.findall(r"--[a-z-]+", capsys.readouterr().out)}
    assert {*re.findall(r"`(--[a-z-]+)", PAGE)} <= known


def test_the_cases_of_usual_faults_exist() -> None:
    names = [case.name for case in all_cases()]
    table = PAGE.partition("| report | cause |")[2].partition("\n\n")[0]
    for name in re.findall(r"`([a-z*-]+/[a-z.-]+)`", table):
        assert any(fnmatchcase(one, name.replace("...", "*")) for one in names), name
