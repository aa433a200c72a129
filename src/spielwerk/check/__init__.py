"""Conformance checks: cases that probe a program, and reports that say what is wrong with it.

`case`, `command` and `report` know no protocol; each protocol has a package with its cases, as data
as far as possible.
"""
