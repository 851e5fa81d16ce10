"""What is shared of an event or a club, as values."""
