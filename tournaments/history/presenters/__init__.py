"""Pages about an event's history, as values."""
