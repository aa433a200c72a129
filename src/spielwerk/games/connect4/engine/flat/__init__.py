"""The exact solver for flat boards that fit into 64 bits."""
