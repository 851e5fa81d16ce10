"""Reads about fees, prizes and door prizes."""
