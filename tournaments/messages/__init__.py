"""Messages of the desk to the hall during a night, and calls of tables."""
