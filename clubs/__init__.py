"""People, clubs, and who may do what in them."""
