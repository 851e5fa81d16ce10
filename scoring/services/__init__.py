"""All changes of matches. Nothing else writes them."""
