"""Load for the web server, from processes of its own: pages as light as Python allows."""
