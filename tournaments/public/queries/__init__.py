"""Queries for public pages."""
