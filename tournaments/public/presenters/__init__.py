"""What the pages for everybody show, as values."""
