"""Servers with one fault each, and the cases that must find it."""

from tests.check.mutants import ending, judging, playing, talking
from tests.check.mutants.planting import MUTANTS, Mutant

__all__ = ["MUTANTS", "Mutant", "ending", "judging", "playing", "talking"]
