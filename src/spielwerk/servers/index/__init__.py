"""The index server (Connect Four protocol): requests over TCP, heartbeats over UDP, on one port."""
