"""Forms of an event, read and checked."""
