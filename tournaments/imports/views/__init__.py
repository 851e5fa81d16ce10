"""Import pages: a preview first, then the import."""
