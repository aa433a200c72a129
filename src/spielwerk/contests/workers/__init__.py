"""Where games are played: worker processes on this machine, or on those of a cluster."""
