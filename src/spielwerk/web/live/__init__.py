"""What pages hear at once: a socket each, and what is told about tables and the lobby."""
