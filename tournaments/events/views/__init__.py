"""The organizer's pages of events."""
