"""The index server of document 004: requests over TCP, heartbeats over UDP on the same port."""
