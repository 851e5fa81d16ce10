"""Rounds: draw, publication, play and closing; their tables and seats."""
