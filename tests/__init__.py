"""Tests mirror `src/`; besides there are golden/ and perft/."""
