"""What the pages about money show, as values."""
