"""Views of an event for its organizer's pages."""
