"""Every change of an event's life and settings."""
