"""The client of the MNM game server, in two processes, as the Quarto and Morris sheets draw it.

`connector` talks to the server. When it is asked to move, it puts all it knows into the shared
memory (`sharing`), wakes the thinker by a signal, and reads the move from a pipe. `thinker` is the
other process and holds the engine; `process` starts it and speaks with it. `settings` has the
defaults and reads the configuration, `sentences` has everything that is said, in two languages.
"""
