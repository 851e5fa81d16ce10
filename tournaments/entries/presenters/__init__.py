"""What the pages about entries show, as values."""
