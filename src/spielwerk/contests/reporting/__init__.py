"""What comes of a contest, to be taken away: JSON Lines, CSV, and one HTML file."""
