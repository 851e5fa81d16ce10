"""Rounds: drawn, published, played, closed; their tables, and who sits where."""
