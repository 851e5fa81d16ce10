"""Matches at tables: marks, agreement, disputes and rulings. The package does not know whether a match
belongs to a club night or a tournament."""
