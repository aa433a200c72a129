"""Programs that are checked as processes."""
