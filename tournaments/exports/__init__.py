"""What the pages list, as files."""
