"""Services that erase people and merge two of them."""
