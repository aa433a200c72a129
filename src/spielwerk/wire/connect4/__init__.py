"""The Connect Four protocol, all roles, without I/O.

`messages` has every message with its parameters; the state machines of the index server, of the
initiator (who hosts a game) and of the opponent (who joins it) are modules of their own.
"""
