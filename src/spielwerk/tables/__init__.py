"""A game being played: seats, clock, events, what happens when a player leaves."""
