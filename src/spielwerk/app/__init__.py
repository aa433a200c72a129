"""A whole server: settings, services and pages put together in one loop."""
