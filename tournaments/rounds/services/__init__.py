"""Changes of a round and its tables."""
