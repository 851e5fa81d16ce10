"""Checks before starting on a data folder: it is not in use, whole, and its key and database match."""
