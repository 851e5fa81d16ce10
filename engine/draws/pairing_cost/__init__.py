"""Pairings by price: the cost of a pair, the cheapest pairing of a field, and its proof."""
