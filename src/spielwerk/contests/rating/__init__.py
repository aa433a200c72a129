"""How strong everybody is, and how sure that is, from all games at once."""
