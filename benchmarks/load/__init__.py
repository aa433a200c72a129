"""Load on a server from processes of their own: what is the same for every protocol."""
