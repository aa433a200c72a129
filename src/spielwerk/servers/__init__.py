"""Wire, net and tables put together: the services that `spielwerk serve` runs."""
