"""Pages that other programs fetch, and pages of texts to copy."""
