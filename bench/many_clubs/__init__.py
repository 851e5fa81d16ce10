"""A database of many clubs: one club created by the services, whose nights and then all rows are copied."""
