"""What everybody reads: the pages of a club and of an event, and the page of one's own."""
