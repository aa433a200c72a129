"""Playing in a terminal: boards in colour, and the talk with the people at the keyboard."""
