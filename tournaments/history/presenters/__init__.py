"""What the pages about an event's history show, as values."""
