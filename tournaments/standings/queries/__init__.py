"""Queries about standings."""
