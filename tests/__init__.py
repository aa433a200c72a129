"""Tests mirror `src/`; besides there are naive/ (a second referee), golden/ and perft/."""
