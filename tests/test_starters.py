"""Starters: what is written, with solutions or with tasks."""

from __future__ import annotations

from spielwerk.starters import made

SOURCE = """\
int answer(void)
{
    /* @task Say the answer. */
    return 42;
    /* @open */
    /*| return 0; */
    /* @end */
}
"""


def test_a_project_has_solutions_and_no_marks() -> None:
    assert made(SOURCE, skeleton=False) == "int answer(void)\n{\n    return 42;\n}\n"


def test_a_skeleton_has_tasks_instead() -> None:
    task = "    /* TODO: Say the answer. */\n    return 0;\n"
    assert made(SOURCE, skeleton=True) == f"int answer(void)\n{{\n{task}}}\n"
