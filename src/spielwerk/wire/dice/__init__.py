"""The protocol of the dice contest (document 001), both sides, without I/O.

`words` has the messages and what is said about violations; `server` and `client` are the two state
machines.
"""
