"""The games as other worlds know them, for their learning and searching programs.

`spielwerk.adapters.pettingzoo` makes environments for PettingZoo, `spielwerk.adapters.openspiel`
registers the games with OpenSpiel. Both come with the extra `adapters` and are imported only where
they are used; each says in its docstring how.
"""
