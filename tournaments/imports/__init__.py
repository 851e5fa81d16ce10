"""Imports of games played elsewhere or on paper: events, recorded nights, sheets of hands."""
