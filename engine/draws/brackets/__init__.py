"""Brackets as values: the matches on the way to the final, and the places of all entries."""
