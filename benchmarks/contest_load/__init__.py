"""What contests are measured with: descriptions, runs, and the same work done barely."""
