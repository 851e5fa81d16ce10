"""Money at the desk: payments and prizes."""
