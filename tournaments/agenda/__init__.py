"""Everything ahead of a club on one list, as a page, a feed for agendas and a file."""
