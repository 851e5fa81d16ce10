"""Addresses that other programs fetch, and the page of texts to copy."""
