"""Who plays whom, when, and from which position."""
