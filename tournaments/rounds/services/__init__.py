"""Every change of a round and its tables."""
