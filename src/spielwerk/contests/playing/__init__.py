"""One game of a contest: how its players take their seats, how it is played, and how it ended."""
