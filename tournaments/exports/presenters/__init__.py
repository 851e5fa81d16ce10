"""What the pages list, as tables for files: one function a table, from what the page itself is made of."""
