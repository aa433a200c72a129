"""A contest while it is run: what is played next, what is written down, and who is out."""
