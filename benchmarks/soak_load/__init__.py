"""Honest visitors of the services that have no load of their own, for the soak."""
