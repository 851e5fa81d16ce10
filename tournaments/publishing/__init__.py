"""Visibility of an event to the public, and its final standings."""
