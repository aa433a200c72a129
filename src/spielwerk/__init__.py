"""Spielwerk: a self-hosted arena for the games that programming courses hand out."""

__version__ = "0.1.0"
