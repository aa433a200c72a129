"""The protocol of the MNM game server (documents 000 and 003), both sides, without I/O.

`words` has the texts of the three dialects, `boards` writes the two games as lines and `reading`
reads them, `pace` says how a block of lines is cut into segments; `server` and `client` are the two
state machines.
"""
