"""Checks of clients of the game server."""
