"""The client of the MNM game server, in two processes, as the sheets draw it.

`connector` talks to the server. When it is asked to move, it puts all it knows into a shared
memory, wakes the thinker by a signal, and reads the move from a pipe. `thinker` is the other
process and holds the engine. `program` starts both, `settings` has the defaults and reads the
configuration, `sentences` has everything that is said, in two languages.
"""
