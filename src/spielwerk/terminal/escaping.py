"""Text from elsewhere, made harmless for a terminal."""

from __future__ import annotations


def safe(text: str) -> str:
    """The text with everything escaped that a terminal would obey."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
