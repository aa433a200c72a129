"""A contest as its author writes it: a TOML file, read, checked, kept and written again."""
