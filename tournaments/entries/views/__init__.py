"""Pages for the organizer about entries."""
