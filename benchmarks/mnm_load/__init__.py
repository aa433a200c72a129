"""Load for the game server, from processes of its own: scripted games over the real protocol."""
