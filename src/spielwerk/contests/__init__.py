"""Contests: description, schedule, running, programs and sandbox, rating, reports."""
