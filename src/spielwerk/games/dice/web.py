"""The dice race in the web: a new table's chances are computed before the page asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielwerk.games.dice.rules import Dice
from spielwerk.tables.chances import RACES

if TYPE_CHECKING:
    from spielwerk.tables.arena import NewTable
    from spielwerk.tables.table import Table
    from spielwerk.web.matches import Offer
    from spielwerk.web.site import Site


async def set_up(site: Site, new: NewTable, _offer: Offer) -> Table:
    """The table, and the work for its chances begun."""
    RACES.prepare(Dice.from_text(new.options))
    return await site.arena.create(new)
