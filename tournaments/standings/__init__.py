"""Standings of an event: recomputed after each change, and shown with their reasons."""
