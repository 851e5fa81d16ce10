"""Queries for the personal data of a club."""
