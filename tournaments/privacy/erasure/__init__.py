"""Removal of a person's name from everything outside the person's own row."""
