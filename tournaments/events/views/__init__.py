"""Pages of events for the organizer."""
