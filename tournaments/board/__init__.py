"""The board on the wall of the hall."""
