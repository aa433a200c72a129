"""The Connect Four protocol over the network: offering games at an index, and joining them.

`host` is the initiator, `join` the opponent, both over a `session`; `index` asks the index server.
The games run at tables of an arena, like all others: `server_games` are those of a server,
`command` has the programs of the command line.
"""
