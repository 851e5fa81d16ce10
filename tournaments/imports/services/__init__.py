"""Services for imports, in pieces between which others can write."""
