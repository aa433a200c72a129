"""The protocol of the dice contest (dice sheet), both sides, without I/O.

`words` has the messages and what is said about violations; `server` and `client` are the two state
machines.
"""
