"""The protocols without I/O: bytes in, messages out, and back; both sides of each."""
