"""Lists of the pages, as files."""
