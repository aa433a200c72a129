"""Checking an Oware move server (Oware task, appendix D)."""
