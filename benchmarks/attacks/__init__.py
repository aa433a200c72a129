"""What one visitor, or a hundred, can do to the others."""
