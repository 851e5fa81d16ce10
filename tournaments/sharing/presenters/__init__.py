"""Shared content of an event or a club, as values."""
