"""asyncio: connections, deadlines, limits, listeners. Knows no game."""
