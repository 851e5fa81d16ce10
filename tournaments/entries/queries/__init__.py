"""Reads about entries, each with a fixed number of queries."""
