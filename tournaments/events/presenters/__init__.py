"""What the pages of an event show its organizer, as values."""
