"""Pages on which something is brought in: looked at first, then done."""
