"""`python -m spielwerk` is `spielwerk`."""

from __future__ import annotations

from spielwerk.cli import main

main()
