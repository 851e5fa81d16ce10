"""Pages about money, as values."""
