"""What is reached by HTTP: games by program, health, figures."""
