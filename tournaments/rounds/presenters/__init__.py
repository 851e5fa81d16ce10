"""What the pages of a round show, as values."""
