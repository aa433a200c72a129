"""How the games of a contest get played: programs, the place where they meet, and workers."""
