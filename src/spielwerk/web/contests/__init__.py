"""Contests on pages and for programs: standings, crosstable, games, what is being played."""
