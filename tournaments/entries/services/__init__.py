"""Changes of the entries of an event."""
