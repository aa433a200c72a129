"""Programs of strangers: started, watched, limited, put into a sandbox, and stopped for certain."""
