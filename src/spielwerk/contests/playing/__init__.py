"""One game of a contest: the doors of its seats, who comes, how it is played, and how it ended."""
