"""Seasons of a club: standings over the nights that count."""
