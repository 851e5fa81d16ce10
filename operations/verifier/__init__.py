"""Verification of an event file in the reader's own browser: the files for it, and the page."""
