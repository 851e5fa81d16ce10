"""Pairings by price: what a pair costs, the cheapest pairing of a field, and the proof of it."""
