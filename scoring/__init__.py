"""A match at a table: its marks, agreement, disputes and rulings. Whether it is a club night or round 7 of a
tournament, it cannot tell."""
