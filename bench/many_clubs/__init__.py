"""A database of many clubs: one club that the services made, its nights and then itself multiplied."""
