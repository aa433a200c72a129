"""One module a step; each says by literal values what it does, since the schema moves on."""
