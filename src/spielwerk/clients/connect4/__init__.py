"""The Connect Four protocol over the network: offering games at an index, and joining them.

`hosting` is the initiator, `joining` the opponent; `index` and `heartbeats` talk to the index
server. The games run at tables of an arena, like all others.
"""
