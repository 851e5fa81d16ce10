"""Public pages, as values."""
