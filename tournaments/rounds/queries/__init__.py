"""Reads about rounds, tables and seats."""
