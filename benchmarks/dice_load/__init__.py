"""Load for the dice server, from a process of its own: bots that only count."""
