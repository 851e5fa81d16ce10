"""Presenters of wall screens."""
