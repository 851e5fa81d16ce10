"""Wall screens of the hall."""
