"""Changes of an event's state and settings."""
