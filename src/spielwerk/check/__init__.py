"""Conformance checks: cases that probe somebody's program, and reports that say what is wrong.

`case`, `running`, `visible`, `report` and `files` know no game; each game's cases have their own
package.
"""
