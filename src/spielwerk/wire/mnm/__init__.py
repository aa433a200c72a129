"""The protocol of the MNM game server (Quarto and Morris sheets), both sides, without I/O.

`words` has the texts of the three dialects, `boards` writes the two games as lines and `reading`
reads them, `pace` says how a block of lines is cut into segments; `server` and `client` are the two
state machines.
"""
