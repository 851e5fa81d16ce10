"""Seasons of a club: ladders over the nights that count."""
