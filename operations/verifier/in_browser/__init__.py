"""Replacements, in a browser, for third-party libraries."""
