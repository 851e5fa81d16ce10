"""Pages of interclub play: the host, the guests, invitation links, and line-ups of teams."""
