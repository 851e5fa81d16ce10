"""Reads about standings."""
