"""Reads for the pages for everybody."""
