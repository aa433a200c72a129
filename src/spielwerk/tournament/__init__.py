"""What is played in a contest, and what comes of it: descriptions, schedules, ratings, tables."""
