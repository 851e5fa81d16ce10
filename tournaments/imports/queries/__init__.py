"""Queries that compare an import with what the club has already."""
