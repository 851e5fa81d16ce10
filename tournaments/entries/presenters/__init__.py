"""Views of entries for the pages."""
