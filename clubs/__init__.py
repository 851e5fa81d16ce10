"""People, clubs, and the permissions of each role."""
