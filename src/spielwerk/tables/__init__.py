"""A game being played: seats, clock, events, what happens when somebody leaves."""
