"""Ratings and records of a club and of its people."""
